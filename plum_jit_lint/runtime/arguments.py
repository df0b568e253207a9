"""Abstract arguments: what of a call's arguments plum's choice may hang on, without keeping any
tracer or object of the user alive."""

from __future__ import annotations

import types
import weakref
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import jax
import numpy as np

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_LONGEST = 1_000
_MOST_ITEMS = 32
_DEEPEST = 4


class StandIn(jax.core.Tracer):  # type: ignore[type-arg]
    """A tracer of no trace: it knows its abstract value and takes part in nothing.

    beartype asks arguments, not their types: `isinstance(tracer, jax.Array)` holds, while
    `issubclass` of the types does not, and jaxtyping looks at shapes.
    """

    __slots__ = ("aval",)


@dataclass(frozen=True, slots=True)
class Abstract:
    """An array: a tracer, or one that is known while tracing (`concrete`)."""

    shape: tuple[Any, ...]
    dtype: Any
    weak: bool
    concrete: bool

    def __str__(self) -> str:
        return f"Array[{self.dtype}, {self.shape}]" if self.shape else f"Array[{self.dtype}]"

    def stand_in(self) -> StandIn:
        """Something that beartype takes for such an array."""
        made: StandIn = object.__new__(StandIn)
        made.aval = jax.core.ShapedArray(self.shape, self.dtype, weak_type=self.weak)
        return made


@dataclass(frozen=True, slots=True)
class Plain:
    """A number, a string or the like; `kind` keeps `1`, `1.0` and `True` apart."""

    kind: type
    value: Hashable

    def __str__(self) -> str:
        return "None" if self.value is None else self.kind.__name__


@dataclass(frozen=True, slots=True)
class NumpyArray:
    """An array of NumPy."""

    shape: tuple[int, ...]
    dtype: Any

    def __str__(self) -> str:
        return f"ndarray[{self.dtype}, {self.shape}]"


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of some class; `type_of()` is `None` when the class is gone."""

    key: int
    name: str
    type_of: weakref.ref[type] = field(compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Itself:
    """A class or function that is an argument; `value()` is `None` when it is gone."""

    key: int
    name: str
    value: weakref.ref[Any] = field(compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple or dict: the values, and for a dict the keys."""

    kind: type
    values: tuple[Argument, ...]
    keys: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        return self.kind.__name__


@dataclass(frozen=True, slots=True)
class Asked:
    """A type that `f.invoke(T)` names in place of an argument."""

    key: int
    hint: Any = field(compare=False)

    def __str__(self) -> str:
        return getattr(self.hint, "__name__", str(self.hint))


Argument: TypeAlias = Abstract | Plain | NumpyArray | Instance | Itself | Items | Asked


def record(values: tuple[object, ...]) -> tuple[Argument, ...]:
    """The abstract arguments of a call with `values`."""
    return tuple(_argument(value, _DEEPEST) for value in values)


def asked(hints: tuple[object, ...]) -> tuple[Argument, ...]:
    """The abstract arguments of `f.invoke(*hints)`."""
    return tuple(Asked(id(hint), hint) for hint in hints)


def _argument(value: Any, depth: int) -> Argument:
    kind = type(value)
    if isinstance(value, jax.core.Tracer | jax.Array):
        abstract = jax.typeof(value)
        shape, dtype = getattr(abstract, "shape", None), getattr(abstract, "dtype", None)
        if shape is not None and dtype is not None:
            weak = bool(getattr(abstract, "weak_type", False))
            return Abstract(tuple(shape), dtype, weak, not isinstance(value, jax.core.Tracer))
    if kind in _PLAIN and (not isinstance(value, str | bytes) or len(value) <= _LONGEST):
        return Plain(kind, value)
    if isinstance(value, np.ndarray) and kind is np.ndarray:
        return NumpyArray(value.shape, value.dtype)
    if kind in (list, tuple) and depth and len(value) <= _MOST_ITEMS:
        return Items(kind, tuple(_argument(one, depth - 1) for one in value))
    if kind is dict and depth and len(value) <= _MOST_ITEMS:
        values = tuple(_argument(one, depth - 1) for one in value.values())
        return Items(kind, values, tuple(_argument(one, depth - 1) for one in value))
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return Itself(id(value), kind.__name__, weakref.ref(value))
    return Instance(id(kind), kind.__name__, weakref.ref(kind))


def shown(arguments: tuple[Argument, ...]) -> str:
    """The arguments as a message shows them: `(Array[float32, (2,)], int)`."""
    listed = ", ".join(map(str, arguments))
    return f"({listed})"
