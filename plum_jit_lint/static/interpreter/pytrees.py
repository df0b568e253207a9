"""Which objects jit refuses: those of a class of the program that JAX was surely not told of."""

from __future__ import annotations

from collections.abc import Iterable

from plum_jit_lint.knowledge import standard
from plum_jit_lint.knowledge.jax import PYTREE_REGISTRARS
from plum_jit_lint.static.interpreter import class_lookup
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    ClassValue,
    Instance,
    SequenceValue,
    Symbol,
    Union,
    Value,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.walk import nodes_in

LIKE_AN_ARRAY = {
    *("__jax_array__", "__array__", "__getattr__", "__getattribute__"),
    *("aval", "dtype", "shape"),
}
"""With one of these an object may count as an array."""


def register_class(run: Run, cls: Value | None) -> None:
    """JAX is told of a class."""
    match cls:
        case ClassValue():
            cls.perhaps_pytree = True
        case Union(alternatives):
            for one in alternatives:
                register_class(run, one)
        case _:
            # It may be any of them.
            run.state.unknown_pytrees = True


def may_register_classes(arguments: Iterable[Value]) -> None:
    """Somebody unknown is given classes, and may tell JAX of them."""
    for value in arguments:
        if isinstance(value, ClassValue):
            value.perhaps_pytree = True
        elif isinstance(value, SequenceValue | Union):
            may_register_classes(
                value.items if isinstance(value, SequenceValue) else value.alternatives
            )


def is_refused(run: Run, value: Value) -> bool:
    """Whether jit surely raises for an argument, before it traces anything."""
    return (
        isinstance(value, Instance)
        and value.exact
        and _is_surely_none(run, value.cls)
        and LIKE_AN_ARRAY.isdisjoint(value.attributes)
    )


def _is_surely_none(run: Run, cls: ClassValue) -> bool:
    module = run.now.scopes[0].module
    if cls.scope.module is not module or cls.perhaps_pytree or run.state.unknown_pytrees:
        # Of a class of another module, somebody else may tell JAX.
        return False
    plain = (None, Symbol(standard.ABSTRACT_META))
    return (
        not class_lookup.has_unknown_base(cls)
        and all(
            one.metaclass in plain and LIKE_AN_ARRAY.isdisjoint(one.scope.names)
            for one in class_lookup.mro(cls)
        )
        and not _registers_later(run, module.syntax)
    )


def _registers_later(run: Run, syntax: nodes.ModuleNode) -> bool:
    """Whether a function that nothing has called so far tells JAX of a class."""
    return any(
        id(function) not in run.called and _names_registering(function)
        for function in nodes_in(syntax)
        if isinstance(function, nodes.FunctionDef)
    )


def _names_registering(function: nodes.FunctionDef) -> bool:
    return any(
        (isinstance(node, nodes.Name) and node.id in PYTREE_REGISTRARS)
        or (isinstance(node, nodes.Attribute) and node.attr in PYTREE_REGISTRARS)
        for node in nodes_in(function)
    )
