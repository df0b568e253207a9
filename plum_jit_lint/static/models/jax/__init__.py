"""JAX."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.static.models.jax import handlers

HANDLERS: Mapping[str, Handler] = handlers.HANDLERS
