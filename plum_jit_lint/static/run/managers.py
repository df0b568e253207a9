"""`with` statements, and the context managers that the run knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from plum_jit_lint.findings import Place
from plum_jit_lint.static.knowledge import DISABLE_JIT
from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.run import (
    attributes,
    calls,
    evaluate,
    functions,
    statements,
)
from plum_jit_lint.static.run.inspection import fingerprint
from plum_jit_lint.static.run.machine import Raised, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ExitStack,
    Func,
    Instance,
    Operation,
    Partial,
    Scope,
    Symbol,
    Value,
)

SWALLOWING = {"pytest.raises", "contextlib.suppress"}


def execute(run: Run, scope: Scope, node: facts.With) -> bool:
    leaving: list[Callable[[], object]] = []
    swallows = enter(run, scope, node, leaving)
    try:
        return statements.execute(run, scope, node.body)
    except Raised:
        if swallows:
            return True
        raise
    finally:
        leave(leaving)


def enter(run: Run, scope: Scope, node: facts.With, leaving: list[Callable[[], object]]) -> bool:
    """Enters the managers of a `with`; whether one of them swallows what is raised."""
    swallows = False
    for expression, target in node.items:
        value = evaluate.evaluate(run, scope, expression)
        if isinstance(value, Operation) and isinstance(value.receiver, Symbol):
            swallows = swallows or value.receiver.path in SWALLOWING
        entered = _enter(run, value, evaluate.place_of(scope, node.at), leaving)
        if target is not None:
            evaluate.assign(run, scope, target, entered)
    return swallows


def leave(leaving: list[Callable[[], object]]) -> None:
    """What was entered last is left first."""
    while leaving:
        leaving.pop()()


def call_protocol(run: Run, manager: Value, name: str, place: Place) -> Value:
    """`manager.__enter__()` and `manager.__exit__(...)`, called by hand."""
    entered = run.entered.setdefault(id(manager), (manager, []))[1]
    if name == "__enter__":
        return _enter(run, manager, place, entered)
    leave(entered)
    return NONE


def _enter(run: Run, manager: Value, place: Place, leaving: list[Callable[[], object]]) -> Value:
    """What a context manager of the program gives; what it does at the end goes to `leaving`."""
    match manager:
        case Operation(Partial(Func() as function, positional, keywords), "manager"):
            given = Arguments(list(positional), keywords)
            entered, left = functions.enter_and_leave(run, function, given, place)
            leaving.append(left)
            return entered
        case Operation(Symbol(path), "enter") if path in DISABLE_JIT:
            run.jit_disabled += 1
            leaving.append(partial(_enable_jit, run))
        case ExitStack():
            leaving.append(partial(leave, manager.leaving))
        case Operation(closed, "closing"):
            close = attributes.attribute(run, closed, "close", place)
            leaving.append(lambda: calls.call(run, close, Arguments([]), place))
            return closed
        case Operation(Partial(Symbol(path), positional), "setting"):
            value = None if positional == (NONE,) else tuple(map(fingerprint, positional))
            leaving.append(run.set_context(path, value))
        case Instance(cls):
            method = attributes.class_attribute(cls, "__exit__")
            if method is not None:
                bound = attributes.bind(run, method, manager, place)
                nothing = Arguments([NONE, NONE, NONE])
                leaving.append(lambda: calls.call(run, bound, nothing, place))
            method = attributes.class_attribute(cls, "__enter__")
            if method is not None:
                return calls.call(
                    run, attributes.bind(run, method, manager, place), Arguments([]), place
                )
    return manager


def operate(run: Run, stack: ExitStack, name: str, arguments: Arguments, place: Place) -> Value:
    """A method of an `ExitStack`."""
    first = arguments.get(0)
    if name == "close":
        leave(stack.leaving)
    if first is None:
        return UNKNOWN
    if name == "enter_context":
        return _enter(run, first, place, stack.leaving)
    if name == "push":
        _enter(run, first, place, stack.leaving)
    if name == "callback":
        given = arguments.after(1)
        stack.leaving.append(lambda: calls.call(run, first, given, place))
    return first


def _enable_jit(run: Run) -> None:
    run.jit_disabled = max(run.jit_disabled - 1, 0)
