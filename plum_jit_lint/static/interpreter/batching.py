"""Arrays inside and outside of a transform that runs over one of their axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from plum_jit_lint.knowledge.rows import Axes
from plum_jit_lint.static.interpreter import arrays
from plum_jit_lint.static.interpreter.values import (
    Arguments,
    Instance,
    MappingValue,
    SequenceValue,
    Typed,
    Value,
)
from plum_jit_lint.static.types.hints import ArrayArg, Shape


def inside(axes: Axes, plain: bool, values: list[Value]) -> list[Value]:
    """The arguments with the `axes` that arrive under a transform. `plain`: it was given nothing
    that says that others do."""
    if axes == "all":
        return values
    if plain and axes == "without the first":
        return [of_each(value, arrays.without_axis) for value in values]
    if plain and axes == "none":
        return [of_each(value, partial(_shaped, shape=())) for value in values]
    return [any_shape(value) for value in values]


def outside(result: Value, plain: bool, arguments: Arguments) -> Value:
    """A result with the axis that the transform ran over."""
    sizes = (arrays.length(value) for value in arguments.positional)
    size = next((n for n in sizes if n is not None), None)
    return arrays.with_axis(result, size) if plain else any_shape(result)


def of_each(value: Value, change: Callable[[Value], Value]) -> Value:
    """A change made to all arrays in a value."""
    match value:
        case SequenceValue():
            return SequenceValue(
                value.kind, [of_each(v, change) for v in value.items], value.complete
            )
        case Instance():
            attributes = {k: of_each(v, change) for k, v in value.attributes.items()}
            return Instance(value.cls, attributes, value.exact)
        case MappingValue(items, others):
            inner = {k: of_each(v, change) for k, v in items.items()}
            return MappingValue(inner, [of_each(v, change) for v in others])
    return change(value)


def any_shape(value: Value) -> Value:
    """The value with arrays of which the shape is not known."""
    return of_each(value, partial(_shaped, shape=None))


def _shaped(value: Value, shape: Shape | None) -> Value:
    match value:
        case Typed(ArrayArg(traced, _, dtype)):
            return Typed(ArrayArg(traced, shape, dtype))
    return value
