"""What is known of other libraries by name: one module a library, and here what all have.

Every row is proved against real JAX by `tests/test_knowledge.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.knowledge import equinox, jax
from plum_jit_lint.knowledge.rows import Row

ROWS: Mapping[str, Row] = {row.path: row for row in (*jax.ROWS, *equinox.ROWS)}

SAME: Mapping[str, str] = {**jax.SAME, **equinox.SAME}
"""Other names of the same thing."""

CALLBACKS = (*jax.CALLBACKS, *equinox.CALLBACKS)
"""Callables whose functions run in Python at each call, never under a trace."""


def rows_with(extend_jit: tuple[str, ...]) -> Mapping[str, Row]:
    """The table with the user's own jits added."""
    return {**ROWS, **{path: Row(path, "jit") for path in extend_jit}}
