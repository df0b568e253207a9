"""What of the arguments of a call decides which kept trace it finds: shapes, dtypes, structure,
and what is static.

Two calls have surely the same key, surely another, or it is not known. Only what the source tells
apart is apart: two arrays of unknown shapes are taken for alike where nothing else differs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from plum_jit_lint.knowledge import BASES
from plum_jit_lint.limits import DEEPEST_VALUE, MOST_OF_A_TREE
from plum_jit_lint.static.interpreter import class_lookup, literals
from plum_jit_lint.static.interpreter.inspection import argument_of
from plum_jit_lint.static.interpreter.values import (
    Bound,
    ClassValue,
    FunctionValue,
    Instance,
    Jitted,
    MappingValue,
    Memoised,
    Partial,
    PlumFunction,
    SequenceValue,
    Symbol,
    Value,
    Wrapper,
)
from plum_jit_lint.static.types.answers import all_of
from plum_jit_lint.static.types.hints import (
    ARRAY,
    Argument,
    ArrayArg,
    Cls,
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


@dataclass(frozen=True, slots=True)
class Static:
    """What is a part of the key as it is, and not by its shape: it equals itself alone."""

    key: Hashable


Part: TypeAlias = Argument | Node | Static
"""One argument as a part of a trace's key."""

Key: TypeAlias = tuple[tuple[Hashable, Part], ...]
"""The parts by position or keyword."""


def aval_of(value: Value, depth: int = DEEPEST_VALUE, room: int = MOST_OF_A_TREE) -> Part:
    """A traced argument as a part of a trace's key. Of a container the members share the `room`."""
    argument = argument_of(value, depth, room)
    if not depth:
        return argument
    named: Mapping[Any, Value]
    match value:
        case Instance():
            # Other attributes need not be a part of the pytree.
            fields = {name for cls in class_lookup.mro(value.cls) for name in cls.annotated}
            named = {k: v for k, v in value.attributes.items() if k in fields}
        case SequenceValue(kind) if value.complete and kind != "set":
            named = dict(enumerate(value.items))
        case MappingValue() if not value.others:
            named = value.items
        case (
            FunctionValue()
            | PlumFunction()
            | Jitted()
            | Wrapper()
            | Memoised()
            | Symbol()
            | ClassValue()
        ):
            return Static(value)
        case _:
            return argument
    if len(named) > room:
        return UnknownArg()
    each = room // max(1, len(named))
    return Node(
        argument, tuple((name, aval_of(one, depth - 1, each)) for name, one in named.items())
    )


def static_aval_of(value: Value, depth: int = DEEPEST_VALUE, room: int = MOST_OF_A_TREE) -> Part:
    """A static argument as a part of a trace's key: JAX asks its `__eq__` and `__hash__`. Of a
    container the members share the `room`."""
    known = literals.key_of(value)
    if known is not None:
        return Static((type(known), known))
    match value:
        case Instance() if depth and value.exact:
            by_value = _is_by_value(value.cls)
            if by_value is False:
                return Static(value)
            if by_value:
                names = class_lookup.field_names(value.cls)
                fields = {n: value.attributes[n] for n in names if n in value.attributes}
                return Node(argument_of(value), _static_parts(fields, depth - 1, room))
        case SequenceValue("tuple", items) if value.complete and depth and len(items) <= room:
            return Node(TupleArg("tuple"), _static_parts(dict(enumerate(items)), depth - 1, room))
        case Partial():
            return Static(value)
        case Bound():
            return Static((value.function, value.receiver))
    argument = argument_of(value)
    return argument if isinstance(argument, ScalarArg) else UnknownArg()


def _static_parts(
    named: Mapping[Any, Value], depth: int, room: int
) -> tuple[tuple[Hashable, Part], ...]:
    each = room // max(1, len(named))
    return tuple((name, static_aval_of(one, depth, each)) for name, one in named.items())


def _is_by_value(cls: ClassValue) -> bool | None:
    """Whether objects of a class are compared by their fields, and not by identity."""
    for one in class_lookup.mro(cls):
        if one.by_value:
            return True
        if any(name in one.scope.names for name in ("__eq__", "__hash__")):
            return None
        rows = [BASES.get(base.path) for base in one.bases if isinstance(base, Symbol)]
        if any(row is not None and row.compares_fields for row in rows):
            return True
    return None if class_lookup.has_unknown_base(cls) else False


def same_key(kept: Key, given: Key) -> bool | None:
    """Whether a call with `given` finds a trace that was made for `kept`."""
    if tuple(name for name, _ in kept) != tuple(name for name, _ in given):
        return False
    return all_of(_same(a, b) for (_, a), (_, b) in zip(kept, given, strict=True))


def _same(a: Part, b: Part) -> bool | None:
    if isinstance(a, Static) or isinstance(b, Static):
        return _same_statics(a, b)
    if isinstance(a, Node) and isinstance(b, Node):
        return _same_nodes(a, b)
    one = a.argument if isinstance(a, Node) else a
    other = b.argument if isinstance(b, Node) else b
    match one, other:
        case ArrayArg(), ArrayArg():
            return _same_arrays(one, other)
        case ScalarArg(), ScalarArg():
            if one.cls != other.cls or one.value == other.value:
                return one.cls == other.cls
            return None if None in (one.value, other.value) else False
    same = _same_kind(one, other)
    # Of one of the two it is not known what is in it.
    return None if same and (isinstance(a, Node) or isinstance(b, Node)) else same


def _same_statics(a: Part, b: Part) -> bool | None:
    if isinstance(a, Static) and isinstance(b, Static):
        return a.key == b.key
    other = b if isinstance(a, Static) else a
    return None if isinstance(other, UnknownArg | ScalarArg) else False


def _same_nodes(a: Node, b: Node) -> bool | None:
    kind = _same_kind(a.argument, b.argument)
    if kind is False:
        return False
    parts = dict(b.parts)
    names = {name for name, _ in a.parts}
    if parts.keys() != names:
        if not isinstance(a.argument, InstanceArg):
            return False
        kind = None
    return all_of([kind, *(_same(one, parts[name]) for name, one in a.parts if name in parts)])


def _same_kind(a: Argument, b: Argument) -> bool | None:
    """The answer by what kinds of values they are, whatever is in them."""
    if _may_be_anything(a) or _may_be_anything(b):
        return True if a == b else None
    if isinstance(a, InstanceArg) and isinstance(b, InstanceArg):
        return _same_classes(a, b)
    if isinstance(a, TupleArg) and isinstance(b, TupleArg):
        return a.kind == b.kind
    return type(a) is type(b) and a == b


def _may_be_anything(argument: Argument) -> bool:
    return isinstance(argument, UnknownArg) or (
        isinstance(argument, InstanceArg)
        and not argument.exact
        and (argument.cls.opaque or argument.cls == ARRAY)
    )


def _same_classes(a: InstanceArg, b: InstanceArg) -> bool | None:
    if a.cls == b.cls:
        return True if a.exact == b.exact else None
    if a.exact and b.exact:
        return False
    may = (not a.exact and _derives(b.cls, a.cls)) or (not b.exact and _derives(a.cls, b.cls))
    return None if may or not (a.exact or b.exact) else False


def _derives(cls: Cls, above: Cls) -> bool:
    return cls == above or cls.opaque or any(_derives(base, above) for base in cls.bases)


def _same_arrays(a: ArrayArg, b: ArrayArg) -> bool | None:
    if a == b:
        return True
    dtypes = True if a.dtype == b.dtype else None if None in (a.dtype, b.dtype) else False
    return all_of([dtypes, _same_shapes(a.shape, b.shape)])


def _same_shapes(a: Shape | None, b: Shape | None) -> bool | None:
    if a is None or b is None:
        return True if a == b else None
    if len(a) != len(b):
        return False
    return all_of(
        True if m == n else None if None in (m, n) else False for m, n in zip(a, b, strict=True)
    )
