"""No fault of the observer reaches the program that is watched.

Whatever goes wrong while something is taken down is told once, in one line, and what went wrong
is not tried again. The program's own call goes on as if nobody watched.
"""

from __future__ import annotations

import contextlib
import platform
import sys
import warnings
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

import jax
import plum

if TYPE_CHECKING:
    from plum_jit_lint.runtime.observer import Observer

DISPATCHES = "dispatches under a trace"
REGISTRATIONS = "registrations"
TRACES = "kept traces"
CLEARING = "cleared caches"
STAGES = "programs compiled for good"

HOOKS: Mapping[str, str] = {
    "dispatched": DISPATCHES,
    "registered": REGISTRATIONS,
    **dict.fromkeys(("opened", "failed", "finished", "program"), TRACES),
    **dict.fromkeys(("reused", "renamed", "left", "fast"), TRACES),
    **dict.fromkeys(("cleared", "forgotten"), CLEARING),
    **dict.fromkeys(("lowered", "compiled", "executed"), STAGES),
}
"""What the hooks tell, and what each is for."""

_OTHERWISE: Mapping[str, object] = {"fast": True}

_WITH: Mapping[str, tuple[str, ...]] = {CLEARING: (TRACES, STAGES)}
"""Who does not hear what is cleared must not take down what is kept."""


class WatchFaultWarning(RuntimeWarning):
    """The watch itself has a fault, and sees less from now on."""


class Guard:
    """Stands between the hooks and the observer.

    `stood_aside` is told of each hook that is not tried again.
    """

    deliver: Callable[[], None]

    def __init__(self, observer: Observer, stood_aside: Callable[[str], None]) -> None:
        self.observer = observer
        self.deliver = observer.deliver
        self._stood_aside = stood_aside
        self._aside: set[str] = set()
        for name, hook in HOOKS.items():
            setattr(self, name, self._guarded(name, hook, _OTHERWISE.get(name)))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _guarded(self, name: str, hook: str, otherwise: object) -> Callable[..., Any]:
        aside, observer = self._aside, self.observer

        def guarded(*arguments: Any) -> Any:
            __tracebackhide__ = True
            if hook in aside:
                return otherwise
            try:
                return getattr(observer, name)(*arguments)
            except (RecursionError, MemoryError):
                # These limits are the program's, which may well be about to meet them itself.
                self._forget(hook)
            except Exception as error:
                self._forget(hook)
                self._stand_aside(hook, error)
            return otherwise

        return guarded

    def _forget(self, hook: str) -> None:
        if hook == TRACES:
            # Nobody may come to close them.
            self.observer.open_traces.clear()

    def _stand_aside(self, hook: str, error: Exception) -> None:
        fresh = {hook, *_WITH.get(hook, ())} - self._aside
        self._aside |= fresh
        for one in sorted(fresh):
            self._stood_aside(one)
        if hook in fresh:
            _tell(hook, error)


def _tell(hook: str, error: Exception) -> None:
    file, line = _origin(error.__traceback__)
    text = (
        f"plum-jit-lint has a fault in its hook for {hook}: {type(error).__name__}: {error} "
        f"({file}:{line}). The program goes on, and no more of these are seen. Please report this "
        f"line, with plum-dispatch {getattr(plum, '__version__', '?')}, jax {jax.__version__}, "
        f"Python {platform.python_version()}."
    )
    try:
        warnings.warn_explicit(text, WatchFaultWarning, file, line, module=__name__)
    except Exception:
        # Where warnings are errors, this one is none of the program's.
        with contextlib.suppress(Exception):
            print(text, file=sys.stderr)


def _origin(tb: TracebackType | None) -> tuple[str, int]:
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    return ("?", 0) if tb is None else (tb.tb_frame.f_code.co_filename, tb.tb_lineno)
