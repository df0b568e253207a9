"""pytest, and `unittest` as tests use it."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.static.models.pytest import handlers, patches

HANDLERS: Mapping[str, Handler] = {**handlers.HANDLERS, **patches.HANDLERS}
