"""Whether plum would match arguments that are no longer there, and how types relate: plum's own
answers, and beartype's.

Most types ask an argument for its class only, or for what an array has under a trace as well. A
few look inside (the validators of beartype, metaclasses of the program, what a list holds): those
are answered by what was seen at the call, by the objects themselves as long as they are there, or
not at all.
"""

from __future__ import annotations

import abc
import types
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import jax
import numpy as np
from plum._bear import is_bearable

from plum_jit_lint.runtime.arguments import (
    Abstract,
    Answer,
    Argument,
    Asked,
    InstanceArgument,
    ItemsArgument,
    Itself,
    NamedItemsArgument,
    NumpyArray,
    PlainArgument,
    SeenArgument,
    loses,
)

try:
    from plum._type import _type_hint_eq as hints_equal
    from plum._type import _type_hint_le as hint_below
except ImportError:
    # Before plum 2.9.1 the wrappers of beartype were compared as they are.
    from beartype.door import TypeHint

    def hints_equal(x: object, y: object, /) -> bool:
        return bool(TypeHint(x) == TypeHint(y))

    def hint_below(x: object, y: object, /) -> bool:
        return bool(TypeHint(x) <= TypeHint(y))


@dataclass(frozen=True, eq=False, slots=True)
class HeldHint:
    """A type of a signature. Not every hint can be hashed, so this stands for it."""

    value: Any


@dataclass(frozen=True, slots=True)
class PlumOracle:
    """plum's own answers about types, and beartype's about arguments.

    Unknown is only what hangs on the inside of an argument: where that is still there it is asked,
    if `asks` says so.
    """

    asks: bool

    def equal(self, a: HeldHint, b: HeldHint) -> bool | None:
        """`plum._type._type_hint_eq`."""
        return a is b or hints_equal(a.value, b.value)

    def below(self, a: HeldHint, b: HeldHint) -> bool | None:
        """`plum._type._type_hint_le`."""
        return a is b or hint_below(a.value, b.value)

    def admits(self, hint: HeldHint, argument: Argument) -> bool | None:
        """Whether plum would match the argument with the type."""
        fits = _admits(hint.value, argument)
        if fits is None and self.asks:
            return _as_originals_answer(hint.value, argument)
        return fits


def looks_inside(hint: Any) -> bool:
    """Whether a type may ask an object for more than its class."""
    origin = get_origin(hint)
    if origin is Annotated:
        validated = any(map(_is_validator, hint.__metadata__))
        return validated or looks_inside(hint.__origin__)
    if origin is Literal:
        return False
    if origin is not None:
        return any(map(looks_inside, get_args(hint)))
    return isinstance(hint, type) and not (_asks_the_class(hint) or _is_known(hint))


def is_open(hint: Any) -> bool:
    """Whether the record of an argument may not be enough to tell whether a type admits it."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(map(is_open, get_args(hint)))
    return looks_inside(hint) or (isinstance(origin, type) and issubclass(origin, Collection))


def answers(hints: Iterable[Any], value: Any) -> tuple[Answer, ...]:
    """What `value` is told to be by those of `hints` that its record may not be enough for."""
    found = {}
    for hint in hints:
        if id(hint) not in found and is_open(hint):
            try:
                found[id(hint)] = Answer(id(hint), bool(is_bearable(value, hint)), hint)
            except Exception:
                # plum is about to meet it, too.
                continue
    return tuple(found.values())


def _admits(hint: Any, argument: Argument) -> bool | None:
    if isinstance(argument, Asked):
        return hint_below(argument.hint, hint)
    if isinstance(argument, SeenArgument):
        for answer in argument.answers:
            if answer.hint is hint or _same(answer.hint, hint):
                return answer.fits
        return _admits(hint, argument.argument)
    try:
        value = _value(argument)
        if not loses(argument):
            return bool(is_bearable(value, hint))
        return _fits_whatever_is_inside(hint, _kind(argument), value)
    except Exception:
        return None


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:
        return False


class _Gone(Exception):
    """The class or function that was an argument is no longer there."""


# -- what stands in for an argument ----------------------------------------------------------


def _value(argument: Argument) -> Any:
    """Something that every type that does not look inside answers about as it did about the
    argument."""
    match argument:
        case Abstract():
            return argument.stand_in()
        case PlainArgument():
            return argument.value
        case NumpyArray():
            return np.broadcast_to(np.zeros((), argument.dtype), argument.shape)
        case Itself():
            value = argument.value()
            if value is None:
                raise _Gone
            return value
        case InstanceArgument():
            return _hollow(_kind(argument))
        case ItemsArgument():
            values = [_value(one) for one in argument.values]
            if argument.kind is dict:
                return dict(zip(map(_value, argument.keys), values, strict=True))
            return argument.kind(values)
        case NamedItemsArgument():
            return tuple.__new__(_kind(argument), map(_value, argument.values))
    raise _Gone


def _kind(argument: Argument) -> type:
    match argument:
        case Abstract() | ItemsArgument():
            return argument.kind
        case NumpyArray():
            return np.ndarray
        case InstanceArgument() | NamedItemsArgument():
            kind = argument.type_of()
            if kind is not None:
                return kind
    raise _Gone


class _Posing:
    """Says that it is of a class which makes no objects without being asked for what is in them."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self._kind


def _hollow(kind: type) -> Any:
    """An object of the class that was never initialised: enough for questions about its class."""
    try:
        return object.__new__(kind)
    except TypeError:
        return _Posing(kind)


# -- what is sure, and what has to be asked --------------------------------------------------


def _fits_whatever_is_inside(hint: Any, kind: type, stand_in: Any) -> bool | None:
    """Whether everything of a class that looks like `stand_in` from outside is of a type."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        fits = {_fits_whatever_is_inside(one, kind, stand_in) for one in get_args(hint)}
        return True if True in fits else None if None in fits else False
    if origin is Annotated:
        fit = _fits_whatever_is_inside(hint.__origin__, kind, stand_in)
        return None if fit and any(map(_is_validator, hint.__metadata__)) else fit
    if origin is None and isinstance(hint, type):
        # What stands in for an array is a tracer, whatever the array is.
        if _asks_the_class(hint) or issubclass(hint, jax.core.Tracer):
            return issubclass(kind, hint)
        if not _is_known(hint):
            return None
        # Since JAX 0.12 the class of arrays that are no tracers has a metaclass of its own.
        if issubclass(kind, hint):
            return True
    if origin is not None and (looks_inside(hint) or _is_emptied(kind, stand_in)):
        apart = isinstance(origin, type) and _asks_the_class(origin)
        return False if apart and not issubclass(kind, origin) else None
    return bool(is_bearable(stand_in, hint))


def _as_originals_answer(hint: Any, argument: Argument) -> bool | None:
    if isinstance(argument, SeenArgument):
        return _as_originals_answer(hint, argument.argument)
    if not isinstance(argument, Abstract | NumpyArray | InstanceArgument):
        return None
    there = argument.originals.all()
    try:
        told = {bool(is_bearable(one, hint)) for one in there or ()}
    except Exception:
        return None
    return told.pop() if len(told) == 1 else None


def _is_validator(metadata: Any) -> bool:
    return type(metadata).__module__.startswith("beartype.vale")


def _asks_the_class(hint: type) -> bool:
    check = type(hint).__instancecheck__
    return check is type.__instancecheck__ or check is abc.ABCMeta.__instancecheck__


_KNOWN = frozenset({"jax", "jaxlib", "jaxtyping", "equinox", "numpy", "plum", "typing", "enum"})
"""Whose metaclasses ask for no more than what a stand-in has, too."""


def _is_known(hint: type) -> bool:
    if getattr(hint, "_is_protocol", False):
        try:
            issubclass(object, hint)
        except TypeError:
            return False  # it asks for attributes
        return True
    return type(hint).__module__.partition(".")[0] in _KNOWN


def _is_emptied(kind: type, stand_in: Any) -> bool:
    """Whether it is the items of an object that are not there."""
    known = isinstance(stand_in, list | tuple | dict | np.ndarray) and type(stand_in) is kind
    return issubclass(kind, Collection) and not known
