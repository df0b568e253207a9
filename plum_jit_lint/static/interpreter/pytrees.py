"""Which objects jit refuses: those of a class of the program that JAX was surely not told of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    seen: set[int] = set()
    pending = list(arguments)
    while pending:
        value = pending.pop()
        if isinstance(value, ClassValue):
            value.perhaps_pytree = True
        elif isinstance(value, SequenceValue | Union) and id(value) not in seen:
            seen.add(id(value))
            pending += value.items if isinstance(value, SequenceValue) else value.alternatives


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
        and all(id(function) in run.called for function in module.telling_jax())
    )


def functions_that_register(syntax: nodes.ModuleNode) -> Iterator[nodes.FunctionDef]:
    """The functions of a module that may tell JAX of a class when they are called."""
    for function in nodes_in(syntax):
        if isinstance(function, nodes.FunctionDef) and any(
            map(_names_registrar, nodes_in(function))
        ):
            yield function


def _names_registrar(node: object) -> bool:
    return (isinstance(node, nodes.Name) and node.id in PYTREE_REGISTRARS) or (
        isinstance(node, nodes.Attribute) and node.attr in PYTREE_REGISTRARS
    )
