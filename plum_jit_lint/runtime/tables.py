"""The method tables of plum's functions as they grow, and what a registration changes in them."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Hashable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from plum import Function

from plum_jit_lint.dispatch.resolution import Nothing, Outcome, Registration, Signature, changes
from plum_jit_lint.events import FunctionId, Method, NoMethod
from plum_jit_lint.runtime import resolver_view
from plum_jit_lint.runtime.arguments import Argument, Records, SeenArgument, record
from plum_jit_lint.runtime.matching import HeldHint, PlumOracle, answers, is_open
from plum_jit_lint.runtime.methods import describe, function_id, identity
from plum_jit_lint.runtime.resolver_view import Pending

LIVE_FOR_GOOD = hasattr(Function, "_instances")
"""Whether plum keeps every function for the life of the process, as it does up to 2.10.

Then there is nothing to be gained from weak references to them, and something to lose: in the
compiled build a function that dies while there is a weak reference to it ends the process with a
segmentation fault (plum 2.10.1, Python 3.11)."""


def by_function() -> MutableMapping[Function, Any]:
    """An empty mapping with dispatched functions as its keys, which keeps none of them alive
    that would not live anyway."""
    return {} if LIVE_FOR_GOOD else weakref.WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Known:
    """A dispatched function: its number, its name in events, and how many registrations it had
    when it was looked at last."""

    number: int
    id: FunctionId


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a held choice, and whether that is sure: it is, but for what depends on
    the inside of an argument that cannot be asked any more."""

    retrace_choice: Outcome
    sure: bool


class Tables:
    """The dispatched functions of the process. Nothing is kept alive by it."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._known: MutableMapping[Function, Known] = by_function()
        self._seen: MutableMapping[Function, int] = by_function()
        self._read: MutableMapping[Function, dict[int, tuple[Pending, Registration[HeldHint]]]] = (
            by_function()
        )
        self._looking: MutableMapping[Function, tuple[int, list[Signature[HeldHint]]]] = (
            by_function()
        )
        self._oracle = PlumOracle(asks=False)
        self._asking = PlumOracle(asks=True)
        for function in list(getattr(Function, "_instances", ())):
            self._seen[function] = _count(function)

    def known(self, function: Function) -> Known:
        """The number and the name of a function."""
        found = self._known.get(function)
        if found is None:
            number = next(self._numbers)
            found = self._known[function] = Known(number, function_id(function, number))
        return found

    def record(
        self, function: Function, values: tuple[Any, ...], records: Records
    ) -> tuple[Argument, ...]:
        """The abstract arguments of a call, with what they answer those methods that look inside
        them. The pending methods are resolved; `records` are those of the trace so far."""
        recorded = record(values, records)
        looking = self._that_look_inside(function)
        if not looking:
            return recorded
        expanded = [one.expand(len(values)) for one in looking if one.takes(len(values))]
        given = []
        for position, argument in enumerate(recorded):
            told = answers((hints[position].value for hints in expanded), values[position])
            given.append(SeenArgument(argument, told) if told else argument)
        return tuple(given)

    def _that_look_inside(self, function: Function) -> list[Signature[HeldHint]]:
        if function._resolver.is_faithful:
            return []
        count = len(function._resolved)
        known = self._looking.get(function)
        if known is None or known[0] != count:
            signatures = [s for one in resolver_view.resolved(function) for s in one.signatures]
            looking = [
                one
                for one in signatures
                if any(is_open(hint.value) for hint in one.expand(len(one.types) + 1))
            ]
            known = self._looking[function] = (count, looking)
        return known[1]

    def fresh(self, function: Function) -> list[Pending]:
        """The methods that were appended since this was asked last, in their order."""
        count = _count(function)
        new = max(0, count - self._seen.get(function, 0))
        self._seen[function] = count
        waiting = list(function._pending)
        return waiting[max(0, len(waiting) - new) :]

    def catch_up(self, function: Function) -> None:
        """A function that registered unseen: what it has by now is no news later."""
        self._seen[function] = _count(function)

    def added(self, fresh: Sequence[Pending]) -> list[Registration[HeldHint]]:
        """What fresh methods add. `resolver_view.Unresolved` when one cannot be read yet."""
        return [resolver_view.pending(one) for one in fresh]

    def before(self, function: Function, fresh: Sequence[Pending]) -> list[Registration[HeldHint]]:
        """The methods as they were just before `fresh` was appended."""
        with getattr(function, "_lock", None) or contextlib.nullcontext():
            waiting = list(function._pending)
            earlier = waiting[: len(waiting) - len(fresh)]
            found = resolver_view.resolved(function)
            if [one[0] for one in waiting[len(earlier) :]] != [one[0] for one in fresh]:
                # plum has resolved them, and perhaps later ones, since they were registered.
                everything = [*function._resolved, *waiting]
                methods = [one[0] for one in everything]
                earlier = everything[: methods.index(fresh[0][0])]
                found = []
        known = self._read.get(function, {})
        read: dict[int, tuple[Pending, Registration[HeldHint]]] = {}
        for one in earlier:
            kept = known.get(id(one))
            if kept is not None and kept[0] is one:
                found.append(kept[1])
                read[id(one)] = kept
                continue
            # One that cannot be read yet was told of when it was registered.
            with contextlib.suppress(resolver_view.Unresolved):
                found.append(resolver_view.pending(one))
                if not resolver_view.may_read_otherwise(one):
                    read[id(one)] = (one, found[-1])
        self._read[function] = read
        return found

    def change(
        self,
        before: Sequence[Registration[HeldHint]],
        added: Sequence[Registration[HeldHint]],
        arguments: tuple[Argument, ...],
        *,
        asks: bool = False,
    ) -> Change | None:
        """What `added` makes of the choice for `arguments`; `None` when that stays as it is.
        `asks`: those that are still there are asked what they are."""
        oracle = self._asking if asks else self._oracle
        pairs = changes(before, [*before, *added], arguments, oracle)
        differing = [pair for pair in pairs if pair[0] != pair[1]]
        if not differing:
            return None
        after = [pair[1] for pair in differing]
        fresh = [one.method for one in added if one.method in after]
        return Change((fresh or sorted(after, key=str))[0], len(differing) == len(pairs))

    def may_match(
        self, added: Sequence[Registration[HeldHint]], arguments: tuple[Argument, ...]
    ) -> bool:
        """Whether one of `added` takes part in the choice at all. Most registrations do not."""
        count = len(arguments)
        return any(
            signature.takes(count)
            and not any(
                self._oracle.admits(hint, argument) is False
                for hint, argument in zip(signature.expand(count), arguments, strict=True)
            )
            for one in added
            for signature in one.signatures
        )


def _count(function: Function) -> int:
    return len(function._resolved) + len(function._pending)


def method_of(
    name: FunctionId,
    outcome: Hashable,
    before: Iterable[Registration[HeldHint]],
    candidates: Iterable[Any],
) -> Method:
    """The method that `identity` names `outcome`, out of plum's own objects."""
    for one in candidates:
        if identity(one) == outcome:
            for registration in before:
                if registration.method == outcome:
                    return describe(name, one, types_of(registration))
            return describe(name, one, ())
    return Method(str(name), None)


def types_of(registration: Registration[HeldHint]) -> tuple[Any, ...]:
    """The types of a method's parameters."""
    return tuple(hint.value for hint in registration.signatures[0].types)


def outcome_word(outcome: Outcome) -> NoMethod | None:
    """`ambiguous` or `none`, when that is what is chosen."""
    if not isinstance(outcome, Nothing):
        return None
    return "ambiguous" if outcome is Nothing.AMBIGUOUS else "none"
