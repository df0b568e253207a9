"""What is replaced in JAX's stages: programs that are compiled for good.

What `jitted.lower(x).compile()` gives is never refreshed, whatever is cleared, and neither is an
exported program (`docs/facts.md#compiled-for-good`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import FrameType
from typing import Any, Protocol

from plum_jit_lint.runtime.patching import Patches
from plum_jit_lint.runtime.tracehooks import OPEN

STALE: set[int] = set()
"""Which compiled programs (by identity) are stale and were not called since. A call of one costs
little, and asks no more than this."""


class StageListener(Protocol):
    """Who is told of stages."""

    def lowered(self, traced: Any, result: Any) -> None:
        """`result` was made of what was traced; either may be made into other stages."""

    def compiled(self, source: Any, result: Any) -> None:
        """`result` was compiled from what `lowered` told of as `source`."""

    def executed(self, compiled: Any, frame: FrameType) -> None:
        """What `compiled` told of is about to be called from `frame`."""

    def deliver(self) -> None:
        """Says what that gave rise to; the program hears of it."""


def patch_stages(patches: Patches, listener: StageListener) -> None:
    """Replaces the steps from a trace to a compiled or exported program."""
    stages = import_module("jax._src.stages")
    traced, lowered = getattr(stages, "Traced", None), getattr(stages, "Lowered", None)
    if traced is not None and "lower" in vars(traced):
        patches.replace(traced, "lower", _step(traced.lower, listener.lowered))
    if lowered is not None and "compile" in vars(lowered):
        patches.replace(lowered, "compile", _step(lowered.compile, listener.compiled))
    compiled = getattr(stages, "Compiled", None)
    if compiled is not None and "__call__" in vars(compiled):
        patches.replace(compiled, "__call__", _call(compiled.__call__, listener))
    try:
        export = import_module("jax._src.export._export")
    except ImportError:
        return
    if hasattr(export, "_export_lowered"):
        patches.replace(
            export,
            "_export_lowered",
            _step(export._export_lowered, listener.compiled),
        )
    exported = getattr(export, "Exported", None)
    if exported is not None and "call" in vars(exported):
        patches.replace(exported, "call", _call(exported.call, listener))


def _step(original: Callable[..., Any], tell: Callable[[Any, Any], None]) -> Callable[..., Any]:
    def step(self: Any, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        result = original(self, *args, **kw)
        tell(self, result)
        return result

    return wraps(original)(step)


def _call(original: Callable[..., Any], listener: StageListener) -> Callable[..., Any]:
    def call(self: Any, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        if OPEN or id(self) in STALE:
            listener.executed(self, sys._getframe(1))
            listener.deliver()
        return original(self, *args, **kw)

    return wraps(original)(call)
