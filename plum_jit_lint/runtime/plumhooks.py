"""What is replaced in plum: every dispatch, and every way to register a method."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial, wraps
from types import FrameType
from typing import Any, Protocol

import plum._function
from plum import Dispatcher, Function

from plum_jit_lint.runtime.patching import Patches
from plum_jit_lint.runtime.tracehooks import OPEN

_MARK = "_plum_jit_lint"


class PlumListener(Protocol):
    """Who is told what happens in plum."""

    def dispatched(
        self, function: Function, arguments: tuple[Any, ...], asked: bool, frame: FrameType
    ) -> None:
        """A call under a trace; `asked`: `arguments` are the types of `f.invoke(...)`."""

    def registered(self, function: Function, frame: FrameType) -> None:
        """Methods were appended to the pending ones; `frame` is the one that asked for it."""

    def deliver(self) -> None:
        """Says what that gave rise to; the program hears of it."""


class _Nesting(threading.local):
    """How deep in registrations a thread is: one method of plum calls another."""

    depth = 0


def patch_plum(patches: Patches, listener: PlumListener) -> None:
    """Replaces the entrances of plum's classes with ones that tell `listener`."""
    _patch_dispatch(patches, listener)
    nesting = _Nesting()
    for owner, name in (
        (Dispatcher, "__call__"),
        (Dispatcher, "multi"),
        (Function, "dispatch"),
        (Function, "dispatch_multi"),
        (Function, "register"),
    ):
        hook = _registering(owner.__dict__[name], listener, nesting)
        patches.replace(owner, name, hook)


def _patch_dispatch(patches: Patches, listener: PlumListener) -> None:
    call: Callable[..., Any] = Function.__dict__["__call__"]
    invoke: Callable[..., Any] = Function.__dict__["invoke"]
    in_trace = OPEN
    getframe = sys._getframe
    dispatched = listener.dispatched

    convert: Any = getattr(plum._function, "_convert", None)
    known = convert is not None and _version() < (2, 11)

    # This runs at every dispatch of the process; only while something is traced, somewhere,
    # there can be more to do.
    def call_plum(self: Function, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        if in_trace:
            dispatched(self, args, False, getframe(1))
        return call(self, *args, **kw)

    # Going back into the compiled `__call__` costs as much as the dispatch itself. These two
    # lines are all that it does.
    def call_method(self: Function, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        if in_trace:
            dispatched(self, args, False, getframe(1))
        method, returns = self._resolve_method_with_cache(args)
        if returns is Any:
            return method(*args, **kw)
        return convert(method(*args, **kw), returns)

    def hooked_invoke(self: Function, /, *types: Any) -> Any:
        __tracebackhide__ = True
        if in_trace:
            dispatched(self, types, True, getframe(1))
        return invoke(self, *types)

    hooked_invoke.__name__ = "invoke"
    patches.replace(Function, "__call__", wraps(call)(call_method if known else call_plum))
    patches.replace(Function, "invoke", wraps(invoke)(hooked_invoke))


def _version() -> tuple[int, ...]:
    numbers = str(getattr(plum, "__version__", "")).split(".")[:2]
    return tuple(map(int, numbers)) if all(map(str.isdigit, numbers)) else (2, 999)


def _registering(
    original: Callable[..., Any], listener: PlumListener, nesting: _Nesting
) -> Callable[..., Any]:
    """`original`, followed by telling `listener` when it has registered something.

    What `multi` and `dispatch(precedence=...)` return registers when it is called.
    """

    def hook(self: Any, /, *args: Any, **kw: Any) -> Any:
        __tracebackhide__ = True
        nesting.depth += 1
        try:
            result = original(self, *args, **kw)
        finally:
            nesting.depth -= 1
        if isinstance(result, Function):
            function = result
        elif result is None and isinstance(self, Function):
            function = self
        elif _is_own(result):
            return result  # `partial(self.__call__, ...)` comes back here by itself
        elif callable(result):
            return _decorator(result, listener, nesting)
        else:
            return result
        if not nesting.depth:
            listener.registered(function, sys._getframe(1))
            listener.deliver()
        return result

    setattr(hook, _MARK, True)
    return wraps(original)(hook)


def _is_own(result: Any) -> bool:
    """Whether calling `result` comes back to a replaced method by itself."""
    method = getattr(result.func, "__func__", None) if isinstance(result, partial) else None
    return hasattr(method, _MARK)


def _decorator(
    original: Callable[..., Any], listener: PlumListener, nesting: _Nesting
) -> Callable[..., Any]:
    @wraps(original)
    def decorator(method: Callable[..., Any], /) -> Any:
        __tracebackhide__ = True
        nesting.depth += 1
        try:
            result = original(method)
        finally:
            nesting.depth -= 1
        if isinstance(result, Function) and not nesting.depth:
            listener.registered(result, sys._getframe(1))
            listener.deliver()
        return result

    return decorator
