"""Where a function is defined, and which parameters it has."""

from __future__ import annotations

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    FunctionValue,
    Scope,
    Super,
    Value,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Span


def definition_place(function: FunctionValue) -> Place:
    """Where Python says that a function begins (`co_firstlineno`)."""
    definition = function.definition
    span = definition.place if isinstance(definition, nodes.FunctionDef) else definition.at
    return Place(function.scope.module.path, *span)


def positional_parameters(function: FunctionValue) -> tuple[nodes.Parameter, ...]:
    """The parameters that can be given by position, without `*args`."""
    return tuple(p for p in function.definition.parameters if p.kind == "positional")


def unknown_arguments(function: FunctionValue, receiver: Value | None) -> Arguments:
    """Arguments of which only the annotations tell anything."""
    count = len(positional_parameters(function))
    names = [p.name for p in function.definition.parameters if p.kind == "keyword-only"]
    positional: list[Value] = [TOP] * count
    if receiver is not None and positional:
        positional[0] = receiver
    return Arguments(positional, dict.fromkeys(names, TOP))


def place_of(scope: Scope, span: Span) -> Place:
    """The place of a piece of the file that `scope` stands in."""
    return Place(scope.module.path, *span)


def make_function(
    run: Run, scope: Scope, definition: nodes.FunctionDef | nodes.Lambda
) -> FunctionValue:
    """The function object that running a definition makes, undecorated."""
    name = definition.name if isinstance(definition, nodes.FunctionDef) else "<lambda>"
    defaults = {
        parameter.name: run.evaluate(scope, parameter.default)
        for parameter in definition.parameters
        if parameter.default is not None
    }
    return FunctionValue(definition, scope, name, scope.qualname + name, defaults)


def super_of(scope: Scope) -> Value:
    """What `super()` means in a method."""
    method: Scope | None = scope
    while method is not None and not (method.parent and method.parent.kind == "class"):
        method = method.parent
    if method is None or method.parent is None:
        return TOP
    cls = method.parent.names.get("__class__")
    receiver = next(iter(method.names.values()), TOP)
    return Super(cls, receiver) if isinstance(cls, ClassValue) else TOP
