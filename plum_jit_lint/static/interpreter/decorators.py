"""Definitions with decorators: applying them, and noticing those that mix jit and dispatch."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from plum_jit_lint.events import (
    DecoratorStack,
    FunctionId,
    Registered,
)
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    annotation_values,
    definitions,
    functions,
    imported_modules,
    registration,
    tracing,
)
from plum_jit_lint.static.interpreter.fork import Fork
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    DispatcherValue,
    FunctionValue,
    Jitted,
    PlumFunction,
    Registrar,
    Scope,
    Typed,
    Union,
    Value,
    Wrapper,
)
from plum_jit_lint.static.types.hints import ArrayArg
from plum_jit_lint.static.types.oracle import convertible_from_tracer
from plum_jit_lint.syntax import nodes


def decorate(
    run: Run, scope: Scope, definition: nodes.FunctionDef, function: FunctionValue
) -> Value:
    """Applies the decorators of a definition, and notes a stack that mixes jit and dispatch."""
    decorators = [run.evaluate(scope, one) for one in definition.decorators]
    place = definitions.place_of(scope, definition.place)
    value: Value = function
    layers: list[str] = []
    jit: Jitted | None = None
    dispatched: FunctionId | None = None
    first_event = len(run.state.events)
    # The function's own first definition is what a jit above reads, so it is asked for later.
    run.now.decorating.append((function, run.stack_at(place)))
    for decorator in reversed(decorators):
        result = run.call(decorator, Arguments([value]), place)
        made = _jit_of(result, value)
        registered = _registers(decorator) and isinstance(result, PlumFunction)
        if made is not None and (jit is None or not layers or layers[-1] != "jit"):
            jit = made
            layers.append("jit")
        elif registered and isinstance(result, PlumFunction):
            dispatched = result.id
            layers.append("dispatch")
        if result != TOP:
            value = result
        elif not (isinstance(value, Wrapper) and value.row is None):
            # Thousands of them in a row are one: of neither is anything known.
            value = Wrapper(value, None)
    run.now.decorating.pop()
    jitted = isinstance(value, Jitted)
    where = f"{scope.module.name}:{scope.qualname}"
    for index in range(first_event, len(run.state.events)):
        event = run.state.events[index]
        if isinstance(event, Registered) and event.stack[-1] == place:
            run.state.events[index] = replace(
                event, binds=definition.name, scope=where, jitted=jitted
            )
    if jit is not None and dispatched is not None and not run.now.muted:
        if isinstance(value, PlumFunction) and value.open:
            # Whether it is a function or a module that is extended is not seen.
            dispatched = replace(dispatched, name=definition.name)
        given = any(isinstance(d, Registrar) and d.signatures is not None for d in decorators)
        _tell_stack(run, where, function, layers, jit, dispatched, place, given)
    return value


def _registers(decorator: Value) -> bool:
    match decorator:
        case DispatcherValue() | Registrar():
            return True
        case Union(alternatives):
            return any(map(_registers, alternatives))
    return getattr(decorator, "name", None) == "abstract"


def _jit_of(result: Value, target: Value) -> Jitted | None:
    """The jit that a decorator put around `target`."""
    for one in result.alternatives if isinstance(result, Union) else (result,):
        if isinstance(one, Jitted) and one.target is target:
            return one
    return None


def _tell_stack(
    run: Run,
    where: str,
    function: FunctionValue,
    layers: list[str],
    jit: Jitted,
    dispatched: FunctionId,
    place: Place,
    given: bool,
) -> None:
    definition = function.definition
    assert isinstance(definition, nodes.FunctionDef)
    annotations = [p.annotation for p in definition.parameters] + [definition.returns]
    present = [a for a in annotations if a is not None]
    # One annotation that is no string is enough for plum to resolve them all, and with
    # signatures given by `multi` it reads none.
    strings = (
        bool(present)
        and not given
        and (function.scope.module.syntax.future_annotations or all(a.quoted for a in present))
    )
    returns = definition.returns
    pairs = list(pairwise(layers))
    for below, above in dict.fromkeys(pairs):
        run.emit(
            DecoratorStack(
                run.stack_at(place),
                run.state.path,
                dispatched,
                binds=definition.name,
                scope=where,
                outer="dispatch" if (below, above) == ("jit", "dispatch") else "jit",
                jit=jit.row.path,
                statics=jit.statics,
                parameters=registration.parameters(run, function, jit.row.scalars_traced),
                first_parameters=imported_modules.first_parameters(run, dispatched),
                string_annotations=strings,
                returns=None if returns is None else returns.text,
                returns_wrong=_returns_wrong(run, function, returns),
            )
        )


def _returns_wrong(run: Run, function: FunctionValue, returns: nodes.Annotation | None) -> bool:
    """Whether the method surely returns a traced array where plum converts to something else.

    `-> int` is right for `a.ndim` and wrong for `a + 1`, so the body is asked, to one side of
    the run."""
    if (
        returns is None
        or convertible_from_tracer(registration.hint_in(run, function, returns)) is not False
    ):
        return False
    try:
        with Fork(run), run.now.mute():
            given = [
                tracing.to_tracer(_parameter_value(run, function, p))
                for p in function.definition.parameters
                if p.kind == "positional"
            ]
            place = definitions.definition_place(function)
            result = functions.call_function(run, function, Arguments(given), place)
    except Raised:
        return False
    finally:
        run.called.discard(id(function.definition))
    ways = result.alternatives if isinstance(result, Union) else (result,)
    return all(isinstance(one, Typed) and isinstance(one.argument, ArrayArg) for one in ways)


def _parameter_value(run: Run, function: FunctionValue, parameter: nodes.Parameter) -> Value:
    return annotation_values.typed(run, function.scope, parameter.annotation)
