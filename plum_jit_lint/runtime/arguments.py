"""Abstract arguments: what of a call's arguments plum's choice may hang on, without keeping any
tracer or object of the user alive."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, TypeAlias

import jax
import numpy as np

from plum_jit_lint.limits import (
    DEEPEST_ARGUMENT,
    LONGEST_TEXT_OF_ARGUMENT,
    MOST_ITEMS_OF_ARGUMENT,
    MOST_ORIGINALS,
)

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


class Originals:
    """What was recorded as one argument: weak references, to ask as long as it is there."""

    __slots__ = ("_lost", "_references", "_some_gone")

    def __init__(self) -> None:
        self._references: list[weakref.ref[Any]] = []
        self._lost = False
        self._some_gone = False

    def note(self, value: object) -> None:
        """`value` was recorded as this argument, too."""
        if self._lost or any(reference() is value for reference in self._references):
            return
        if len(self._references) == MOST_ORIGINALS:
            self._references = [one for one in self._references if one() is not None]
            self._some_gone = self._some_gone or len(self._references) < MOST_ORIGINALS
        try:
            self._references.append(weakref.ref(value))
        except TypeError:
            self._lost = True
        if len(self._references) > MOST_ORIGINALS:
            self._lost = True
            self._references.clear()

    def all(self) -> list[Any] | None:
        """Everything that was recorded, `None` when something of it is gone."""
        values = [reference() for reference in self._references]
        missing = self._lost or self._some_gone or any(value is None for value in values)
        return None if missing else values

    def are_gone(self) -> bool:
        """Whether all of it is known to be gone."""
        return not self._lost and all(reference() is None for reference in self._references)


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
    kind: type = field(compare=False)
    originals: Originals = field(default_factory=Originals, compare=False)

    def __str__(self) -> str:
        return f"Array[{self.dtype}, {self.shape}]" if self.shape else f"Array[{self.dtype}]"

    def stand_in(self) -> StandIn:
        """Something that beartype takes for such an array."""
        made: StandIn = object.__new__(StandIn)
        made.aval = jax.core.ShapedArray(self.shape, self.dtype, weak_type=self.weak)
        return made


@dataclass(frozen=True, slots=True)
class PlainArgument:
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
    originals: Originals = field(default_factory=Originals, compare=False)

    def __str__(self) -> str:
        return f"ndarray[{self.dtype}, {self.shape}]"


@dataclass(frozen=True, slots=True)
class InstanceArgument:
    """An object of some class; `type_of()` is `None` when the class is gone."""

    key: int
    name: str
    type_of: weakref.ref[type] = field(compare=False)
    originals: Originals = field(default_factory=Originals, compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Itself:
    """A class, a function or a member of an enumeration that is an argument; `value()` is `None`
    when it is gone."""

    key: int
    name: str
    value: Callable[[], Any] = field(compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ItemsArgument:
    """A list, tuple or dict: the values, and for a dict the keys."""

    kind: type
    values: tuple[Argument, ...]
    keys: tuple[Argument, ...] = ()

    def __str__(self) -> str:
        return self.kind.__name__


@dataclass(frozen=True, slots=True)
class NamedItemsArgument:
    """A named tuple; `type_of()` is `None` when its class is gone."""

    key: int
    name: str
    type_of: weakref.ref[type] = field(compare=False)
    values: tuple[Argument, ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Asked:
    """A type that `f.invoke(T)` names in place of an argument."""

    key: int
    hint: Any = field(compare=False)

    def __str__(self) -> str:
        return getattr(self.hint, "__name__", str(self.hint))


@dataclass(frozen=True, slots=True)
class Answer:
    """What plum was told when it asked an argument for a type, while the argument was there."""

    key: int
    fits: bool
    hint: Any = field(compare=False)


@dataclass(frozen=True, slots=True)
class SeenArgument:
    """An argument with the answers that its record could not give any more."""

    argument: Argument
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        return str(self.argument)


Argument: TypeAlias = (
    Abstract
    | PlainArgument
    | NumpyArray
    | InstanceArgument
    | Itself
    | ItemsArgument
    | NamedItemsArgument
    | Asked
    | SeenArgument
)

Records: TypeAlias = dict[Argument, Abstract | NumpyArray | InstanceArgument]
"""The records of one function that know their originals: equal ones are one record."""


def record(values: tuple[object, ...], known: Records) -> tuple[Argument, ...]:
    """The abstract arguments of a call with `values`."""
    return tuple(_argument(value, DEEPEST_ARGUMENT, known) for value in values)


def asked(hints: tuple[object, ...]) -> tuple[Argument, ...]:
    """The abstract arguments of `f.invoke(*hints)`."""
    return tuple(Asked(id(hint), hint) for hint in hints)


def loses(argument: Argument) -> bool:
    """Whether an argument is more than its record tells."""
    match argument:
        case Abstract():
            return argument.concrete
        case ItemsArgument():
            return any(map(loses, (*argument.values, *argument.keys)))
        case NamedItemsArgument():
            return any(map(loses, argument.values))
    return isinstance(argument, InstanceArgument | NumpyArray)


def _argument(value: Any, depth: int, known: Records) -> Argument:
    kind = type(value)
    if isinstance(value, jax.core.Tracer | jax.Array):
        abstract = jax.typeof(value)
        shape, dtype = getattr(abstract, "shape", None), getattr(abstract, "dtype", None)
        if shape is not None and dtype is not None:
            weak = bool(getattr(abstract, "weak_type", False))
            concrete = not isinstance(value, jax.core.Tracer)
            array = Abstract(tuple(shape), dtype, weak, concrete, kind)
            return _with_original(array, value, known) if concrete else array
    if kind in _PLAIN and (
        not isinstance(value, str | bytes) or len(value) <= LONGEST_TEXT_OF_ARGUMENT
    ):
        return PlainArgument(kind, value)
    if isinstance(value, np.number | np.bool_):
        return PlainArgument(kind, value)
    if isinstance(value, np.ndarray) and kind is np.ndarray:
        return _with_original(NumpyArray(value.shape, value.dtype), value, known)
    if kind in (list, tuple) and depth and len(value) <= MOST_ITEMS_OF_ARGUMENT:
        return ItemsArgument(kind, tuple(_argument(one, depth - 1, known) for one in value))
    if isinstance(value, tuple) and hasattr(kind, "_fields") and depth:
        items = tuple(_argument(one, depth - 1, known) for one in value)
        return NamedItemsArgument(id(kind), kind.__name__, weakref.ref(kind), items)
    if kind is dict and depth and len(value) <= MOST_ITEMS_OF_ARGUMENT:
        values = tuple(_argument(one, depth - 1, known) for one in value.values())
        return ItemsArgument(kind, values, tuple(_argument(one, depth - 1, known) for one in value))
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return Itself(id(value), kind.__name__, weakref.ref(value))
    if isinstance(value, Enum) and value.name in kind.__members__:
        return Itself(id(value), kind.__name__, partial(_member, weakref.ref(kind), value.name))
    return _with_original(
        InstanceArgument(id(kind), kind.__name__, weakref.ref(kind)), value, known
    )


def _with_original(
    made: Abstract | NumpyArray | InstanceArgument, value: object, known: Records
) -> Argument:
    kept = known.setdefault(made, made)
    if isinstance(kept, InstanceArgument) and kept.type_of() is None:
        # Another class has come to the address of one that is gone.
        del known[kept]
        kept = known.setdefault(made, made)
    kept.originals.note(value)
    return kept


def _member(kind: weakref.ref[Any], name: str) -> Any:
    """A member of an enumeration, not all of which take weak references."""
    enumeration = kind()
    return None if enumeration is None else enumeration[name]


def shown(arguments: tuple[Argument, ...]) -> str:
    """The arguments as a message shows them: `(Array[float32, (2,)], int)`."""
    listed = ", ".join(map(str, arguments))
    return f"({listed})"
