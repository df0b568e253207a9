"""Traces: what a jitted call fills or takes from the cache, and what it chooses on the way."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import TypeAlias

from plum_jit_lint.events import Step, Traced, Used
from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import numpy
from plum_jit_lint.limits import MOST_UNSURE_TRACES, PARTS_OF_A_STEP
from plum_jit_lint.static.interpreter import (
    annotation_values,
    arrays,
    batching,
    definitions,
    exceptions,
    imported_modules,
    pytrees,
    retraces,
    settings,
    trace_table,
    trees,
)
from plum_jit_lint.static.interpreter.inspection import dispatched_under, function_under, name_of
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.records import CachedTrace, HeldChoice, TraceFrame
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.trace_keys import Key, aval_of, same_key, static_aval_of
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Bound,
    Compiled,
    FunctionValue,
    Jitted,
    Lowered,
    Typed,
    Value,
    array,
    join,
)
from plum_jit_lint.static.types.hints import (
    ArrayArg,
    InstanceArg,
    ScalarArg,
)

NUMBERS = ("int", "float", "complex", "bool")


# -- what becomes of values at the border of a trace -----------------------------------------


def to_tracer(value: Value, scalars: bool = True) -> Value:
    """A value as it arrives inside a trace. `Raised` where jit does not take it."""
    if trees.parts_of(value) is None:
        return _leaf_to_tracer(value, scalars)
    return member_to_tracer(value, scalars)


def member_to_tracer(value: Value, scalars: bool) -> Value:
    """`to_tracer` for one member of a container; what cannot be traced stays as it is."""

    def change(leaf: Value) -> Value:
        # A pytree may hold static fields: only its arrays and numbers surely become tracers.
        try:
            return _leaf_to_tracer(leaf, scalars)
        except Raised:
            return leaf

    return trees.of_each(value, change)


def _leaf_to_tracer(value: Value, scalars: bool) -> Value:
    match value:
        case Typed(ArrayArg(_, shape, dtype)):
            return Typed(ArrayArg(True, shape, dtype))
        case Typed(ScalarArg(cls, _)):
            name = cls.name.removeprefix("builtins.")
            if name in NUMBERS:
                return Typed(ArrayArg(True, (), arrays.DEFAULTS[name])) if scalars else value
            if cls.name.startswith(numpy.PREFIX):
                return array(True)
            if name in ("str", "bytes") and scalars:
                raise Raised(exceptions.error("TypeError"))
            return value
        case Typed(InstanceArg(cls, _)) if cls.name.startswith(numpy.PREFIX):
            return array(True)
    return value


def from_tracer(value: Value) -> Value:
    """What a traced call returns outside of the trace."""
    return trees.of_each(value, _leaf_from_tracer)


def _leaf_from_tracer(value: Value) -> Value:
    match value:
        case Typed(ArrayArg(True, shape, dtype)):
            return Typed(ArrayArg(False, shape, dtype))
        case Typed(ScalarArg(cls, _)) if cls.name.removeprefix("builtins.") in NUMBERS:
            return Typed(ArrayArg(False, (), arrays.DEFAULTS[cls.name.removeprefix("builtins.")]))
    return value


# -- jitted calls ----------------------------------------------------------------------------


def call_jitted(run: Run, jitted: Jitted, arguments: Arguments, place: Place) -> Value:
    """A call of a jitted function."""
    return by_switch(
        run,
        lambda: run.call(jitted.target, arguments, place),
        lambda: _call_compiled(run, jitted, arguments, place),
    )


def by_switch(run: Run, plain: Callable[[], Value], kept: Callable[[], Value]) -> Value:
    """What happens while jit is switched off (`plain`) or on, or either."""
    off = settings.jit_off(run)
    if off is not None:
        return plain() if off else kept()
    results: list[Value] = []
    for conditions, one in zip(run.branch_ids.one_of(2), (plain, kept), strict=True):
        with run.under(*conditions):
            results.append(one())
    return join(results)


def _call_compiled(run: Run, jitted: Jitted, arguments: Arguments, place: Place) -> Value:
    inside, statics = bind_avals(run, jitted, arguments)
    result = enter(
        run, jitted.row.space, jitted.target, inside, statics, place, jitted.row.by_value
    )
    if jitted.row.axes == "without the first":
        return batching.outside(result, jitted.plain, arguments)
    return result


Statics: TypeAlias = Mapping[Hashable, Value]
"""The static arguments, by position or keyword."""

NO_STATICS: Statics = {}


def bind_avals(run: Run, jitted: Jitted, arguments: Arguments) -> tuple[Arguments, Statics]:
    """The arguments as they arrive inside, and those that are static."""
    function = function_under(jitted.target)
    names = [p.name for p in definitions.positional_parameters(function)] if function else []
    if isinstance(jitted.target, Bound):
        names = names[1:]
    count = max(len(names), len(arguments.positional))
    numbers = {n + count if n < 0 else n for n in jitted.statics.numbers}
    by_name = set(jitted.statics.names) | {names[n] for n in numbers if n < len(names)}
    fixed: dict[Hashable, Value] = {}

    def convert(name: str | None, position: int | None, value: Value) -> Value:
        if position in numbers or name in by_name:
            fixed[position if name is None or position is not None else name] = value
            return value
        if value == TOP and function is not None and name is not None:
            value = _by_annotation(run, function, name)
        if jitted.row.scalars_traced and pytrees.is_refused(run, value):
            raise Raised(exceptions.error("TypeError"))
        return to_tracer(value, jitted.row.scalars_traced)

    positional = [
        convert(names[i] if i < len(names) else None, i, value)
        for i, value in enumerate(arguments.positional)
    ]
    positional = batching.inside(jitted.row.axes, jitted.plain, positional)
    keywords = {k: convert(k, None, v) for k, v in arguments.keywords.items()}
    inside = Arguments(positional, keywords, arguments.open, arguments.open_keywords)
    return inside, fixed


def key_of(arguments: Arguments, statics: Statics) -> Key:
    """What of the arguments decides which trace is found, with those that are static."""
    given = [*enumerate(arguments.positional), *sorted(arguments.keywords.items())]
    return tuple(
        (name, static_aval_of(statics[name]) if name in statics else aval_of(value))
        for name, value in given
    )


def _by_annotation(run: Run, function: FunctionValue, name: str) -> Value:
    for parameter in function.definition.parameters:
        if parameter.name == name:
            return annotation_values.typed(run, function.scope, parameter.annotation)
    return TOP


def enter(
    run: Run,
    space: str,
    target: Value,
    arguments: Arguments,
    statics: Statics,
    place: Place,
    by_value: bool = False,
) -> Value:
    """Takes a trace from the cache, or makes it and keeps it. The caches are keyed by the
    identity of the function (`docs/facts.md#the-key-is-the-python-function`).

    Where it is not known whether a kept trace is found, both happen, each in a branch.
    """
    # What an import has traced is found in the cache.
    imported_modules.flush(run)
    identity: Hashable = target
    if by_value and isinstance(target, Bound):
        identity = (target.function, target.receiver)
    run.takes(trees.size_of(arguments.values()) // PARTS_OF_A_STEP)
    key, context = key_of(arguments, statics), settings.trace_context(run)
    kept = [
        (entry, same_key(entry.key, key))
        for entry in trace_table.found_by(run, space, identity)
        if entry.context == context and not entry.frozen and trace_table.alive(run, entry)
    ]
    for entry, same in kept:
        if same and trace_table.surely_alive(run, entry):
            _use(run, entry, place)
            return entry.result
    results: list[Value] = []
    path = run.state.path
    found = False
    try:
        for entry, same in kept:
            if same is False:
                continue
            if same:
                _use(run, entry, place)
                # Made where another was not found: one of the two is, each time.
                found = found or trace_table.is_by_key(run, entry)
            else:
                branch_id = run.branch_ids.of_key()
                with run.under((branch_id, 0)):
                    _use(run, entry, place)
                run.state.path |= {(branch_id, 1)}
            results.append(entry.result)
        if not found and len(results) < MOST_UNSURE_TRACES:
            results.append(_fill(run, space, target, identity, arguments, key, place))
    finally:
        run.state.path = path
    return join(results)


def _use(run: Run, entry: CachedTrace, place: Place) -> None:
    run.tell(Used(entry.id, run.stack_at(place), run.state.path, outermost=not run.now.open_traces))
    for frame in run.now.open_traces:
        frame.inner.append(entry.id)
        chain = chain_to(run, frame, place)
        for held in entry.held:
            choice = replace(held.choice, chain=(*chain, *held.choice.chain))
            frame.add(HeldChoice(choice, held.arguments, held.when | run.state.path, held.made))


def _fill(
    run: Run,
    space: str,
    target: Value,
    identity: Hashable,
    arguments: Arguments,
    key: Key,
    place: Place,
) -> Value:
    frame = TraceFrame(len(run.now.steps) + 1)
    # Each trace around it hears of it.
    run.takes(len(run.now.open_traces))
    run.now.open_traces.append(frame)
    try:
        # A trace that raises is not kept: `Raised` passes through.
        result = from_tracer(run.call(target, arguments, place))
    finally:
        run.now.open_traces.pop()
    entry = CachedTrace(
        run.program.next_number(),
        space,
        identity,
        # Compared by value, a bound method lives as long as its receiver.
        target.receiver if isinstance(identity, tuple) and isinstance(target, Bound) else target,
        target,
        key,
        settings.trace_context(run),
        run.state.path,
        tuple(frame.held),
        tuple(frame.inner),
        result,
        arguments=arguments,
    )
    _keep(run, entry, place)
    for outer in run.now.open_traces:
        outer.inner.append(entry.id)
    retraces.follow_inner(run, entry, place)
    return result


def _keep(run: Run, entry: CachedTrace, place: Place) -> None:
    # What was imported before is not registered too late for it.
    imported_modules.flush(run)
    trace_table.keep(run, entry, _traced(run, entry, place))


def _traced(run: Run, entry: CachedTrace, place: Place) -> Traced:
    function = function_under(entry.target)
    return Traced(
        entry.id,
        run.stack_at(place),
        entry.when,
        name_of(entry.target) or "a callable",
        None if function is None else definitions.definition_place(function),
        dispatched_under(entry.target),
        outermost=not run.now.open_traces,
        choices=tuple(held.choice for held in entry.held),
        inner=entry.inner,
        frozen=entry.frozen,
        in_context=bool(run.state.contexts) and not entry.frozen,
        traces_of=_called_by(entry),
    )


def _called_by(entry: CachedTrace) -> Hashable:
    """The function of which a trace is: who traces a jitted one once more calls that."""
    space, function = entry.space, entry.identity
    while isinstance(function, Jitted):
        space, function = function.row.space, function.target
    return space, function


def call_method(
    run: Run, receiver: Jitted | Lowered, name: str, arguments: Arguments, place: Place
) -> Value:
    """`clear_cache`, and the ways to trace without running."""
    if isinstance(receiver, Lowered):
        if name == "compile" and receiver.entry in run.state.entries:
            kept = run.state.entries[receiver.entry]
            frozen = replace(kept, id=run.program.next_number(), frozen=True, when=run.state.path)
            _keep(run, frozen, place)
            return Compiled(frozen.id)
        return Lowered(receiver.entry) if name == "lower" else TOP
    if name == "clear_cache":
        kept_traces = trace_table.found_by(run, receiver.row.space, receiver.target)
        trace_table.clear(run, [entry.id for entry in kept_traces], place)
    elif name in ("lower", "trace", "eval_shape"):
        call_jitted(run, receiver, arguments, place)
        key, context = key_of(*bind_avals(run, receiver, arguments)), settings.trace_context(run)
        for entry in run.state.entries.values():
            same = (entry.identity, entry.context) == (receiver.target, context)
            if same and trace_table.alive(run, entry) and same_key(entry.key, key) is not False:
                return Lowered(entry.id) if name != "eval_shape" else TOP
        return Lowered(None)
    return TOP


def use_compiled(run: Run, compiled: Compiled, place: Place) -> Value:
    """A call of what `.lower().compile()` gave."""
    entry = run.state.entries.get(compiled.entry)
    if entry is None:
        return TOP
    _use(run, entry, place)
    return entry.result


def chain_to(run: Run, frame: TraceFrame, place: Place) -> tuple[Step, ...]:
    """The calls from where a trace began to `place`."""
    if len(run.now.steps) < frame.base:
        return ()
    return (*run.now.steps[frame.base :], Step(place, run.now.frame.name))
