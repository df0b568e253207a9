"""Proving at the start that the hooks see what they are for, on functions of our own.

plum and JAX change their insides between versions, and a hook that nobody calls any more would
look like a program in which nothing goes wrong. So each hook is tried, and what it does not see
is said.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

import jax
import numpy as np
from plum import Dispatcher, Function

from plum_jit_lint.runtime.observer import Observer
from plum_jit_lint.runtime.patching import CannotPatch
from plum_jit_lint.runtime.watcher import Counts


def start(patch: Callable[[], Observer]) -> tuple[str, ...]:
    """Patches plum and JAX with `patch`, tries every hook, and returns what cannot be seen."""
    try:
        observer = patch()
    except CannotPatch as error:
        return (f"kept traces, and so anything that gets stale ({error})",)
    functions = list(getattr(Function, "_instances", ()))
    try:
        unseen = tuple(_tried(observer))
    except Exception as error:
        # The program did not ask for this, and is not to fail by it.
        unseen = (f"whether anything is seen ({type(error).__name__}: {error})",)
    finally:
        instances = getattr(Function, "_instances", None)
        if instances is not None:
            # plum keeps every function for good, by its own list; ours are not to stay.
            instances[:] = [one for one in instances if one in functions]
        observer.reset()
    return unseen


def _tried(observer: Observer) -> list[str]:
    dispatch: Any = Dispatcher()

    def scale(a: jax.Array) -> Any:
        return a

    def other(a: int) -> Any:
        return a

    unseen = []
    counts = Counts()
    observer.counting = (counts,)
    function: Any = None

    def first() -> None:
        nonlocal function
        function = dispatch(scale)

    forms: tuple[tuple[str, Callable[[], object]], ...] = (
        ("@dispatch", first),
        ("@dispatch(precedence=...)", lambda: dispatch(precedence=1)(scale)),
        ("@dispatch.multi(...)", lambda: dispatch.multi((int,))(scale)),
        ("@f.dispatch", lambda: function.dispatch(other)),
        ("@f.dispatch(precedence=...)", lambda: function.dispatch(precedence=1)(other)),
        ("@f.dispatch_multi(...)", lambda: function.dispatch_multi((int,))(other)),
        ("f.register(...)", lambda: function.register(other)),
    )
    for name, register in forms:
        before = counts.registrations
        register()
        if counts.registrations != before + 1:
            unseen.append(f"registrations by {name}")
    unseen += _traces(observer, function, counts)
    return unseen


def _traces(observer: Observer, function: Any, counts: Counts) -> list[str]:
    """A trace with a choice, a use of it from the cache, and a registration that displaces it."""

    def inner(a: Any) -> Any:
        return function(a)

    jitted: Any = jax.jit(inner)

    def outer(a: Any) -> Any:
        return jitted(a)

    shape = np.zeros((), np.float32)
    told = _Told()
    watcher, observer.watcher = observer.watcher, told
    unseen = []
    try:
        jax.eval_shape(lambda a: jitted(a), shape)
        if not counts.dispatches:
            unseen.append("dispatches under a trace")
        if not counts.traces:
            unseen.append("traces that are kept")
        told.traced.clear()
        jax.eval_shape(outer, shape)
        if not any(event.inner for event in told.traced):
            unseen.append("inner traces that are taken from the cache")

        def scale(a: jax.Array) -> Any:
            return a

        function.dispatch(scale, precedence=1)  # noqa: PJ004 (this is what is to be noticed)
        if not told.registrations:
            unseen.append("registrations that displace a kept choice")
        if "evict_weakref" not in _names(type(jitted).clear_cache):
            unseen.append("clear_cache() of a jitted function")
        if not _hears_of_clearing(observer):
            unseen.append("jax.clear_caches()")
        pjit = import_module("jax._src.pjit")
        if not hasattr(pjit, "_cpp_pjit_cache_fun_only"):
            unseen.append("the next use of a stale function")
    finally:
        observer.watcher = watcher
    return unseen


class _Told:
    """A watcher that only listens."""

    def __init__(self) -> None:
        self.traced: list[Any] = []
        self.registrations = 0

    def happened(self, event: Any) -> None:
        if hasattr(event, "inner"):
            self.traced.append(event)

    def at_once(self) -> bool:
        return False

    def kept_stale(self) -> bool:
        return False

    def registered(self, registered: Any, holding: Any) -> None:
        self.registrations += 1

    def deliver(self) -> None:
        pass


def _names(function: Any) -> tuple[str, ...]:
    return function.__code__.co_names if isinstance(function, FunctionType) else ()


def _hears_of_clearing(observer: Observer) -> bool:
    """Whether one of JAX's registered caches tells `observer`: the user's own are not cleared
    to find out."""
    caches = getattr(import_module("jax._src.util"), "_caches", {})
    listeners = [getattr(cache, "listens_for", lambda: None)() for cache in list(caches)]
    return any(getattr(one, "observer", one) is observer for one in listeners)


def compiled_before() -> int:
    """How many functions JAX keeps traces of already: what those hold is not known."""
    tracer = getattr(import_module("jax._src.interpreters.partial_eval"), "trace_to_jaxpr", None)
    try:
        keys = tracer.cache_keys() if tracer is not None else ()
        functions = {id(one): one for key in keys if (one := key[0]()) is not None}
    except Exception:
        return 0
    return sum(not _is_of_jax(one) for one in functions.values())


def _is_of_jax(function: Any) -> bool:
    while hasattr(function, "func"):
        function = function.func
    module = str(getattr(function, "__module__", "")).partition(".")[0]
    return module in ("jax", "jaxlib", "numpy")
