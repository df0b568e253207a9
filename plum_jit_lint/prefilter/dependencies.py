"""What a result depends on beside which files there are and what they say outside of functions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a result depends on inside of functions."""

    bodies: tuple[tuple[str, str], ...] = ()
    """The function bodies that were read, each by its file and its key."""
    names: frozenset[str] = frozenset()
    """The names that were looked for in the bodies that were not read."""


NOTHING = Dependencies()
