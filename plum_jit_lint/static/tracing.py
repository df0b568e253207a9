"""Traces: what a jitted call fills or takes from the cache, and what it chooses on the way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace

from plum_jit_lint.events import Choice, FunctionId, Method, Statics, Step, Traced, Used
from plum_jit_lint.findings import Place
from plum_jit_lint.resolution import Nothing, outcomes
from plum_jit_lint.static import calls, evaluate, facts, functions
from plum_jit_lint.static.annotations import hint_of, typed_value
from plum_jit_lint.static.hints import (
    Argument,
    ArrayArg,
    Hint,
    InstanceArg,
    ScalarArg,
    UnknownArg,
    describe,
)
from plum_jit_lint.static.knowledge import Row
from plum_jit_lint.static.machine import Entry, Frame, Held, Raised, Record, Run
from plum_jit_lint.static.values import (
    DEEPEST_VALUE,
    NONE,
    UNKNOWN,
    Arguments,
    Bound,
    Compiled,
    Data,
    DictItems,
    Func,
    Instance,
    Items,
    Jitted,
    Lowered,
    OneOf,
    Partial,
    PlumFunction,
    Symbol,
    Value,
    Wrapper,
    argument_of,
    array,
    dispatched_under,
    function_under,
    join,
    name_of,
)

NUMBERS = ("int", "float", "complex", "bool")
OWN_CACHE = {"jax.pmap", "equinox.filter_jit"}


# -- what becomes of values at the border of a trace -----------------------------------------


def traced(value: Value, scalars: bool = True, depth: int = DEEPEST_VALUE) -> Value:
    """A value as it arrives inside a trace. `Raised` where jit does not take it."""
    if depth == 0:
        return UNKNOWN
    match value:
        case Data(ArrayArg(_, shape, dtype)):
            return Data(ArrayArg(True, shape, dtype))
        case Data(ScalarArg(cls, _)):
            name = cls.name.removeprefix("builtins.")
            if name in NUMBERS:
                return Data(ArrayArg(True, (), None)) if scalars else value
            if cls.name.startswith("numpy."):
                return array(True)
            if name in ("str", "bytes") and scalars:
                raise Raised
            return value
        case Data(InstanceArg(cls, _)) if cls.name.startswith("numpy."):
            return array(True)
        case Instance():
            attributes = {k: _leaf(v, scalars, depth) for k, v in value.attributes.items()}
            return Instance(value.cls, attributes, value.exact)
        case Items():
            return Items(
                value.kind, [_leaf(v, scalars, depth) for v in value.items], value.complete
            )
        case DictItems():
            return DictItems(
                {k: _leaf(v, scalars, depth) for k, v in value.items.items()},
                [_leaf(v, scalars, depth) for v in value.others],
            )
        case OneOf(alternatives):
            return join([_leaf(one, scalars, depth) for one in alternatives])
    return value


def _leaf(value: Value, scalars: bool, depth: int = DEEPEST_VALUE) -> Value:
    # A pytree may hold static fields: only its arrays and numbers surely become tracers.
    try:
        return traced(value, scalars, depth - 1)
    except Raised:
        return value


def concrete(value: Value, depth: int = DEEPEST_VALUE) -> Value:
    """What a traced call returns outside of the trace."""
    if depth == 0:
        return UNKNOWN
    match value:
        case Data(ArrayArg(True, shape, dtype)):
            return Data(ArrayArg(False, shape, dtype))
        case Data(ScalarArg(cls, _)) if cls.name.removeprefix("builtins.") in NUMBERS:
            return array()
        case Instance():
            return Instance(
                value.cls,
                {k: concrete(v, depth - 1) for k, v in value.attributes.items()},
                value.exact,
            )
        case Items():
            return Items(value.kind, [concrete(v, depth - 1) for v in value.items], value.complete)
    return value


# -- dispatched calls ------------------------------------------------------------------------


def call_dispatched(run: Run, function: PlumFunction, arguments: Arguments, place: Place) -> Value:
    """plum chooses a method; a trace that is being made keeps the choice."""
    if run.muted:
        return UNKNOWN
    records = run.methods(function.id)
    given = tuple(argument_of(value) for value in arguments.positional)
    unseen = function.open or arguments.open or (not records and function.id not in run.own)
    unseen = unseen or not run.program.registrations
    if arguments.open:
        chosen, found = records, frozenset[Hashable]()
    elif UnknownArg() in given and len(records) > MOST_CANDIDATES:
        # Which of many is open, and enumerating how they relate would not tell more.
        chosen, found = _that_may_match(run, records, given), frozenset[Hashable]()
    else:
        found = outcomes(run.as_registrations(records), given, run.oracle)
        chosen = [r for r in records if r.key in found]
    by_method = {r.key: r for r in chosen}
    if not arguments.open:
        sure = len(found) == 1 and not unseen and bool(by_method)
        held = next(iter(by_method.values())).method if sure else None
        _remember(run, function, given, held, place)
    if not by_method and not unseen and found and all(isinstance(o, Nothing) for o in found):
        raise Raised
    results = list(_call_methods(run, list(by_method.values()), arguments, place))
    return UNKNOWN if unseen else join(results)


CONVERT = FunctionId("plum's own", None, "convert")


def choose(
    run: Run, function: PlumFunction, given: tuple[Argument, ...], place: Place
) -> list[Record]:
    """The methods that plum may choose for arguments; a trace keeps the choice."""
    records = run.methods(function.id)
    found = outcomes(run.as_registrations(records), given, run.oracle)
    chosen = list({r.key: r for r in records if r.key in found}.values())
    sure = len(found) == 1 and len(chosen) == 1 and not function.open
    _remember(run, function, given, chosen[0].method if sure else None, place)
    return chosen


def convert(run: Run, value: Value, to: Value, hint: Hint, place: Place) -> Value:
    """plum converts a value to a type that it is not an instance of, by a conversion method."""
    given = argument_of(value)
    if not run.frames or run.muted or run.oracle.admits(hint, given) is not False:
        return value
    target = argument_of(typed_value(to, hint))
    if isinstance(target, InstanceArg):
        target = InstanceArg(target.cls, True)
    chosen = choose(run, PlumFunction(CONVERT, open=True), (given, target), place)
    if len(chosen) == 1:
        return calls.call(run, chosen[0].body, Arguments([value]), place)
    return typed_value(to, hint)


def invoked(run: Run, function: PlumFunction, types: Arguments, place: Place) -> Value:
    """`f.invoke(*types)`: the choice is made here, and the handle stays with it (FACTS, "plum")."""
    if run.muted or types.open:
        return UNKNOWN
    given = tuple(
        InstanceArg(one.cls, True) if isinstance(one, InstanceArg) else one
        for one in (argument_of(typed_value(t, hint_of(t, "?"))) for t in types.positional)
    )
    chosen = choose(run, function, given, place)
    return chosen[0].body if len(chosen) == 1 else UNKNOWN


MOST_CANDIDATES = 4
"""Methods that are followed outside of a trace where it is open which one is chosen."""


def _call_methods(
    run: Run, records: list[Record], arguments: Arguments, place: Place
) -> Iterator[Value]:
    if not records or (len(records) > MOST_CANDIDATES and not run.frames):
        return
    for conditions, record in zip(run.arms(len(records)), records, strict=True):
        with run.under(*conditions):
            try:
                result = calls.call(run, record.body, arguments, place)
            except Raised:
                if len(records) == 1:
                    raise
                continue
            function = function_under(record.body)
            if function is not None and isinstance(function.definition, facts.FunctionDef):
                returns = function.definition.returns
                if returns is not None:
                    to, hint = evaluate.hint(run, function.scope, returns)
                    result = (
                        typed_value(to, hint)
                        if result == UNKNOWN
                        else convert(run, result, to, hint, place)
                    )
            yield result


def _that_may_match(run: Run, records: list[Record], given: tuple[Argument, ...]) -> list[Record]:
    return [
        record
        for record in records
        if any(
            signature.takes(len(given))
            and False not in map(run.oracle.admits, signature.expand(len(given)), given)
            for signature in record.registration.signatures
        )
    ]


def _remember(
    run: Run, function: PlumFunction, given: tuple[Argument, ...], held: Method | None, place: Place
) -> None:
    shown = f"({', '.join(map(describe, given))})"
    for frame in run.frames:
        chain = _chain(run, frame, place)
        frame.held.append(Held(Choice(function.id, shown, held, chain), given))


def _chain(run: Run, frame: Frame, place: Place) -> tuple[Step, ...]:
    if len(run.steps) < frame.base:
        return ()
    return (*run.steps[frame.base :], Step(place, run.callers[-1]))


# -- jitted calls ----------------------------------------------------------------------------


def call_jitted(run: Run, jitted: Jitted, arguments: Arguments, place: Place) -> Value:
    """A call of a jitted function."""
    if run.muted:
        return UNKNOWN
    if run.jit_disabled:
        return calls.call(run, jitted.target, arguments, place)
    inside, statics = border(run, jitted, arguments)
    return enter(
        run, space_of(jitted.row), jitted.target, inside, statics, place, jitted.row.by_value
    )


def space_of(row: Row) -> str:
    """Which cache a row fills: all that is not known to have its own shares that of `jax.jit`."""
    return "jit" if row.kind in ("jit", "maker") and row.path not in OWN_CACHE else row.path


def border(run: Run, jitted: Jitted, arguments: Arguments) -> tuple[Arguments, Hashable]:
    """The arguments as they arrive inside, and those that are static."""
    function = function_under(jitted.target)
    names = [p.name for p in functions.positional_parameters(function)] if function else []
    if isinstance(jitted.target, Bound):
        names = names[1:]
    count = max(len(names), len(arguments.positional))
    numbers = {n + count if n < 0 else n for n in jitted.statics.numbers}
    by_name = set(jitted.statics.names) | {names[n] for n in numbers if n < len(names)}
    fixed: list[Hashable] = []

    def convert(name: str | None, position: int | None, value: Value) -> Value:
        if position in numbers or name in by_name:
            fixed.append((name or position, describe(argument_of(value))))
            return value
        if value == UNKNOWN and function is not None and name is not None:
            value = _by_annotation(run, function, name)
        return traced(value, jitted.row.scalars_traced)

    positional = [
        convert(names[i] if i < len(names) else None, i, value)
        for i, value in enumerate(arguments.positional)
    ]
    keywords = {k: convert(k, None, v) for k, v in arguments.keywords.items()}
    inside = Arguments(positional, keywords, arguments.open, arguments.open_keywords)
    return inside, tuple(fixed)


def _by_annotation(run: Run, function: Func, name: str) -> Value:
    for parameter in function.definition.parameters:
        if parameter.name == name:
            return evaluate.typed(run, function.scope, parameter.annotation)
    return UNKNOWN


def enter(
    run: Run,
    space: str,
    target: Value,
    arguments: Arguments,
    statics: Hashable,
    place: Place,
    by_value: bool = False,
) -> Value:
    """Takes a trace from the cache, or makes it and keeps it. The caches are keyed by the
    identity of the function (FACTS, "Tracing and caching")."""
    identity: Hashable = target
    if by_value and isinstance(target, Bound):
        identity = (target.function, target.receiver)
    given = tuple(argument_of(value) for value in arguments.values())
    results: list[Value] = []
    for entry in list(run.entries.values()):
        if (entry.space, entry.identity, entry.statics) != (space, identity, statics):
            continue
        if entry.frozen or not run.alive(entry) or not compatible(entry.arguments, given):
            continue
        _use(run, entry, place)
        results.append(entry.result)
        if run.surely_alive(entry):
            return join(results)
    results.append(_fill(run, space, target, identity, arguments, given, statics, place))
    return join(results)


def compatible(kept: tuple[Argument, ...], given: tuple[Argument, ...]) -> bool:
    """Whether a call with `given` may find a trace that was made for `kept`."""
    return len(kept) == len(given) and all(map(_may_be_same, kept, given))


def _may_be_same(a: Argument, b: Argument) -> bool:
    if isinstance(a, ArrayArg) and isinstance(b, ArrayArg):
        shapes = a.shape == b.shape or None in (a.shape, b.shape)
        return shapes and (a.dtype == b.dtype or None in (a.dtype, b.dtype))
    if isinstance(a, InstanceArg) and isinstance(b, InstanceArg):
        return a.cls == b.cls or not (a.exact and b.exact)
    return type(a) is not type(b) or a == b


def _use(run: Run, entry: Entry, place: Place) -> None:
    run.emit(Used(entry.id, run.stack_at(place), run.path, outermost=not run.frames))
    for frame in run.frames:
        frame.inner.append(entry.id)
        chain = _chain(run, frame, place)
        for held in entry.held:
            choice = replace(held.choice, chain=(*chain, *held.choice.chain))
            frame.held.append(Held(choice, held.arguments))


def _fill(
    run: Run,
    space: str,
    target: Value,
    identity: Hashable,
    arguments: Arguments,
    given: tuple[Argument, ...],
    statics: Hashable,
    place: Place,
) -> Value:
    frame = Frame(len(run.steps) + 1)
    run.frames.append(frame)
    try:
        # A trace that raises is not kept: `Raised` passes through.
        result = concrete(calls.call(run, target, arguments, place))
    finally:
        run.frames.pop()
    entry = Entry(
        run.new_entry_id(),
        space,
        identity,
        # Compared by value, a bound method lives as long as its receiver.
        target.receiver if isinstance(identity, tuple) and isinstance(target, Bound) else target,
        target,
        given,
        statics,
        run.path,
        tuple(frame.held),
        tuple(frame.inner),
        result,
    )
    run.keep(entry)
    for outer in run.frames:
        outer.inner.append(entry.id)
    _tell(run, entry, place)
    return result


def _tell(run: Run, entry: Entry, place: Place) -> None:
    function = function_under(entry.target)
    run.emit(
        Traced(
            entry.id,
            run.stack_at(place),
            entry.when,
            name_of(entry.target) or "a callable",
            None if function is None else functions.definition_place(function),
            dispatched_under(entry.target),
            outermost=not run.frames,
            choices=tuple(held.choice for held in entry.held),
            inner=entry.inner,
            frozen=entry.frozen,
        )
    )


def operate(
    run: Run, receiver: Jitted | Lowered, name: str, arguments: Arguments, place: Place
) -> Value:
    """`clear_cache`, and the ways to trace without running."""
    if isinstance(receiver, Lowered):
        if name == "compile" and receiver.entry in run.entries:
            kept = run.entries[receiver.entry]
            frozen = replace(kept, id=run.new_entry_id(), frozen=True, when=run.path)
            run.entries[frozen.id] = frozen
            _tell(run, frozen, place)
            return Compiled(frozen.id)
        return Lowered(receiver.entry) if name == "lower" else UNKNOWN
    if name == "clear_cache":
        key = (space_of(receiver.row), receiver.target)
        run.clear([e.id for e in run.entries.values() if (e.space, e.identity) == key], place)
    elif name in ("lower", "trace", "eval_shape"):
        call_jitted(run, receiver, arguments, place)
        inside, statics = border(run, receiver, arguments)
        given = tuple(argument_of(value) for value in inside.values())
        for entry in run.entries.values():
            same = (entry.identity, entry.statics) == (receiver.target, statics)
            if same and run.alive(entry) and compatible(entry.arguments, given):
                return Lowered(entry.id) if name != "eval_shape" else UNKNOWN
        return Lowered(None)
    return UNKNOWN


def use_compiled(run: Run, compiled: Compiled, place: Place) -> Value:
    """A call of what `.lower().compile()` gave."""
    entry = run.entries.get(compiled.entry)
    if entry is None:
        return UNKNOWN
    _use(run, entry, place)
    return entry.result


# -- transforms ------------------------------------------------------------------------------


def wrap(run: Run, row: Row, target: Value, arguments: Arguments) -> Value:
    """What a jit or a transform makes of its target."""
    if row.kind == "jit":
        return Jitted(target, row, statics_of(row, arguments))
    return Wrapper(target, row)


def statics_of(row: Row, arguments: Arguments) -> Statics:
    """The static arguments that a jit is given."""
    names, known_names = _strings(arguments.keywords.get("static_argnames"))
    numbers, known_numbers = _integers(arguments.keywords.get("static_argnums"))
    if row.path == "jax.pmap":
        numbers, known_numbers = _integers(arguments.keywords.get("static_broadcasted_argnums"))
    known = known_names and known_numbers and not arguments.open_keywords
    return Statics(names, numbers, known, non_arrays=not row.scalars_traced)


def _strings(value: Value | None) -> tuple[tuple[str, ...], bool]:
    found, known = _constants(value)
    return tuple(one for one in found if isinstance(one, str)), known


def _integers(value: Value | None) -> tuple[tuple[int, ...], bool]:
    found, known = _constants(value)
    return tuple(one for one in found if isinstance(one, int)), known


def _constants(value: Value | None) -> tuple[list[object], bool]:
    if value is None or value == NONE:
        return [], True
    members = value.items if isinstance(value, Items) and value.complete else [value]
    found = [evaluate.literal(one) for one in members]
    return found, None not in found


def call_wrapper(run: Run, wrapper: Wrapper, arguments: Arguments, place: Place) -> Value:
    """A call of what a transform, or an unknown decorator, made."""
    row = wrapper.row
    if row is None:
        calls.call(run, wrapper.target, arguments, place)
        return UNKNOWN
    scalars = row.scalars_traced
    inside = Arguments(
        [traced(value, scalars) for value in arguments.positional],
        {name: traced(value, scalars) for name, value in arguments.keywords.items()},
        arguments.open,
        arguments.open_keywords,
    )
    if row.kind == "maker":
        enter(run, space_of(row), wrapper.target, inside, (), place)
        return UNKNOWN
    if row.kind == "caching-wrapper" and not run.jit_disabled:
        return enter(run, row.path, wrapper.target, inside, (), place)
    result = concrete(calls.call(run, wrapper.target, inside, place))
    return result if row.path in RESULT_OF_TARGET else _arrays_of(result)


RESULT_OF_TARGET = {"jax.vmap", "jax.named_call", "jax.custom_jvp", "jax.custom_vjp"}


def _arrays_of(result: Value) -> Value:
    return result if isinstance(result, Items) else array()


def call_transform(run: Run, row: Row, arguments: Arguments, place: Place) -> Value:
    """A transform that calls its functions at once."""
    targets: list[Value] = []
    for number, position in enumerate(row.functions):
        keyword = (
            row.keywords[number:] if len(row.functions) == 1 else row.keywords[number : number + 1]
        )
        target = arguments.get(position, *keyword)
        if isinstance(target, Items):
            targets.extend(target.items)
        elif target is not None:
            targets.append(target)
    result: Value = UNKNOWN
    for number, target in enumerate(targets):
        inside = SHAPES[row.shape](arguments, number)
        conditions = [(run.new_point(), 0)] if row.shape == "map" and len(targets) > 1 else []
        if not isinstance(target, CALLABLE):
            continue
        if row.kind == "caching-call" and not run.jit_disabled:
            space = "jit" if row.path == "jax.eval_shape" else row.path
            result = enter(run, space, target, inside, (), place)
        else:
            with run.under(*conditions):
                result = concrete(calls.call(run, target, inside, place))
    return result


CALLABLE = (Func, Bound, PlumFunction, Jitted, Wrapper, Partial, Instance, Symbol)


def _traced_all(values: list[Value]) -> list[Value]:
    return [_leaf(value, True) for value in values]


def _rest(arguments: Arguments, number: int) -> Arguments:
    return Arguments(_traced_all(arguments.positional[1:]), open=arguments.open)


def _scan(arguments: Arguments, number: int) -> Arguments:
    init = arguments.get(1, "init") or UNKNOWN
    xs = arguments.get(2, "xs")
    return Arguments([*_traced_all([init]), NONE if xs in (None, NONE) else _slice_of(xs)])


def _slice_of(value: Value | None) -> Value:
    match value:
        case Items():
            return Items(value.kind, [_slice_of(v) for v in value.items], value.complete)
        case Instance():
            return _leaf(value, True)
        case Data(ArrayArg(_, _, dtype)):
            return Data(ArrayArg(True, None, dtype))
    return UNKNOWN


def _while(arguments: Arguments, number: int) -> Arguments:
    return Arguments(_traced_all([arguments.get(2, "init_val") or UNKNOWN]))


def _fori(arguments: Arguments, number: int) -> Arguments:
    return Arguments([array(True), *_traced_all([arguments.get(3, "init_val") or UNKNOWN])])


def _operands(arguments: Arguments, start: int) -> Arguments:
    operands = arguments.positional[start:]
    if not operands and "operand" in arguments.keywords:
        operands = [arguments.keywords["operand"]]
    return Arguments(_traced_all(operands), open=arguments.open)


def _map(arguments: Arguments, number: int) -> Arguments:
    return Arguments([array(True)])


def _pair(arguments: Arguments, number: int) -> Arguments:
    element = _slice_of(arguments.get(1, "elems"))
    return Arguments([element, element])


def _nested(arguments: Arguments, number: int) -> Arguments:
    primals = arguments.get(1, "primals")
    known = primals if isinstance(primals, Items) and primals.complete else None
    if known is None:
        return Arguments([], open=True)
    return Arguments(_traced_all(list(known.items)))


SHAPES: dict[str, Callable[[Arguments, int], Arguments]] = {
    "rest": _rest,
    "scan": _scan,
    "while": _while,
    "fori": _fori,
    "cond": lambda arguments, number: _operands(arguments, 3),
    "switch": lambda arguments, number: _operands(arguments, 2),
    "map": _map,
    "pair": _pair,
    "nested": _nested,
}


def may_call(run: Run, arguments: Arguments, place: Place) -> None:
    """A callee that nothing is known of may call the functions that it is given. Followed inside
    a trace only: what it would choose there is kept."""
    if not run.frames:
        return
    for value in arguments.values():
        if isinstance(value, Func | PlumFunction | Jitted | Bound | Partial | Wrapper):
            with run.under((run.new_point(), 0)):
                try:
                    calls.call(run, value, Arguments([], open=True, open_keywords=True), place)
                except Raised:
                    continue
