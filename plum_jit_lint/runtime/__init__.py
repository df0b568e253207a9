"""The runtime observer: the same findings, seen in a live process with real plum and JAX.

from plum_jit_lint.runtime import watch

with watch("warn"):
    ...
"""

from __future__ import annotations

try:
    import jax as _jax  # noqa: F401
    import plum as _plum  # noqa: F401
except ImportError as _error:
    raise ImportError(
        f"plum_jit_lint.runtime needs plum and JAX ({_error}): "
        "pip install 'plum-jit-lint[runtime]'",
        name=_error.name,
    ) from None

from plum_jit_lint.runtime.messages import StackedJitWarning, StaleJitError, StaleJitWarning
from plum_jit_lint.runtime.watch import ON_STALE, OnStale, Watch, install, uninstall, watch

__all__ = [
    "ON_STALE",
    "OnStale",
    "StackedJitWarning",
    "StaleJitError",
    "StaleJitWarning",
    "Watch",
    "install",
    "uninstall",
    "watch",
]
