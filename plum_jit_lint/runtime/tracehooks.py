"""What is replaced in JAX: where a trace is made or taken from the cache, and where caches are
cleared.

Every kept trace of JAX comes out of one cached function, `trace_to_jaxpr`, whether `jit`, `scan`,
`cond`, `checkpoint` or `eval_shape` asks for it. While that function runs, Python runs under a
trace; when it returns a program that was there before, the trace came from the cache. A few
caches lie above it and answer without it: they are `_LAYERS`.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import Any, Protocol

from plum_jit_lint.runtime.patching import CannotPatch, Patches

OPEN: dict[int, list[Any]] = {}
"""The traces that are being made, by thread, the innermost last. It is empty while no thread
traces anything, which is the one question that every dispatch asks."""

_TRACER = ("jax._src.interpreters.partial_eval", "trace_to_jaxpr")
_OTHER_TRACERS = (
    ("jax._src.ad_checkpoint", "_trace_to_jaxpr"),
    ("jax._src.custom_derivatives", "_closure_convert_for_avals"),
    ("jax._src.lax.lax", "_reduction_jaxpr"),
    ("jax._src.lax.lax", "_variadic_reduction_jaxpr"),
)
"""Cached functions that wrap what they are given before they trace it, or trace it by
themselves: their entries hang on their own argument and result."""

_LAYERS = (("jax._src.pjit", "_infer_params", lambda result: result[0].params["jaxpr"]),)


class TraceListener(Protocol):
    """Who is told what happens in JAX."""

    def opened(self, cache: str) -> Any:
        """A trace may be about to be made; returns what `OPEN` is to hold for it, or `None` when
        nobody wants to hear more of it."""

    def failed(self, opened: Any) -> None:
        """It raised, and is not kept."""

    def finished(
        self, opened: Any, function: Any, given: Any, program: Any, frame: FrameType
    ) -> None:
        """`program` is kept for `function` and what it was `given`, or was."""

    def program(self, of: Callable[[Any], Any], result: Any) -> Any:
        """`of(result)`, the program in what a layer gave; `None` when there is none."""

    def reused(self, program: Any, frame: FrameType) -> None:
        """A cache above took `program` without asking for a trace."""

    def renamed(self, program: Any) -> None:
        """The program of the trace that finished last goes by another object."""

    def forgotten(self, function: Any, cache: str) -> None:
        """The traces of `function` in one cache are cleared."""

    def cleared(self) -> None:
        """All traces are cleared."""

    def left(self) -> None:
        """A call into JAX is about to return to the program, with no trace running above it."""

    def fast(self) -> bool:
        """Whether the compiled program may be called without Python from now on."""


class _Finished(threading.local):
    """How many traces a thread has asked for, and in how many layers above it is."""

    count = 0
    layers = 0


_finished = _Finished()


class TraceSpy:
    """Stands in for JAX's `trace_to_jaxpr`."""

    def __init__(self, original: Any, cache: str, listener: TraceListener) -> None:
        self._original = original
        self._cache = cache
        self._listener = listener

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __call__(self, fun: Any, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        listener = self._listener
        thread = threading.get_ident()
        opened = listener.opened(self._cache)
        if opened is None:
            return self._original(fun, *args, **kw)
        traces = OPEN.setdefault(thread, [])
        traces.append(opened)
        kept = False
        try:
            result = self._original(fun, *args, **kw)
            kept = True
        finally:
            traces.pop()
            if not traces:
                del OPEN[thread]
            if not kept:
                listener.failed(opened)
        _finished.count += 1
        listener.finished(opened, fun, args[0] if args else None, result[0], sys._getframe(1))
        if not traces and not _finished.layers:
            listener.left()
        return result

    def evict_weakref(self, fun: Any) -> Any:
        """What `clear_cache()` of a jitted function calls."""
        result = self._original.evict_weakref(fun)
        self._listener.forgotten(fun, self._cache)
        return result


class _Cache:
    """A cache among JAX's caches: it is told when all are cleared, whoever does it."""

    def __init__(self, listener: TraceListener) -> None:
        self.listens_for = weakref.ref(listener)

    def cache_clear(self) -> None:
        listener = self.listens_for()
        if listener is not None:
            listener.cleared()

    def cache_info(self) -> None:
        return None

    def cache_keys(self) -> list[Any]:
        return []


def _layer(
    original: Callable[..., Any], program_of: Callable[[Any], Any], listener: TraceListener
) -> Callable[..., Any]:
    def layer(*args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        before = _finished.count
        _finished.layers += 1
        try:
            result = original(*args, **kw)
        finally:
            _finished.layers -= 1
        program = listener.program(program_of, result)
        if _finished.count == before:
            listener.reused(program, sys._getframe(1))
        else:
            listener.renamed(program)
        if not _finished.layers and threading.get_ident() not in OPEN:
            listener.left()
        return result

    return _Layer(original, layer)


class _Layer:
    """A cached function of JAX with another call; it is cleared and asked as before."""

    def __init__(self, original: Any, call: Callable[..., Any]) -> None:
        self._original = original
        self._call = call

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __call__(self, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        return self._call(*args, **kw)


def patch_jax(patches: Patches, listener: TraceListener) -> _Cache:
    """Replaces what makes and keeps traces. The result has to be kept as long as it is to hear
    of cleared caches. `CannotPatch` when this version of JAX has no such function."""
    module, name = _TRACER
    home, original = _find(module, name)
    if original is None or not hasattr(original, "evict_weakref"):
        raise CannotPatch("JAX has no `trace_to_jaxpr` that keeps traces")
    patches.replace(home, name, TraceSpy(original, f"{module}.{name}", listener))
    for module, name in _OTHER_TRACERS:
        home, original = _find(module, name)
        if original is not None:
            patches.replace(home, name, TraceSpy(original, f"{module}.{name}", listener))
    for module, name, program_of in _LAYERS:
        home, original = _find(module, name)
        if original is not None:
            patches.replace(home, name, _layer(original, program_of, listener))
    home, original = _find("jax._src.pjit", "_get_fastpath_data")
    if original is not None:
        patches.replace(home, "_get_fastpath_data", _fast_path(original, listener))
    cache = _Cache(listener)
    util = import_module("jax._src.util")
    util.register_cache(cache, "plum-jit-lint")
    return cache


def _fast_path(original: Callable[..., Any], listener: TraceListener) -> Callable[..., Any]:
    def _get_fastpath_data(*args: Any, **kw: Any) -> Any:
        return original(*args, **kw) if listener.fast() else None

    return _get_fastpath_data


def _find(module: str, name: str) -> tuple[Any, Any]:
    try:
        home = import_module(module)
    except ImportError:
        return None, None
    return home, getattr(home, name, None)


def next_calls_through_python() -> None:
    """The next call of every jitted function goes through Python once, without being traced or
    compiled again. It is how the use of a stale function is seen
    (`docs/facts.md#seeing-the-next-call`).
    """
    pjit = import_module("jax._src.pjit")
    for name in ("_cpp_pjit_cache_fun_only", "_cpp_pjit_cache_explicit_attributes"):
        cache = getattr(pjit, name, None)
        if cache is not None:
            cache.clear()
