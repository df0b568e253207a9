"""What a run keeps of methods, choices and traces."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from plum_jit_lint.dispatch.resolution import Registration
from plum_jit_lint.events import SURELY, Choice, FunctionId, Method, PathCondition
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import trace_keys
from plum_jit_lint.static.interpreter.values import SERIALS, Arguments, Value
from plum_jit_lint.static.types.hints import Argument, Hint


@dataclass(frozen=True, slots=True)
class Key:
    """What makes two registered methods the same one: the definition, and what it captures.
    `certain` is false where the source does not tell what that is."""

    place: Place | None
    captured: Hashable = ()
    certain: bool = field(default=True, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A registration as the method table holds it. `body` is what a choice of it calls."""

    function: FunctionId
    registration: Registration[Hint]
    method: Method
    key: Key
    body: Value
    when: PathCondition
    first_parameters: tuple[str, ...] | None


Asked: TypeAlias = tuple[FunctionId, tuple[Argument, ...]]


@dataclass(frozen=True, slots=True)
class HeldChoice:
    """A choice in a trace, with what it takes to ask for it again."""

    choice: Choice
    arguments: tuple[Argument, ...]
    when: PathCondition = SURELY
    """Branches inside of the trace that it was made in."""
    made: tuple[bool, ...] = ()
    """Which of the arguments the trace made itself, so that a new trace makes another."""

    @property
    def asked(self) -> Asked:
        """What plum is asked for."""
        return (self.choice.function, self.arguments)


@dataclass(frozen=True, slots=True)
class CachedTrace:
    """A kept trace."""

    id: int
    space: str
    identity: Hashable
    holder: Value
    """What has to be alive for the trace to be found again."""
    target: Value
    key: trace_keys.Key
    context: Hashable
    """The settings that it was made under."""
    when: PathCondition
    held: tuple[HeldChoice, ...]
    inner: tuple[int, ...]
    result: Value
    frozen: bool = False
    cleared: tuple[PathCondition, ...] = ()
    """The branches in which it was cleared."""
    arguments: Arguments | None = field(default=None, compare=False)
    """What it was traced with."""
    fresh: frozenset[Asked] | None = field(default=None, compare=False)
    """What a new trace would ask plum for, where that is not what is held."""


@dataclass(slots=True)
class TraceFrame:
    """A trace that is being made. `base` is the length of the call chain where it began."""

    base: int
    held: list[HeldChoice] = field(default_factory=list)
    inner: list[int] = field(default_factory=list)
    summaries: dict[Hashable, tuple[Value, PathCondition]] = field(default_factory=dict)
    """Results of calls in this trace: a second call with the same types chooses nothing new."""
    told: set[Hashable] = field(default_factory=set)
    serial: int = field(default_factory=SERIALS.__next__)
    """What was made later was made in this trace."""

    def add(self, held: HeldChoice) -> None:
        """Keeps a choice, once for each function, arguments and branch: the first way to it."""
        key = (held.choice.function, held.arguments, held.when)
        if key not in self.told:
            self.told.add(key)
            self.held.append(held)
