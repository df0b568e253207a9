"""Whom the runtime observer tells, and what it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from plum_jit_lint.events import Cleared, Registered, Traced, Used


class Watcher(Protocol):
    """Who is told what was observed."""

    def happened(self, event: Traced | Used | Cleared) -> None:
        """A trace was made, used or cleared."""

    def at_once(self) -> bool:
        """Whether it speaks at the registration itself: then what is garbage has to be gone."""

    def kept_stale(self) -> bool:
        """A trace was made and kept whose choice was displaced meanwhile. Whether it was
        cleared, so that the program that it gave is good for one call only."""

    def registered(self, registered: Registered, holding: Sequence[tuple[Traced, bool]]) -> None:
        """A method was added; `holding` are the traces whose choices it displaces, each with
        whether it was used directly since it was made."""

    def deliver(self) -> None:
        """Says what the last of these gave rise to on this thread. It is the one that may raise:
        a `StaleJitError`, or what the program makes of a warning."""


@dataclass(slots=True, eq=False)
class Counts:
    """What was seen, by one of those who watch."""

    dispatches: int = 0
    traces: int = 0
    registrations: int = 0
    displacing: int = 0
    places: dict[str, set[int]] = field(default_factory=dict)
    """Where something was registered: lines of files."""
