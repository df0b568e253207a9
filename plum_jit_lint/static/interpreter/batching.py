"""Arrays inside and outside of a transform that runs over one of their axes."""

from __future__ import annotations

from functools import partial

from plum_jit_lint.knowledge.rows import Axes
from plum_jit_lint.static.interpreter import arrays, trees
from plum_jit_lint.static.interpreter.values import Arguments, Typed, Value
from plum_jit_lint.static.types.hints import ArrayArg, Shape


def inside(axes: Axes, plain: bool, values: list[Value]) -> list[Value]:
    """The arguments with the `axes` that arrive under a transform. `plain`: it was given nothing
    that says that others do."""
    if axes == "all":
        return values
    if plain and axes == "without the first":
        return [trees.of_each(value, arrays.without_axis) for value in values]
    if plain and axes == "none":
        return [trees.of_each(value, partial(_shaped, shape=())) for value in values]
    return [any_shape(value) for value in values]


def outside(result: Value, plain: bool, arguments: Arguments) -> Value:
    """A result with the axis that the transform ran over."""
    sizes = (arrays.length(value) for value in arguments.positional)
    size = next((n for n in sizes if n is not None), None)
    return arrays.with_axis(result, size) if plain else any_shape(result)


def any_shape(value: Value) -> Value:
    """The value with arrays of which the shape is not known."""
    return trees.of_each(value, partial(_shaped, shape=None))


def _shaped(value: Value, shape: Shape | None) -> Value:
    match value:
        case Typed(ArrayArg(traced, _, dtype)):
            return Typed(ArrayArg(traced, shape, dtype))
    return value
