"""Replacing attributes of classes and modules, so that everything is put back as it was."""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_VECTORCALL = 1 << 11
"""`Py_TPFLAGS_HAVE_VECTORCALL`."""

_ABSENT = object()


class CannotPatch(Exception):
    """Something that this build of Python, plum or JAX does not let be replaced."""


class Patches:
    """Replaced attributes, which `restore` puts back in the opposite order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []
        self._flags: list[tuple[type, int]] = []

    def replace(self, owner: Any, name: str, new: Any) -> None:
        """Sets `owner.name` to `new`. `CannotPatch` when `owner` does not take it."""
        old = vars(owner).get(name, _ABSENT)
        if isinstance(owner, type) and not any(owner is kept for kept, _ in self._flags):
            self._flags.append((owner, owner.__flags__))
        try:
            setattr(owner, name, new)
        except (AttributeError, TypeError) as error:
            raise CannotPatch(str(error)) from None
        self._undo.append((owner, name, old))
        if isinstance(owner, type) and name == "__call__":
            _clear_vectorcall(owner)

    def restore(self) -> None:
        """Puts everything back: attributes, and the flags of classes."""
        while self._undo:
            owner, name, old = self._undo.pop()
            if old is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
        while self._flags:
            owner, flags = self._flags.pop()
            if flags & _VECTORCALL and not owner.__flags__ & _VECTORCALL:
                with _flags_of(owner) as word:
                    word.value |= _VECTORCALL


def _clear_vectorcall(cls: type) -> None:
    """Makes a compiled class heed its new `__call__`.

    CPython does that by itself since 3.12. On 3.11 it calls straight into the compiled code as
    long as the class has this flag (`docs/facts.md#compiled-classes-and-their-call`).
    """
    if cls.__flags__ & _VECTORCALL and sys.version_info < (3, 12):
        with _flags_of(cls) as word:
            word.value &= ~_VECTORCALL


@contextmanager
def _flags_of(cls: type) -> Iterator[ctypes.c_ulong]:
    """`tp_flags` of a class, to be changed. The layout is checked before anything is written."""
    if sys.implementation.name != "cpython" or struct.calcsize("P") != 8:
        raise CannotPatch("this Python keeps the flags of classes elsewhere")
    # 3 words of the object head and size, name, 2 sizes, 14 pointers and one offset before it.
    word = ctypes.c_ulong.from_address(id(cls) + 168)
    if word.value != cls.__flags__ & (2**64 - 1):
        raise CannotPatch("this Python keeps the flags of classes elsewhere")
    yield word
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
