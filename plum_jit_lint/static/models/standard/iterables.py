"""Calls that iterate, and what they give: `map`, `zip`, `range`, `sorted`, `functools.reduce`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    arrays,
    containers,
    exceptions,
    iteration,
    known_values,
    literals,
    operators,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Generator,
    MappingValue,
    SequenceValue,
    Value,
    keyword_items,
    scalar,
)
from plum_jit_lint.static.models.common import Handler


def _iterated(run: Run, arguments: Arguments, position: int) -> Value | None:
    value = arguments.get(position)
    return None if value is None else iteration.expand(run, value)


def _is_repeated(value: Value | None) -> bool:
    return isinstance(value, SequenceValue) and value.repeated


def _map(run: Run, arguments: Arguments, place: Place) -> Value:
    """`map` runs nothing until somebody iterates."""
    return Generator(lambda: _mapped(run, arguments, place), tuple(arguments.values()))


def _filter(run: Run, arguments: Arguments, place: Place) -> Value:
    def work() -> Value:
        _mapped(run, arguments, place)
        kept = _iterated(run, arguments, 1)
        if isinstance(kept, SequenceValue):
            return SequenceValue("list", list(kept.items), complete=False, uniform=True)
        return TOP

    return Generator(work, tuple(arguments.values()))


def _mapped(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0)
    columns = [iteration.expand(run, one) for one in arguments.positional[1:]]
    if function is None or not columns:
        return TOP
    rows = [containers.members(column) for column in columns]
    if None in rows:
        with run.under((run.branch_ids.new(), 0)):
            given = Arguments([containers.element(column) for column in columns])
            return SequenceValue("list", [run.call(function, given, place)], False)
    known = [row for row in rows if row is not None]
    results = [run.call(function, Arguments(list(row)), place) for row in zip(*known, strict=False)]
    return SequenceValue("list", results, repeated=any(map(_is_repeated, columns)))


def _sequence(kind: Literal["tuple", "list", "set"]) -> Callable[[Run, Arguments, Place], Value]:
    """`list(x)`, `tuple(x)`, `sorted(x)`, `reversed(x)`, `iter(x)`."""

    def make(run: Run, arguments: Arguments, place: Place) -> Value:
        given = _iterated(run, arguments, 0)
        if given is None:
            return SequenceValue(kind, [])
        known = containers.members(given)
        containers.call_key(run, given, arguments, place)
        if known is None:
            if isinstance(given, SequenceValue):
                return SequenceValue(kind, list(given.items), given.complete, given.uniform)
            return TOP
        return SequenceValue(kind, list(known), repeated=_is_repeated(given))

    return make


def _best(run: Run, arguments: Arguments, place: Place) -> Value:
    """`max(...)` and `min(...)`: one of what they are given."""
    several = len(arguments.positional) > 1
    given = SequenceValue("list", arguments.positional) if several else _iterated(run, arguments, 0)
    if given is None:
        return TOP
    containers.call_key(run, given, arguments, place)
    return containers.element(given)


def _sum(run: Run, arguments: Arguments, place: Place) -> Value:
    """`sum(...)` adds the members, through the special methods of the program's classes."""
    given = _iterated(run, arguments, 0)
    if given is None:
        return TOP
    known = containers.members(given)
    result = arguments.get(1, "start") or scalar("int", 0)
    if known is None:
        with run.under((run.branch_ids.new(), 0)):
            return operators.binary(run, "+", result, containers.element(given), place)
    for member in known:
        result = operators.binary(run, "+", result, member, place)
    return result


def _chain_map(run: Run, arguments: Arguments, place: Place) -> Value:
    """A `ChainMap`: the first map that has a key wins."""
    found = MappingValue({})
    for one in reversed(arguments.positional):
        containers.update(run, found, Arguments([one]))
    return found


def _defaultdict(run: Run, arguments: Arguments, place: Place) -> Value:
    found = _dict(run, arguments.after(1), place)
    factory = arguments.get(0)
    if isinstance(found, MappingValue) and factory is not None and factory != NONE:
        found.factory = factory
    return found


def _chain(run: Run, arguments: Arguments, place: Place) -> Value:
    """`itertools.chain(a, b)`."""
    rows = [containers.members(iteration.expand(run, one)) for one in arguments.positional]
    known = [one for row in rows for one in row or ()]
    return known_values.sequence("list", known, None not in rows, uniform=bool(known))


def _starmap(run: Run, arguments: Arguments, place: Place) -> Value:
    def work() -> Value:
        function, rows = arguments.get(0), _iterated(run, arguments, 1)
        known = None if rows is None else containers.members(rows)
        if function is None or known is None:
            return TOP
        given = [
            Arguments(list(r.items)) for r in known if isinstance(r, SequenceValue) and r.complete
        ]
        return SequenceValue("list", [run.call(function, one, place) for one in given])

    return Generator(work, tuple(arguments.values()))


def _zip(run: Run, arguments: Arguments, place: Place) -> Value:
    given = [iteration.expand(run, one) for one in arguments.positional]
    known = [column for column in map(containers.members, given) if column is not None]
    if len(known) < len(given):
        return TOP
    rows: list[Value] = [SequenceValue("tuple", list(row)) for row in zip(*known, strict=False)]
    return SequenceValue("list", rows, repeated=any(map(_is_repeated, given)))


def _enumerate(run: Run, arguments: Arguments, place: Place) -> Value:
    given = _iterated(run, arguments, 0)
    known = None if given is None else containers.members(given)
    if known is None:
        return TOP
    repeated = _is_repeated(given)
    rows: list[Value] = [
        SequenceValue("tuple", [scalar("int", None if repeated else i), v])
        for i, v in enumerate(known)
    ]
    return SequenceValue("list", rows, repeated=repeated)


def _range(run: Run, arguments: Arguments, place: Place) -> Value:
    bounds = [literals.literal(one) for one in arguments.positional]
    known = [bound for bound in bounds if isinstance(bound, int)]
    if not known or len(known) != len(bounds):
        return SequenceValue("list", [scalar("int")], complete=False)
    numbers = known_values.numbers(known)
    if isinstance(numbers, type):
        exceptions.fail(run, numbers.__name__)
        return TOP
    if numbers is None:
        return SequenceValue("list", [scalar("int"), scalar("int")], uniform=True, repeated=True)
    return SequenceValue("list", [scalar("int", number) for number in numbers])


def _dict(run: Run, arguments: Arguments, place: Place) -> Value:
    found = keyword_items(arguments.keywords)
    given = arguments.get(0)
    if isinstance(given, MappingValue):
        found.items.update(given.items)
        found.others.extend(given.others)
        known_values.shortened(found)
    elif given is not None:
        containers.update(run, found, Arguments([given]))
    return found


def _next(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    if isinstance(given, Generator) and given.suspension is not None and given.result is None:
        found = given.suspension.next()
        return (arguments.get(1) or TOP) if found is None else found
    given = _iterated(run, arguments, 0)
    if isinstance(given, SequenceValue) and given.items:
        return given.items[0]
    if isinstance(given, SequenceValue) and given.complete:
        if len(arguments.positional) > 1:
            return arguments.positional[1]
        exceptions.fail(run, "StopIteration")
    return TOP


def call_method(
    run: Run, generator: Generator, name: str, arguments: Arguments, place: Place
) -> Value:
    """A method of a generator."""
    if name in ("send", "__next__"):
        return _next(run, Arguments([generator]), place)
    if name == "close" and generator.suspension is not None:
        generator.suspension.close()
    return NONE


def _reduce(run: Run, arguments: Arguments, place: Place) -> Value:
    function, iterable = arguments.get(0), _iterated(run, arguments, 1)
    if function is None or iterable is None:
        return TOP
    known = containers.members(iterable)
    if known is None:
        member = containers.element(iterable)
        with run.under((run.branch_ids.new(), 0)):
            return run.call(function, Arguments([member, member]), place)
    first = arguments.get(2)
    rest = list(known) if first is None else [first, *known]
    result = rest[0] if rest else TOP
    for member in rest[1:]:
        result = run.call(function, Arguments([result, member]), place)
    return result


def _len(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    if isinstance(given, SequenceValue) and given.complete and given.kind != "set":
        return scalar("int", None if given.repeated else len(given.items))
    if isinstance(given, MappingValue) and not given.others:
        return scalar("int", len(given.items))
    text = None if given is None else literals.literal(given)
    if isinstance(text, str):
        return scalar("int", len(text))
    return scalar("int", None if given is None else arrays.length(given))


LAZY = {
    *(f"builtins.{name}" for name in ("map", "filter", "iter", "enumerate", "zip", "next")),
    "itertools.starmap",
}
"""Callables that do not run what they are given."""


HANDLERS: Mapping[str, Handler] = {
    "functools.reduce": _reduce,
    "builtins.filter": _filter,
    "builtins.len": _len,
    "builtins.map": _map,
    "builtins.list": _sequence("list"),
    "builtins.tuple": _sequence("tuple"),
    "builtins.set": _sequence("set"),
    "builtins.sorted": _sequence("list"),
    "builtins.reversed": _sequence("list"),
    "builtins.iter": _sequence("list"),
    "builtins.frozenset": _sequence("set"),
    "collections.deque": _sequence("list"),
    "builtins.max": _best,
    "builtins.min": _best,
    "builtins.zip": _zip,
    "builtins.sum": _sum,
    "collections.ChainMap": _chain_map,
    "weakref.WeakKeyDictionary": _dict,
    "weakref.WeakValueDictionary": _dict,
    "itertools.chain": _chain,
    "itertools.starmap": _starmap,
    "collections.defaultdict": _defaultdict,
    "collections.OrderedDict": _dict,
    "builtins.enumerate": _enumerate,
    "builtins.range": _range,
    "builtins.dict": _dict,
    "builtins.next": _next,
}
