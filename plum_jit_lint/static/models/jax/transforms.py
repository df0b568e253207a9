"""What jit and the other transforms make of the functions that they are given."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from plum_jit_lint.events import Statics
from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge.rows import Row
from plum_jit_lint.static.interpreter import arrays, batching, literals, tracing, trees
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Bound,
    FunctionValue,
    Instance,
    Jitted,
    Partial,
    PlumFunction,
    SequenceValue,
    Symbol,
    Typed,
    Value,
    Wrapper,
    array,
)
from plum_jit_lint.static.types.hints import ArrayArg


def wrap(run: Run, row: Row, target: Value, arguments: Arguments) -> Value:
    """What a jit or a transform makes of its target."""
    if row.kind == "jit":
        plain = not arguments.open_keywords and {"in_axes", "out_axes"}.isdisjoint(
            arguments.keywords
        )
        return Jitted(target, row, statics_of(row, arguments), plain)
    return Wrapper(target, row, plain=not arguments.after(1, without=row.keywords).values())


def statics_of(row: Row, arguments: Arguments) -> Statics:
    """The static arguments that a jit is given."""
    names, known_names = _strings(arguments.keywords.get("static_argnames"))
    numbers, known_numbers = _integers(arguments.keywords.get(row.static_positions))
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
    members = value.items if isinstance(value, SequenceValue) and value.complete else [value]
    found = [literals.literal(one) for one in members]
    return found, None not in found


def call_wrapper(run: Run, wrapper: Wrapper, arguments: Arguments, place: Place) -> Value:
    """A call of what a transform, or an unknown decorator, made."""
    row = wrapper.row
    if row is None:
        run.call(wrapper.target, arguments, place)
        return TOP
    scalars = row.scalars_traced
    inside = Arguments(
        [
            tracing.to_tracer(value, scalars or (row.first_traced and position == 0))
            for position, value in enumerate(arguments.positional)
        ],
        {name: tracing.to_tracer(value, scalars) for name, value in arguments.keywords.items()},
        arguments.open,
        arguments.open_keywords,
    )
    positional = batching.inside(row.axes, wrapper.plain, inside.positional)
    inside = replace(inside, positional=positional)
    if row.kind == "maker":
        tracing.enter(run, row.space, wrapper.target, inside, tracing.NO_STATICS, place)
        return TOP
    if row.kind == "caching-wrapper":
        return tracing.enter(run, row.space, wrapper.target, inside, tracing.NO_STATICS, place)
    with run.now.differentiate(row.differentiates):
        result = tracing.from_tracer(run.call(wrapper.target, inside, place))
    if row.axes == "without the first":
        return batching.outside(result, wrapper.plain, arguments)
    return result if row.returns_as_given else _arrays_of(result)


def _arrays_of(result: Value) -> Value:
    return result if isinstance(result, SequenceValue) else array()


def call_transform(run: Run, row: Row, arguments: Arguments, place: Place) -> Value:
    """A transform that calls its functions at once."""
    targets: list[Value] = []
    for number, position in enumerate(row.functions):
        keyword = (
            row.keywords[number:] if len(row.functions) == 1 else row.keywords[number : number + 1]
        )
        target = arguments.get(position, *keyword)
        if isinstance(target, SequenceValue):
            targets.extend(target.items)
        elif target is not None:
            targets.append(target)
    result: Value = TOP
    for number, target in enumerate(targets):
        inside = SHAPES[row.shape](arguments, number)
        conditions = [(run.branch_ids.new(), 0)] if row.shape == "map" and len(targets) > 1 else []
        if not isinstance(target, CALLABLE):
            continue

        def afresh(target: Value = target, inside: Arguments = inside) -> Value:
            return tracing.from_tracer(run.call(target, inside, place))

        def kept(target: Value = target, inside: Arguments = inside) -> Value:
            given, none = inside, tracing.NO_STATICS
            return tracing.enter(run, row.space, target, given, none, place, row.by_value)

        if row.kind != "caching-call":
            with run.under(*conditions), run.now.differentiate(row.differentiates):
                result = afresh()
        else:
            result = kept() if row.keeps_without_jit else tracing.by_switch(run, afresh, kept)
    if row.shape == "each":
        return arrays.with_axis(result, arrays.length(arguments.get(1, "xs") or TOP))
    if row.shape == "scan" and isinstance(result, SequenceValue) and len(result.items) == 2:
        size = arrays.length(arguments.get(2, "xs") or TOP)
        return SequenceValue("tuple", [result.items[0], arrays.with_axis(result.items[1], size)])
    return result


CALLABLE = (FunctionValue, Bound, PlumFunction, Jitted, Wrapper, Partial, Instance, Symbol)


def _traced_all(values: list[Value]) -> list[Value]:
    return [tracing.member_to_tracer(value, True) for value in values]


def _rest(arguments: Arguments, number: int) -> Arguments:
    return Arguments(_traced_all(arguments.positional[1:]), open=arguments.open)


def _scan(arguments: Arguments, number: int) -> Arguments:
    init = arguments.get(1, "init") or TOP
    xs = arguments.get(2, "xs")
    return Arguments([*_traced_all([init]), NONE if xs in (None, NONE) else _slice_of(xs)])


def _slice_of(value: Value | None) -> Value:
    """One element of what is run over."""
    if value is None:
        return TOP
    return tracing.member_to_tracer(trees.of_each(value, arrays.without_axis), True)


def _while(arguments: Arguments, number: int) -> Arguments:
    return Arguments(_traced_all([arguments.get(2, "init_val") or TOP]))


def _fori(arguments: Arguments, number: int) -> Arguments:
    return Arguments([array(True), *_traced_all([arguments.get(3, "init_val") or TOP])])


def _operands(arguments: Arguments, start: int) -> Arguments:
    operands = arguments.positional[start:]
    if not operands and "operand" in arguments.keywords:
        operands = [arguments.keywords["operand"]]
    return Arguments(_traced_all(operands), open=arguments.open)


def _map(arguments: Arguments, number: int) -> Arguments:
    return Arguments([array(True)])


def _each(arguments: Arguments, number: int) -> Arguments:
    return Arguments([_slice_of(arguments.get(1, "xs"))])


def _pair(arguments: Arguments, number: int) -> Arguments:
    # It is called with many elements at a time.
    element = tracing.member_to_tracer(batching.any_shape(arguments.get(1, "elems") or TOP), True)
    return Arguments([element, element])


def _scalars(arguments: Arguments, number: int) -> Arguments:
    match arguments.get(0, "operand"):
        case Typed(ArrayArg(_, _, dtype)):
            scalar = Typed(ArrayArg(True, (), dtype))
        case _:
            scalar = Typed(ArrayArg(True, ()))
    return Arguments([scalar, scalar])


def _field(arguments: Arguments, number: int) -> Arguments:
    """`odeint(f, y, times)` calls `f` with one time."""
    start, times = arguments.get(1, "y0") or TOP, arguments.get(2, "t")
    others = arguments.after(3).positional
    return Arguments([*_traced_all([start]), _slice_of(times), *_traced_all(others)])


def _nested(arguments: Arguments, number: int) -> Arguments:
    primals = arguments.get(1, "primals")
    known = primals if isinstance(primals, SequenceValue) and primals.complete else None
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
    "each": _each,
    "pair": _pair,
    "scalars": _scalars,
    "nested": _nested,
    "field": _field,
}


def may_call(run: Run, arguments: Arguments, place: Place) -> None:
    """A callee that nothing is known of may call the functions that it is given. Followed inside
    a trace only: what it would choose there is kept."""
    for value in arguments.values():
        _may_be_called(run, value, ANYTHING, place)


ANYTHING = Arguments([], open=True, open_keywords=True)


def may_call_rules(run: Run, wrapper: Wrapper, arguments: Arguments, place: Place) -> None:
    """A derivative calls the rules of `wrapper`, where it runs through one of the arguments."""
    for name, rule in wrapper.rules:
        given = ANYTHING
        if wrapper.plain and not (arguments.keywords or arguments.open):
            primals = _traced_all(arguments.positional)
            if name == "defjvp":
                given = Arguments(
                    [SequenceValue("tuple", primals), SequenceValue("tuple", primals)]
                )
            elif name == "defjvps":
                given = Arguments([TOP, TOP, *primals])
            elif name == "defvjp" and rule is wrapper.rules[0][1]:
                given = Arguments(primals)
        _may_be_called(run, rule, given, place)


def _may_be_called(run: Run, value: Value, arguments: Arguments, place: Place) -> None:
    if run.now.open_traces and isinstance(
        value, FunctionValue | PlumFunction | Jitted | Bound | Partial | Wrapper
    ):
        with run.under((run.branch_ids.new(), 0)), suppress(Raised):
            run.call(value, arguments, place)
