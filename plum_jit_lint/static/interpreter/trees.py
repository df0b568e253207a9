"""Containers and objects as trees of what they hold."""

from __future__ import annotations

from collections.abc import Callable, Collection

from plum_jit_lint.limits import DEEPEST_VALUE, MOST_OF_A_TREE
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Instance,
    MappingValue,
    SequenceValue,
    Union,
    Value,
    join,
)


def of_each(
    value: Value,
    change: Callable[[Value], Value],
    depth: int = DEEPEST_VALUE,
    room: int = MOST_OF_A_TREE,
) -> Value:
    """The value with `change` of each leaf in its place. Nothing is known of what lies deeper than
    `depth`, nor of what is beyond the `room`, which the members of a container share: it may hold
    itself, or another one many times over."""
    parts = parts_of(value)
    if parts is None:
        return change(value)
    if not depth or len(parts) > room:
        return TOP
    each = room // max(1, len(parts))

    def inner(part: Value) -> Value:
        return of_each(part, change, depth - 1, each)

    match value:
        case SequenceValue():
            return SequenceValue(value.kind, list(map(inner, value.items)), value.complete)
        case MappingValue(items, others):
            return MappingValue({k: inner(v) for k, v in items.items()}, list(map(inner, others)))
        case Instance():
            attributes = {k: inner(v) for k, v in value.attributes.items()}
            return Instance(value.cls, attributes, value.exact, value.serial)
        case Union(alternatives):
            return join(map(inner, alternatives))
    return TOP


def parts_of(value: Value) -> Collection[Value] | None:
    """What a container, an object or one of several values has in it; `None` for a leaf."""
    match value:
        case SequenceValue(items=items):
            return items
        case MappingValue(items, others):
            return [*items.values(), *others] if others else items.values()
        case Instance():
            return value.attributes.values()
        case Union(alternatives):
            return alternatives
    return None


def size_of(values: Collection[Value]) -> int:
    """How many parts the trees of some values have, each counted as often as it stands there, as
    far as `of_each` goes through them."""
    pending = [(value, DEEPEST_VALUE, MOST_OF_A_TREE) for value in values]
    count = 0
    while pending:
        value, depth, room = pending.pop()
        count += 1
        parts = parts_of(value)
        if parts and depth and len(parts) <= room:
            each = room // len(parts)
            pending += [(part, depth - 1, each) for part in parts]
    return count
