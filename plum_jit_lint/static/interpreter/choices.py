"""Calls of dispatched functions: what plum may choose, and which traces keep it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from plum_jit_lint.dispatch.resolution import Nothing
from plum_jit_lint.events import Choice, Method, NoMethod
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import MOST_CANDIDATES, PARTS_OF_A_STEP
from plum_jit_lint.static.interpreter import (
    annotation_values,
    class_lookup,
    exceptions,
    imported_modules,
    method_tables,
    tracing,
    trees,
)
from plum_jit_lint.static.interpreter.annotation_values import hint_of, typed_value
from plum_jit_lint.static.interpreter.inspection import argument_of, function_under
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.records import HeldChoice, Record
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    CONVERT,
    PLUM,
    TOP,
    Arguments,
    Instance,
    PlumFunction,
    SequenceValue,
    SignatureValue,
    Value,
    join,
)
from plum_jit_lint.static.types.hints import (
    ANY,
    BUILTIN,
    CONCRETE,
    TRACER,
    Argument,
    ArrayArg,
    Hint,
    InstanceArg,
    UnknownArg,
    describe,
)
from plum_jit_lint.syntax import nodes


def call_dispatched(run: Run, function: PlumFunction, arguments: Arguments, place: Place) -> Value:
    """plum chooses a method; a trace that is being made keeps the choice."""
    records = imported_modules.methods(run, function.id)
    run.takes(trees.size_of(arguments.values()) // PARTS_OF_A_STEP)
    given = tuple(argument_of(value) for value in arguments.positional)
    unseen = function.open or arguments.open or (not records and function.id not in run.state.own)
    if arguments.open:
        chosen, found = records, frozenset[Hashable]()
    elif UnknownArg() in given and len(records) > MOST_CANDIDATES:
        # Which of many is open, and enumerating how they relate would not tell more.
        with method_tables.counted(run, len(records)):
            chosen = _that_may_match(run, records, given)
        found = frozenset[Hashable]()
    else:
        found = method_tables.outcomes_for(run, records, given)
        chosen = [r for r in records if r.key in found]
    by_method = {r.key: r for r in chosen}
    of_base = function.id.owner is not None and not by_method and Nothing.NONE in found
    if not arguments.open:
        held = None if unseen or of_base else _only(found, chosen)
        _remember(run, function, given, held, place, arguments.positional)
    if of_base:
        # plum falls back to the method of a base class.
        return _call_of_base(run, function, arguments, place)
    if not by_method and not unseen and found and all(isinstance(o, Nothing) for o in found):
        none = Nothing.NONE in found
        raise Raised(exceptions.error_of_plum("NotFound" if none else "Ambiguous"))
    results = list(_call_methods(run, list(by_method.values()), arguments, place))
    return TOP if unseen else join(results)


def _only(found: frozenset[Hashable], chosen: Sequence[Record]) -> Method | NoMethod | None:
    """What plum surely chooses: a method, or that there is none; `None` where it may be either."""
    if len(found) != 1:
        return None
    if chosen:
        return chosen[-1].method
    outcome = next(iter(found))
    return outcome.value if isinstance(outcome, Nothing) else None


def choose(
    run: Run, function: PlumFunction, given: tuple[Argument, ...], place: Place
) -> list[Record]:
    """The methods that plum may choose for arguments; a trace keeps the choice."""
    records = imported_modules.methods(run, function.id)
    found = method_tables.outcomes_for(run, records, given)
    chosen = list({r.key: r for r in records if r.key in found}.values())
    # What plum itself brings is known.
    closed = not function.open or function.id.dispatcher == PLUM
    _remember(run, function, given, _only(found, chosen) if closed else None, place)
    if found == {Nothing.AMBIGUOUS} and closed:
        raise Raised(exceptions.error_of_plum("Ambiguous"))
    return chosen


def convert(run: Run, value: Value, to: Value, hint: Hint, place: Place) -> Value:
    """plum converts a value by a conversion method, even where it is of the type already: what is
    below one of the types that a conversion is for takes it as well."""
    if not run.now.open_traces or hint == ANY:
        return value
    admitted = run.state.oracle.admits(hint, argument_of(value))
    target = argument_of(typed_value(to, hint))
    if admitted is None or (admitted and isinstance(target, UnknownArg)):
        return value
    if isinstance(target, InstanceArg):
        target = InstanceArg(target.cls, True)
    chosen = choose(run, PlumFunction(CONVERT, open=True), (type_given(value), target), place)
    if not chosen and not admitted and _is_no_container(run, target):
        raise Raised
    if len(chosen) != 1:
        return value if admitted else typed_value(to, hint)
    converted = run.call(chosen[0].body, Arguments([value]), place)
    return converted if converted != TOP else typed_value(to, hint)


def _is_no_container(run: Run, target: Argument) -> bool:
    """Whether plum itself converts nothing to a type: it does to tuples, lists and texts."""
    if not isinstance(target, InstanceArg):
        return isinstance(target, ArrayArg)
    converted = [BUILTIN[f"builtins.{name}"] for name in ("tuple", "list", "str")]
    return all(run.state.oracle.below(target.cls, one) is False for one in converted)


def type_given(value: Value) -> Argument:
    """The type of a value as an argument: that of a tracer is no `jax.Array`, though the tracer
    is an instance of one."""
    given = argument_of(value)
    if isinstance(given, ArrayArg):
        return InstanceArg(TRACER if given.traced else CONCRETE, True)
    return given


def invoked(run: Run, function: PlumFunction, types: Arguments, place: Place) -> Value:
    """`f.invoke(*types)`: the choice is made here, and the handle stays with it
    (`docs/facts.md#handles-stay-with-their-method`)."""
    if types.open:
        return TOP
    return _asked(run, function, _of_types(types.positional), place)


def resolved(run: Run, function: PlumFunction, target: Value | None, place: Place) -> Value:
    """`f.resolve_method((a, b))`: the method that a call would choose, and its return type."""
    match target:
        case SignatureValue(types, None):
            given = _of_types(types)
        case SequenceValue("tuple", items, complete=True):
            given = tuple(argument_of(value) for value in items)
        case _:
            return TOP
    return SequenceValue("tuple", [_asked(run, function, given, place), TOP])


def _of_types(types: Sequence[Value]) -> tuple[Argument, ...]:
    """An argument of each of some types."""
    return tuple(
        InstanceArg(one.cls, True) if isinstance(one, InstanceArg) else one
        for one in (argument_of(typed_value(t, hint_of(t, "?"))) for t in types)
    )


def _asked(run: Run, function: PlumFunction, given: tuple[Argument, ...], place: Place) -> Value:
    """The method that plum gives where it is asked for it."""
    chosen = choose(run, function, given, place)
    known = bool(imported_modules.methods(run, function.id)) or function.id in run.state.own
    if not chosen and known and not function.open and function.id.owner is None:
        raise Raised
    return chosen[0].body if len(chosen) == 1 else TOP


def _call_of_base(run: Run, function: PlumFunction, arguments: Arguments, place: Place) -> Value:
    receiver = arguments.get(0)
    for cls in class_lookup.mro(receiver.cls)[1:] if isinstance(receiver, Instance) else ():
        found = cls.scope.names.get(function.id.name)
        if found is not None and found != function:
            return run.call(found, arguments, place)
    return TOP


def _call_methods(
    run: Run, records: list[Record], arguments: Arguments, place: Place
) -> Iterator[Value]:
    if not records or (len(records) > MOST_CANDIDATES and not run.now.open_traces):
        return
    for conditions, record in zip(run.branch_ids.one_of(len(records)), records, strict=True):
        with run.under(*conditions):
            try:
                result = run.call(record.body, arguments, place)
            except Raised:
                if len(records) == 1:
                    raise
                continue
            function = function_under(record.body)
            if function is not None and isinstance(function.definition, nodes.FunctionDef):
                returns = function.definition.returns
                if returns is not None:
                    to, hint = annotation_values.hint(run, function.scope, returns)
                    result = (
                        typed_value(to, hint)
                        if result == TOP
                        else convert(run, result, to, hint, place)
                    )
            yield result


def _that_may_match(run: Run, records: list[Record], given: tuple[Argument, ...]) -> list[Record]:
    return [
        record
        for record in records
        if any(
            signature.takes(len(given))
            and False not in map(run.state.oracle.admits, signature.expand(len(given)), given)
            for signature in record.registration.signatures
        )
    ]


def _remember(
    run: Run,
    function: PlumFunction,
    given: tuple[Argument, ...],
    held: Method | NoMethod | None,
    place: Place,
    values: Sequence[Value] = (),
) -> None:
    shown = f"({', '.join(map(describe, given))})"
    for frame in run.now.open_traces:
        chain = tracing.chain_to(run, frame, place)
        made = tuple(isinstance(v, Instance) and v.serial > frame.serial for v in values)
        frame.add(HeldChoice(Choice(function.id, shown, held, chain), given, run.state.path, made))
