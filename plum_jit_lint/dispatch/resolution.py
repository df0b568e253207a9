"""Which method plum chooses, where some of the types may not be known.

This follows `plum._resolver.Resolver` and `plum._signature.Signature` step by step, over an
oracle that says how types relate. The oracle may not know: then every way to answer the
questions that matter is tried, and each result is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Generic, Protocol, TypeAlias, TypeVar

from plum_jit_lint.limits import MOST_ANSWERS_TRIED, MOST_MATCHING_METHODS, MOST_OPEN_METHODS

H = TypeVar("H")
A = TypeVar("A")
H_contra = TypeVar("H_contra", contravariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
R = TypeVar("R")


class Oracle(Protocol[H_contra, A_contra]):
    """How types relate; `None` means: not known."""

    def equal(self, a: H_contra, b: H_contra) -> bool | None:
        """Whether plum takes both for the same type."""

    def below(self, a: H_contra, b: H_contra) -> bool | None:
        """Whether plum takes `a` for a subtype of `b`."""

    def admits(self, hint: H_contra, argument: A_contra) -> bool | None:
        """Whether an argument matches a type."""


@dataclass(frozen=True)
class Signature(Generic[H]):
    """The positional parameters of one method, as plum sees them; no type may be `None`."""

    types: tuple[H, ...]
    varargs: H | None = None
    precedence: int = 0

    def takes(self, count: int) -> bool:
        """Whether a call with `count` positional arguments can match."""
        return len(self.types) == count or (len(self.types) < count and self.varargs is not None)

    def expand(self, count: int) -> tuple[H, ...]:
        """The types, filled up with the type of the variable arguments to `count`."""
        if self.varargs is None:
            return self.types
        return self.types + (self.varargs,) * (count - len(self.types))


@dataclass(frozen=True)
class Registration(Generic[H]):
    """One registration of a method, with a signature for each number of defaults left out.

    `present` is `None` where it may not have happened. One object is one registration: pass
    the same object to both sides of `changes`.
    """

    signatures: tuple[Signature[H], ...]
    method: Hashable
    present: bool | None = True


class Nothing(Enum):
    """What plum finds when it finds no method."""

    AMBIGUOUS = "ambiguous"
    NONE = "none"


Outcome: TypeAlias = Hashable
"""A registration's `method`, or a `Nothing`."""


def with_defaults(signature: Signature[H], defaults: int) -> tuple[Signature[H], ...]:
    """The signatures of a method whose last `defaults` positional parameters have a default."""
    count = len(signature.types)
    shorter = (
        replace(signature, types=signature.types[: count - left_out], varargs=None)
        for left_out in range(1, min(defaults, count) + 1)
    )
    return (signature, *shorter)


def outcomes(
    registrations: Sequence[Registration[H]], arguments: tuple[A, ...], oracle: Oracle[H, A]
) -> frozenset[Outcome]:
    """Everything that plum may choose for a call."""
    entries = _candidates(registrations, arguments, oracle)
    found = _in_every_world(oracle, arguments, entries, lambda world: world.choose(entries))
    return _anything(entries) if found is None else found


def changes(
    before: Sequence[Registration[H]],
    after: Sequence[Registration[H]],
    arguments: tuple[A, ...],
    oracle: Oracle[H, A],
) -> frozenset[tuple[Outcome, Outcome]]:
    """Everything that plum may choose for one call with each of two method tables.

    The choice surely changes when all pairs differ, and may change when some do. Where too
    much is open there are pairs of both kinds, not all that are possible.
    """
    first = _candidates(before, arguments, oracle)
    second = _candidates(after, arguments, oracle)
    if first == second:
        return frozenset((outcome, outcome) for outcome in outcomes(before, arguments, oracle))
    found = _in_every_world(
        oracle,
        arguments,
        max(first, second, key=len),
        lambda world: (world.choose(first), world.choose(second)),
    )
    if found is not None:
        return found
    old = _anything(first)
    new = (_anything(second) - old) | {Nothing.AMBIGUOUS}
    return frozenset((a, b) for a in old for b in new | {a})


@dataclass(frozen=True)
class _Entry(Generic[H]):
    """One line of plum's method table."""

    signature: Signature[H]
    registration: Registration[H]
    matches: bool | None


def _candidates(
    registrations: Sequence[Registration[H]], arguments: tuple[A, ...], oracle: Oracle[H, A]
) -> list[_Entry[H]]:
    """The signatures that may match. What surely does not match cannot be chosen, nor can it
    replace what does, since equal types admit the same arguments."""
    count = len(arguments)
    entries = []
    for registration in registrations:
        for signature in registration.signatures:
            if registration.present is not False and signature.takes(count):
                matches: bool | None = True
                for hint, argument in zip(signature.expand(count), arguments, strict=True):
                    admitted = oracle.admits(hint, argument)
                    if not admitted:
                        matches = admitted
                    if matches is False:
                        break
                if matches is not False:
                    entries.append(_Entry(signature, registration, matches))
    return entries


def _anything(entries: list[_Entry[H]]) -> frozenset[Outcome]:
    """What can come out when nothing more is known than which signatures may match."""
    return frozenset({*Nothing, *(entry.registration.method for entry in entries)})


def _in_every_world(
    oracle: Oracle[H, A],
    arguments: tuple[A, ...],
    entries: list[_Entry[H]],
    result: Callable[[_World[H, A]], R],
) -> frozenset[R] | None:
    """`result` under every way to answer the open questions, `None` if there are too many.

    A depth-first search: each run repeats the answers of `script` and then says yes; the last
    yes becomes a no for the next run.
    """
    if sum(entry.matches is None for entry in entries) > MOST_OPEN_METHODS:
        return None
    script: list[bool] = []
    results = set()
    for _ in range(MOST_ANSWERS_TRIED):
        try:
            results.add(result(_World(oracle, arguments, script)))
        except _TooMany:
            return None
        while script and not script[-1]:
            script.pop()
        if not script:
            return frozenset(results)
        script[-1] = False
    return None


class _TooMany(Exception):
    """More methods match than are compared."""


class _World(Generic[H, A]):
    """plum's algorithm, with one way to answer what the oracle leaves open."""

    def __init__(self, oracle: Oracle[H, A], arguments: tuple[A, ...], script: list[bool]) -> None:
        self._oracle = oracle
        self._arguments = arguments
        self._script = script
        self._used = 0
        self._present: dict[int, bool] = {}
        self._below: dict[tuple[H, H], bool] = {}
        # By position of the argument: two unknown arguments need not be the same.
        self._admits: dict[int, dict[H, bool]] = {}

    def choose(self, entries: list[_Entry[H]]) -> Outcome:
        """What plum chooses (`Resolver.resolve`)."""
        candidates: list[_Entry[H]] = []
        for entry in self._table(entries):
            signature = entry.signature
            if not any(
                self._le(c.signature, signature) or self._le(signature, c.signature)
                for c in candidates
            ):
                candidates.append(entry)
                continue
            less_general = [c for c in candidates if not self._lt(signature, c.signature)]
            if any(self._le(signature, c.signature) for c in candidates):
                less_general.append(entry)
            candidates = less_general
        if not candidates:
            return Nothing.NONE
        if len(candidates) > 1:
            highest = max(c.signature.precedence for c in candidates)
            candidates = [c for c in candidates if c.signature.precedence == highest]
        return candidates[0].registration.method if len(candidates) == 1 else Nothing.AMBIGUOUS

    def _table(self, entries: list[_Entry[H]]) -> list[_Entry[H]]:
        """The methods that match, in plum's order (`Resolver.register`)."""
        table: list[_Entry[H]] = []
        for entry in entries:
            if not (self._matches(entry) and self._happened(entry.registration)):
                continue
            for i, other in enumerate(table):
                if self._eq(other.signature, entry.signature):
                    table[i] = entry
                    break
            else:
                table.append(entry)
                if len(table) > MOST_MATCHING_METHODS:
                    raise _TooMany
        return table

    def _matches(self, entry: _Entry[H]) -> bool:
        hints = entry.signature.expand(len(self._arguments))
        return entry.matches or all(self._admitted(hint, i) for i, hint in enumerate(hints))

    def _eq(self, a: Signature[H], b: Signature[H]) -> bool:
        """`Signature.__eq__`."""
        if len(a.types) != len(b.types) or a.precedence != b.precedence:
            return False
        if a.varargs is None or b.varargs is None:
            same_varargs = a.varargs is b.varargs
        else:
            same_varargs = self._equal(a.varargs, b.varargs)
        return same_varargs and self._all_equal(a.types, b.types)

    def _le(self, a: Signature[H], b: Signature[H]) -> bool:
        """`Signature.__le__`."""
        if not (a.takes(len(b.types)) or b.takes(len(a.types))):
            return False
        a_types = a.expand(len(b.types))
        b_types = b.expand(len(a.types))
        if self._all_equal(a_types, b_types):
            if a.varargs is None or b.varargs is None:
                return a.varargs is None
        elif all(map(self._is_below, a_types, b_types)):
            if a.varargs is None or b.varargs is None:
                return True
        else:
            return False
        return self._is_below(a.varargs, b.varargs)

    def _lt(self, a: Signature[H], b: Signature[H]) -> bool:
        return self._le(a, b) and not self._eq(a, b)

    def _all_equal(self, a: tuple[H, ...], b: tuple[H, ...]) -> bool:
        return all(map(self._equal, a, b))

    def _equal(self, a: H, b: H) -> bool:
        known = self._oracle.equal(a, b)
        # Not a question of its own, so that it cannot be answered against `below`.
        return self._is_below(a, b) and self._is_below(b, a) if known is None else known

    def _is_below(self, a: H, b: H) -> bool:
        known = self._oracle.below(a, b)
        if known is not None:
            return known
        if (a, b) not in self._below:
            self._below[a, b] = self._oracle.equal(a, b) or self._decide()
        return self._below[a, b]

    def _admitted(self, hint: H, position: int) -> bool:
        known = self._oracle.admits(hint, self._arguments[position])
        if known is not None:
            return known
        answers = self._admits.setdefault(position, {})
        if hint not in answers:
            implied = next(self._implied(hint, answers), None)
            answers[hint] = self._decide() if implied is None else implied
        return answers[hint]

    def _implied(self, hint: H, answers: dict[H, bool]) -> Iterator[bool]:
        """What follows from earlier answers: what a type admits, its supertypes admit."""
        for other, admitted in answers.items():
            lower, upper = (other, hint) if admitted else (hint, other)
            if self._oracle.below(lower, upper):
                yield admitted

    def _happened(self, registration: Registration[H]) -> bool:
        if registration.present is not None:
            return registration.present
        key = id(registration)
        if key not in self._present:
            self._present[key] = self._decide()
        return self._present[key]

    def _decide(self) -> bool:
        """The next answer of the script, which grows by a yes."""
        if self._used == len(self._script):
            self._script.append(True)
        answer = self._script[self._used]
        self._used += 1
        return answer
