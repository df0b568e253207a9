"""Which of the choices that traces hold a registration displaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from plum import Function

from plum_jit_lint.dispatch.resolution import Registration
from plum_jit_lint.events import Choice, Displaced, Traced
from plum_jit_lint.runtime.arguments import Argument
from plum_jit_lint.runtime.held import Key, OpenTrace, TraceTable
from plum_jit_lint.runtime.matching import HeldHint
from plum_jit_lint.runtime.renewed import as_made_anew
from plum_jit_lint.runtime.resolver_view import Pending
from plum_jit_lint.runtime.stagehooks import STALE
from plum_jit_lint.runtime.tables import Change, Known, Tables, method_of, outcome_word

Arguments: TypeAlias = tuple[Argument, ...]

UNSURE = "what a new trace chooses depends on what is inside an argument that is gone"


def is_held(known: Known, held: TraceTable, opened: Sequence[OpenTrace]) -> bool:
    """Whether any trace chose from a function."""
    if held.holding(known.number):
        return True
    return any(number == known.number for one in opened for number, _ in list(one.choices))


@dataclass(slots=True)
class Displacing:
    """One registration, and what it changes for arguments that were met."""

    tables: Tables
    known: Known
    function: Function
    added: Sequence[Registration[HeldHint]]
    fresh: Sequence[Pending]
    before: Sequence[Registration[HeldHint]] = ()
    changes: Mapping[Arguments, Change | None] | None = None

    def may_change(self, held: TraceTable, opened: Sequence[OpenTrace]) -> bool:
        """Whether any choice that is held may change. Most registrations change none."""
        given = set().union(*held.holding(self.known.number).values())
        for one in opened:
            given.update(key[1] for key in list(one.choices) if key[0] == self.known.number)
        may_match = self.tables.may_match
        # Nothing is known here of what traces were given: any of it may have been made anew.
        anew = {one: as_made_anew(one, frozenset()) for one in given}
        given = {
            one
            for one in given
            if may_match(self.added, one)
            or (anew[one] is not one and may_match(self.added, anew[one]))
        }
        if not given:
            return False
        self.before = self.tables.before(self.function, self.fresh)
        self.changes = {one: self._change(one) for one in given}
        return any(self.changes[one] or anew[one] is not one for one in given)

    def _change(self, one: Arguments, *, asks: bool = False) -> Change | None:
        return self.tables.change(self.before, self.added, one, asks=asks)

    def displaced(
        self, held: TraceTable, opened: Sequence[OpenTrace]
    ) -> tuple[list[Displaced], list[tuple[Traced, bool]]]:
        """What is displaced, and the traces that hold it, each with whether it was used directly
        since it was made."""
        candidates = [one[0] for one in self.fresh]
        candidates += [method.implementation for method in self.function._resolver.methods]
        candidates += [one[0] for one in self.function._pending]
        found: list[Displaced] = []
        holding: list[tuple[Traced, bool]] = []
        outer: dict[int, OpenTrace] = {}
        kept = [held.entries[number] for number in held.holding(self.known.number)]
        for entry in sorted(kept, key=lambda one: one.order):
            some = list(self._of(entry.number, entry.choices, entry.passed, candidates))
            if some:
                if entry.event.frozen and entry.function is not None:
                    STALE.add(id(entry.function()))
                holding.append((entry.event, entry.used_directly))
                outer.update(entry.outer)
                found += some
        holding += [
            (one.traced(), False) for one in outer.values() if one.number not in held.entries
        ]
        # The innermost of those that are being made ends first.
        for running in sorted(opened, key=lambda one: -one.number):
            some = list(self._of(running.number, running.choices, None, candidates))
            if some:
                running.stale = True
                holding.append((running.traced(), False))
                found += some
        return found, holding

    def _of(
        self,
        entry: int,
        choices: Mapping[Key, Choice],
        passed: frozenset[int] | None,
        candidates: Sequence[Any],
    ) -> Iterator[Displaced]:
        """What is displaced in one trace."""
        for one, known in (self.changes or {}).items():
            key = (self.known.number, one)
            choice = choices.get(key)
            if choice is None:
                continue
            change = known
            if (known is not None and not known.sure) or as_made_anew(one, frozenset()) is not one:
                # Each trace has arguments of its own, which may still be there.
                own = next(own for own in choices if own == key)[1]
                change = self._change(as_made_anew(own, passed), asks=True)
            if change is not None:
                retrace_choice = outcome_word(change.retrace_choice) or method_of(
                    self.known.id, change.retrace_choice, [*self.added, *self.before], candidates
                )
                why = "" if change.sure else UNSURE
                yield Displaced(entry, choice, retrace_choice, change.sure, why)
