"""What of the arguments of a call decides which kept trace it finds: shapes, dtypes, structure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from plum_jit_lint.static.run import functions
from plum_jit_lint.static.run.inspection import DEEPEST_VALUE, argument_of
from plum_jit_lint.static.run.values import DictItems, Instance, Items, Value
from plum_jit_lint.static.types.hints import (
    Argument,
    ArrayArg,
    InstanceArg,
    ScalarArg,
    Shape,
    TupleArg,
    UnknownArg,
)


@dataclass(frozen=True, slots=True)
class Node:
    """A container or an object: what it is, and its parts as far as they are known."""

    argument: Argument
    parts: tuple[tuple[Hashable, Part], ...]


Part: TypeAlias = Argument | Node
"""One argument as a part of a trace's key."""


def part_of(value: Value, depth: int = DEEPEST_VALUE) -> Part:
    """The value as a part of a trace's key."""
    argument = argument_of(value, depth)
    if not depth:
        return argument
    named: Mapping[Any, Value]
    match value:
        case Instance():
            # Other attributes need not be a part of the pytree.
            fields = {name for cls in functions.mro(value.cls) for name in cls.annotated}
            named = {k: v for k, v in value.attributes.items() if k in fields}
        case Items(kind) if value.complete and kind != "set":
            named = dict(enumerate(value.items))
        case DictItems() if not value.others:
            named = value.items
        case _:
            return argument
    return Node(argument, tuple((name, part_of(one, depth - 1)) for name, one in named.items()))


def may_be_same(kept: tuple[Part, ...], given: tuple[Part, ...]) -> bool:
    """Whether a call with `given` may find a trace that was made for `kept`."""
    return len(kept) == len(given) and all(map(_may_be_same, kept, given))


def _may_be_same(a: Part, b: Part) -> bool:
    match a, b:
        case Node(), Node():
            if not _may_be_same_kind(a.argument, b.argument):
                return False
            parts = dict(b.parts)
            whole = not isinstance(a.argument, InstanceArg)
            if whole and parts.keys() != {name for name, _ in a.parts}:
                return False
            return all(_may_be_same(one, parts[name]) for name, one in a.parts if name in parts)
        case Node(), _:
            return _may_be_same(a.argument, b)
        case _, Node():
            return _may_be_same(a, b.argument)
        case ArrayArg(), ArrayArg():
            return _may_be_one_shape(a.shape, b.shape) and (
                a.dtype == b.dtype or None in (a.dtype, b.dtype)
            )
        case ScalarArg(), ScalarArg():
            return a.cls == b.cls and (a.value == b.value or None in (a.value, b.value))
        case (ScalarArg(), ArrayArg()) | (ArrayArg(), ScalarArg()):
            # Numbers that become arrays have become them: this one is static.
            return False
        case _:
            return _may_be_same_kind(a, b)


def _may_be_same_kind(a: Argument, b: Argument) -> bool:
    if isinstance(a, UnknownArg) or isinstance(b, UnknownArg):
        return True
    if isinstance(a, InstanceArg) and isinstance(b, InstanceArg):
        return a.cls == b.cls or not (a.exact and b.exact)
    if isinstance(a, TupleArg) and isinstance(b, TupleArg):
        return a.kind == b.kind
    return type(a) is not type(b) or a == b


def _may_be_one_shape(a: Shape | None, b: Shape | None) -> bool:
    if a is None or b is None:
        return True
    sizes = zip(a, b, strict=False)
    return len(a) == len(b) and all(m == n or None in (m, n) for m, n in sizes)
