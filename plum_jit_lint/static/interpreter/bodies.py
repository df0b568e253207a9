"""Function bodies: the scope of a call, and what runs in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plum_jit_lint.events import Step
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import DEEPEST_CALL, MOST_RECURSIVE
from plum_jit_lint.static.interpreter import annotation_values
from plum_jit_lint.static.interpreter.call_frames import CallFrame
from plum_jit_lint.static.interpreter.leaving import Exited, Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    FunctionValue,
    Scope,
    SequenceValue,
    Value,
    join,
    keyword_items,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Statement


def body_scope(run: Run, function: FunctionValue, arguments: Arguments) -> Scope:
    """The scope of a call, with its parameters bound."""
    scope = Scope(
        function.scope.module, "function", function.scope, f"{function.qualname}.<locals>."
    )
    _bind_parameters(run, function, arguments, scope)
    return scope


def run_body(
    run: Run,
    function: FunctionValue,
    scope: Scope,
    place: Place,
    returns: nodes.Annotation | None,
    part: Callable[[], bool] | None = None,
) -> Value:
    """Runs the body of a function, or a `part` of it, which tells whether it falls out at its
    end."""
    generator = isinstance(function.definition, nodes.FunctionDef) and function.definition.generator
    if len(run.now.functions) > DEEPEST_CALL or (
        # One that yields from itself is only met here.
        generator and run.now.functions.count(function) > MOST_RECURSIVE
    ):
        return TOP
    frame = CallFrame(function.name, [scope], function, place, Step(place, run.now.frame.name))
    path = run.state.path
    result: Value = TOP
    try:
        with run.now.inside(frame):
            result = _result(run, function, frame, returns, part)
        return result
    finally:
        run.state.path = path
        # Until the caller's statement is over, what was returned is still held.
        run.now.frame.temporaries.append(result)


def _result(
    run: Run,
    function: FunctionValue,
    frame: CallFrame,
    returns: nodes.Annotation | None,
    part: Callable[[], bool] | None,
) -> Value:
    definition, scope = function.definition, frame.scopes[0]
    if isinstance(definition, nodes.Lambda):
        return run.evaluate(scope, definition.body)
    try:
        falls = run.execute(scope, definition.body) if part is None else part()
    except Raised:
        # It may have returned on another way before it would raise on this one.
        if not frame.returned:
            raise
        falls = False
    result = join([*frame.returned, *([NONE] if falls else [])])
    if definition.generator:
        return SequenceValue("list", frame.yielded, complete=False)
    return annotation_values.typed(run, function.scope, returns) if result == TOP else result


def _bind_parameters(run: Run, function: FunctionValue, arguments: Arguments, scope: Scope) -> None:
    definition = function.definition
    if isinstance(definition, nodes.FunctionDef):
        for name in definition.type_parameters:
            scope.names[name] = TOP
    left = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for parameter in definition.parameters:
        name = parameter.name
        if parameter.kind == "*":
            scope.names[name] = SequenceValue("tuple", left, complete=not arguments.open)
            left = []
        elif parameter.kind == "**":
            others: list[Value] = [TOP] if arguments.open_keywords else []
            scope.names[name] = keyword_items(keywords, others)
        elif parameter.kind == "positional" and left:
            scope.names[name] = left.pop(0)
        elif name in keywords:
            scope.names[name] = keywords.pop(name)
        elif name in function.defaults and not (arguments.open or arguments.open_keywords):
            scope.names[name] = function.defaults[name]
        else:
            scope.names[name] = TOP
        if scope.names[name] == TOP and parameter.kind in ("positional", "keyword-only"):
            scope.names[name] = annotation_values.typed(run, function.scope, parameter.annotation)


def execute_each(run: Run, scope: Scope, body: Sequence[Statement]) -> None:
    """Runs a block at the top of a module, where a statement that surely raises is passed over:
    the rest is still worth knowing."""
    for statement in body:
        path = run.state.path
        try:
            run.execute(scope, (statement,))
        except Exited:
            return
        except Raised:
            run.state.path = path
