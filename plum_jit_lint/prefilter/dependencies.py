"""What a result hangs on beside the files themselves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a result hangs on inside of functions: the `bodies` that were read, each by its file
    and its key, and the `names` of which it was asked which of the others mention them."""

    bodies: tuple[tuple[str, str], ...] = ()
    names: frozenset[str] = frozenset()


NOTHING = Dependencies()
