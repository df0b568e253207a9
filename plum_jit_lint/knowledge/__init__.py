"""What is known of other libraries by name: one module a library, and here what all have.

Every row is proved against real JAX by `tests/test_knowledge.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.knowledge import equinox, jax, numpy, others, standard
from plum_jit_lint.knowledge.rows import Base, Row

ROWS: Mapping[str, Row] = {row.path: row for row in (*jax.ROWS, *equinox.ROWS)}

SAME: Mapping[str, str] = {**jax.SAME, **equinox.SAME}
"""Other names of the same thing."""

CALLBACKS = (*jax.CALLBACKS, *equinox.CALLBACKS)
"""Callables whose functions run in Python at each call, never under a trace."""

BASES: Mapping[str, Base] = {
    base.path: base for base in (*standard.BASES, *equinox.BASES, *others.BASES)
}

DATACLASSES = standard.DATACLASSES | others.DATACLASSES
"""Decorators that have objects of a class compared by their fields."""

ARRAY_CLASSES: Mapping[str, str] = {**jax.CLASSES, **numpy.CLASSES}
"""Classes of arrays and of their members, with the bases of each."""

CLASS_ALIASES: Mapping[str, str] = {
    **standard.ALIASES,
    **jax.ALIASES,
    **numpy.ALIASES,
    **others.ALIASES,
}
"""Other names of classes."""

NOT_TRACEABLE = standard.NOT_TRACEABLE | numpy.NOT_TRACEABLE
"""Classes of which jit takes no object, unless it is static."""

TRACEABLE = (standard.TRACEABLE | set(ARRAY_CLASSES)) - NOT_TRACEABLE
"""Classes of which jit takes any object."""

ADD_NO_METHOD = (
    *("dataclasses.", "jax.", "equinox.", "functools.", "plum.", "typing.", "attr.", "attrs."),
)
"""Libraries of which no decorator gives a class one of the methods that make it a container or
a callable."""

TELL_JAX_NOTHING = (
    *("builtins.", "dataclasses.", "typing.", "typing_extensions.", "functools.", "abc."),
    *("plum.", "collections.", "contextlib."),
)
"""Libraries that tell JAX of no class that they are given."""

OPEN_STARS = ("plum", "jax", "equinox", "functools", "typing", "numpy")
"""Libraries of which `from library import *` is taken to bring the names that nothing else does."""


def rows_with(extend_jit: tuple[str, ...]) -> Mapping[str, Row]:
    """The table with the user's own jits added."""
    return {**ROWS, **{path: Row(path, "jit") for path in extend_jit}}
