"""What is replaced in JAX's stages: programs that are compiled for good.

What `jitted.lower(x).compile()` gives is never refreshed, whatever is cleared, and neither is an
exported program (FACTS, "Tracing and caching").
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, Protocol

from plum_jit_lint.runtime.patching import Patches


class Listener(Protocol):
    """Who is told of stages."""

    def lowered(self, program: Any, result: Any) -> None:
        """`result` was made of a traced `program`; either may be made into other stages."""

    def compiled(self, source: Any, result: Any) -> None:
        """`result` was compiled from what `lowered` told of as `source`."""


def patch_stages(patches: Patches, listener: Listener) -> None:
    """Replaces the steps from a trace to a compiled or exported program."""
    stages = import_module("jax._src.stages")
    traced, lowered = getattr(stages, "Traced", None), getattr(stages, "Lowered", None)
    if traced is not None and "lower" in vars(traced):
        patches.replace(
            traced, "lower", _step(traced.lower, lambda s, r: listener.lowered(s.jaxpr, r))
        )
    if lowered is not None and "compile" in vars(lowered):
        patches.replace(lowered, "compile", _step(lowered.compile, listener.compiled))
    try:
        export = import_module("jax._src.export._export")
    except ImportError:
        return
    if hasattr(export, "_export_lowered"):
        patches.replace(
            export,
            "_export_lowered",
            _step(export._export_lowered, lambda s, r: listener.compiled(s, r)),
        )


def _step(original: Callable[..., Any], tell: Callable[[Any, Any], None]) -> Callable[..., Any]:
    def step(self: Any, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        result = original(self, *args, **kw)
        tell(self, result)
        return result

    return wraps(original)(step)
