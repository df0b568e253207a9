"""What plum would choose, asked without plum: its own types, its pending methods as well.

plum resolves pending methods at the next call. Resolving them earlier breaks forward references
and pins classes that are redefined (FACTS, "plum"), so the methods are read off to one side and
`plum_jit_lint.resolution` orders them, with plum's own answers about types.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from plum import Function
from plum._bear import is_bearable
from plum._signature import Signature as PlumSignature
from plum._signature import append_default_args

from plum_jit_lint.resolution import Registration, Signature
from plum_jit_lint.runtime.arguments import (
    Abstract,
    Argument,
    Asked,
    Instance,
    Items,
    Itself,
    NumpyArray,
    Plain,
)
from plum_jit_lint.runtime.methods import identity

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


Pending: TypeAlias = tuple[Callable[..., Any], PlumSignature | None, int | None]


@dataclass(frozen=True, eq=False, slots=True)
class Hint:
    """A type of a signature. Not every hint can be hashed, so this stands for it."""

    value: Any


class Unresolved(Exception):
    """A pending method whose annotations name what is not there yet."""


class _Gone(Exception):
    """The class or function that was an argument is no longer there."""


# -- methods ---------------------------------------------------------------------------------


def resolved(function: Function) -> list[Registration[Hint]]:
    """The methods that plum has resolved, in plum's order."""
    return [_registration(m.implementation, [m.signature]) for m in function._resolver.methods]


def pending(one: Pending) -> Registration[Hint]:
    """A method that waits in plum's pending list. `Unresolved` when its types are not there yet."""
    method, signature, precedence = one
    try:
        if signature is None:
            with _annotations_kept(method):
                signature = PlumSignature.from_callable(method, precedence=precedence or 0)
                signatures = append_default_args(signature, method)
        else:
            signatures = append_default_args(copy(signature), method)
    except Exception as error:
        raise Unresolved(str(error)) from error
    return _registration(method, signatures)


def may_read_otherwise(one: Pending) -> bool:
    """Whether a pending method may read otherwise later: it has annotations that are strings."""
    method, signature, _ = one
    annotations = getattr(method, "__annotations__", {})
    return signature is None and any(isinstance(one, str) for one in annotations.values())


def _registration(
    method: Callable[..., Any], signatures: list[PlumSignature]
) -> Registration[Hint]:
    return Registration(tuple(map(_signature, signatures)), identity(method))


def _signature(signature: PlumSignature) -> Signature[Hint]:
    varargs = Hint(signature.varargs) if signature.has_varargs else None
    return Signature(tuple(map(Hint, signature.types)), varargs, signature.precedence)


@contextlib.contextmanager
def _annotations_kept(method: Any) -> Iterator[None]:
    """plum replaces string annotations in place; here they are put back."""
    kept = []
    for _ in range(10):
        annotations = getattr(method, "__annotations__", None)
        if isinstance(annotations, dict):
            kept.append((annotations, dict(annotations)))
        method = getattr(method, "__wrapped__", None)
        if method is None:
            break
    try:
        yield
    finally:
        for annotations, old in kept:
            if annotations != old or list(map(id, annotations.values())) != list(
                map(id, old.values())
            ):
                annotations.clear()
                annotations.update(old)


# -- types -----------------------------------------------------------------------------------


class PlumOracle:
    """plum's own answers about types, and beartype's about arguments that are no longer there.

    Unknown is only what hangs on the inside of an object that was not kept.
    """

    def equal(self, a: Hint, b: Hint) -> bool | None:
        """`plum._type._type_hint_eq`."""
        return a is b or hints_equal(a.value, b.value)

    def below(self, a: Hint, b: Hint) -> bool | None:
        """`plum._type._type_hint_le`."""
        return a is b or hint_below(a.value, b.value)

    def admits(self, hint: Hint, argument: Argument) -> bool | None:
        """Whether plum would match the argument with the type."""
        return _admits(hint.value, argument)


def _admits(hint: Any, argument: Argument) -> bool | None:
    if isinstance(argument, Asked):
        return hint_below(argument.hint, hint)
    if isinstance(argument, Instance):
        return _instance_admitted(hint, argument)
    try:
        value = _value(argument)
    except _Gone:
        return None
    try:
        return bool(is_bearable(value, hint))
    except Exception:
        return None


def _value(argument: Argument) -> Any:
    """Something that every type answers about as it did about the argument."""
    match argument:
        case Abstract():
            return argument.stand_in()
        case Plain():
            return argument.value
        case NumpyArray():
            return np.broadcast_to(np.zeros((), argument.dtype), argument.shape)
        case Itself():
            value = argument.value()
            if value is None:
                raise _Gone
            return value
        case Instance():
            return _hollow(argument)
        case Items():
            values = [_value(one) for one in argument.values]
            if argument.kind is dict:
                return dict(zip(map(_value, argument.keys), values, strict=True))
            return argument.kind(values)
    raise _Gone


def _instance_admitted(hint: Any, argument: Instance) -> bool | None:
    cls = argument.type_of()
    if cls is None:
        return None
    if isinstance(hint, type) and type(hint).__instancecheck__ is type.__instancecheck__:
        return issubclass(cls, hint)
    try:
        if hint_below(cls, hint):
            return True
        fits = bool(is_bearable(_hollow(argument), hint))
    except Exception:
        return None
    # A validator looks inside, where a hollow object has nothing to show.
    return None if fits and "Annotated" in str(hint) else fits


def _hollow(argument: Instance) -> Any:
    """An object of the class that was never initialised: enough for questions about its class."""
    cls = argument.type_of()
    if cls is None:
        raise _Gone
    try:
        return object.__new__(cls)
    except TypeError as error:
        raise _Gone from error
