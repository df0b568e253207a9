"""Watching a process: `watch`, `install` and `uninstall`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeAlias, get_args

import jax

from plum_jit_lint.events import Cleared, Registered, Traced, Used
from plum_jit_lint.findings import Finding
from plum_jit_lint.runtime import messages, probe, stacked
from plum_jit_lint.runtime.guard import Guard
from plum_jit_lint.runtime.observer import Observer
from plum_jit_lint.runtime.patching import Patches
from plum_jit_lint.runtime.pending_findings import Cases, case_of
from plum_jit_lint.runtime.plumhooks import patch_plum
from plum_jit_lint.runtime.stagehooks import STALE, patch_stages
from plum_jit_lint.runtime.tracehooks import next_calls_through_python, patch_jax
from plum_jit_lint.runtime.watcher import Counts

OnStale: TypeAlias = Literal["warn", "raise", "retrace", "collect"]
ON_STALE: tuple[OnStale, ...] = get_args(OnStale)


@dataclass(slots=True, eq=False)
class Watch:
    """What one `watch(...)` has seen.

    `heard` is called with the findings of each registration that left something stale, just
    after it. Nothing but findings, places and counts is kept.
    """

    on_stale: OnStale
    counts: Counts = field(default_factory=Counts)
    retraced: int = 0
    stale: int = 0
    unknown: int = 0
    """Functions that were compiled before the watch began: what they hold is not known."""
    unseen: tuple[str, ...] = ()
    """What this version of plum or JAX does not let the watch see, each in a few words."""
    heard: Callable[[Sequence[Finding]], None] | None = None
    _cases: Cases = field(default_factory=Cases)
    _settle: Callable[[], Callable[[], None]] | None = None
    """Asks the observer what can be asked at the end only; returns what says it."""

    @property
    def places(self) -> dict[str, set[int]]:
        """Where something was registered: lines of files."""
        return self.counts.places

    @property
    def findings(self) -> list[Finding]:
        """PJ003 and PJ004 by now: registrations that left compiled code behind which was used
        since, or may still be."""
        if self._settle is not None:
            self._settle()()
        return self._cases.findings()

    @property
    def settled(self) -> list[Finding]:
        """Those of `findings` that nothing can undo any more: what is stale was used since."""
        return list(self._cases.settled.values())

    @property
    def stacked(self) -> list[Finding]:
        """PJ001 and PJ002: definitions with both decorators among those that were registered."""
        return stacked.findings(self.places)


class _Pending(threading.local):
    """What is to be said on a thread, when nothing is being observed any more."""

    def __init__(self) -> None:
        self.messages: list[Callable[[], None]] = []


@dataclass(slots=True, eq=False)
class _Session:
    """The one observer of the process, and the watches that listen to it, the innermost last."""

    patches: Patches = field(default_factory=Patches)
    watches: tuple[Watch, ...] = ()
    """Other threads may go through them while one begins or ends."""
    observer: Observer = field(init=False)
    guard: Guard = field(init=False)
    pending: _Pending = field(default_factory=lambda: _Pending())
    cache: object = None
    unseen: tuple[str, ...] = ()
    unknown: int = 0

    def __post_init__(self) -> None:
        self.observer = Observer(self)
        self.guard = Guard(self.observer, self.stood_aside)

    def start(self) -> None:
        self.unknown = probe.compiled_before()
        try:
            self.unseen = probe.start(self._patch)
        except BaseException:
            self.stop()
            raise

    def _patch(self) -> Observer:
        self.cache = patch_jax(self.patches, self.guard)
        patch_stages(self.patches, self.guard)
        patch_plum(self.patches, self.guard)
        return self.observer

    def stop(self) -> None:
        self.patches.restore()
        STALE.clear()
        self.cache = None

    def listening(self, *watches: Watch) -> None:
        """These are the watches from now on."""
        self.watches = watches
        self.observer.counting = tuple(watch.counts for watch in watches)

    def settle(self) -> Callable[[], None]:
        self.observer.settle()
        return self.deliver

    # what the observer tells

    def happened(self, event: Traced | Used | Cleared) -> None:
        for watch in self.watches:
            settled = watch._cases.happened(event)
            retraces = watch.on_stale == "retrace" and watch is self.watches[-1]
            if retraces and watch.heard is None:
                place = event.stack[-1] if event.stack else None
                self.pending.messages += [
                    partial(messages.warn_of_use, one, place) for one in settled
                ]

    def at_once(self) -> bool:
        return any(watch.on_stale in ("warn", "raise") for watch in self.watches)

    def kept_stale(self) -> bool:
        if not self.watches or self.watches[-1].on_stale != "retrace":
            return False
        _clear()
        return True

    def registered(self, registered: Registered, holding: Sequence[tuple[Traced, bool]]) -> None:
        for watch in self.watches:
            watch._cases.restored(registered)
        findings = case_of(holding, registered).findings()
        if not findings or not self.watches:
            return
        for watch in self.watches:
            watch.stale += 1
            if watch.on_stale in ("collect", "retrace"):
                watch._cases.open.append(case_of(holding, registered))
            else:
                watch._cases.settle(findings)
        speaker = self.watches[-1]
        if speaker.on_stale == "retrace":
            speaker.retraced += 1
            _clear()
        elif any(watch.on_stale == "collect" for watch in self.watches):
            next_calls_through_python()
        for watch in self.watches:
            if watch.heard is not None:
                watch.heard(findings)
        if speaker.on_stale == "warn":
            self.pending.messages += [partial(messages.warn, one) for one in findings]
        elif speaker.on_stale == "raise":
            self.pending.messages.append(partial(messages.fail, findings))

    def deliver(self) -> None:
        __tracebackhide__ = True
        waiting, self.pending.messages = self.pending.messages, []
        for word in waiting:
            word()

    # what the guard tells

    def stood_aside(self, hook: str) -> None:
        since = f"{hook}, since a fault"
        self.unseen = (*self.unseen, since)
        for watch in self.watches:
            watch.unseen = (*watch.unseen, since)


def _clear() -> None:
    jax.clear_caches()  # type: ignore[no-untyped-call]


_lock = threading.RLock()
_session: _Session | None = None
_installed: list[Watch] = []


def _begin(on_stale: OnStale) -> Watch:
    global _session
    if on_stale not in ON_STALE:
        raise ValueError(f"on_stale is one of {', '.join(ON_STALE)}, not {on_stale!r}")
    with _lock:
        if _session is None:
            session = _Session()
            session.start()
            _session = session
        watch = Watch(on_stale, unseen=_session.unseen, unknown=_session.unknown)
        watch._settle = _session.settle
        _session.listening(*_session.watches, watch)
        return watch


def _end(watch: Watch) -> Callable[[], None]:
    """Ends a watch; returns what says the last of it."""
    global _session
    with _lock:
        session = _session
        if session is None or watch not in session.watches:
            return _nothing
        if watch._cases.open or len(session.watches) == 1:
            # It takes a garbage collection, which is too much at the end of every test.
            session.settle()
        watch._settle = None
        session.listening(*(one for one in session.watches if one is not watch))
        if not session.watches:
            session.stop()
            _session = None
        return session.deliver


def _nothing() -> None:
    pass


@contextmanager
def watch(on_stale: OnStale = "warn") -> Iterator[Watch]:
    """Watches plum and JAX while the block runs, in all threads.

    What happens when a registration makes compiled code stale is up to `on_stale`:

    - `"warn"`: a `StaleJitWarning` at the line of the registration;
    - `"raise"`: a `StaleJitError` there; the method is registered all the same;
    - `"retrace"`: JAX's caches are cleared, so that the next call is right;
    - `"collect"`: nothing; `findings` of the watch tells what was used stale, or still may be.

    Watches may be nested; the innermost decides. Leaving restores all that was replaced.
    """
    begun = _begin(on_stale)
    try:
        yield begun
    finally:
        say = _end(begun)
    # Not after an exception of the block, which is what the program is to see.
    say()


def install(on_stale: OnStale = "warn") -> Watch:
    """Watches the process from now on, until `uninstall()`. See `watch`."""
    begun = _begin(on_stale)
    _installed.append(begun)
    return begun


def uninstall() -> None:
    """Ends what the last `install()` began; nothing when there is none."""
    if _installed:
        _end(_installed.pop())()
