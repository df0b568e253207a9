"""What lives as long as a call, a block or a trace is being run, each inside of another."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from plum_jit_lint.events import Stack, Step
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.call_frames import CallFrame
from plum_jit_lint.static.interpreter.leaving import Catching, LoopEnds
from plum_jit_lint.static.interpreter.records import TraceFrame
from plum_jit_lint.static.interpreter.values import FunctionValue, Scope, Value


@dataclass(slots=True)
class Activity:
    """What is being run. Whoever adds to it takes that away again, whatever happens meanwhile."""

    call_stack: list[CallFrame] = field(default_factory=lambda: [CallFrame("the module", [])])
    keys_of_calls: list[Hashable] = field(default_factory=list)
    """The keys of the calls, in which a call that comes again is no news."""
    open_traces: list[TraceFrame] = field(default_factory=list)
    differentiating: int = 0
    """How many derivatives are being taken, one in another."""
    branches: list[tuple[int, Scope]] = field(default_factory=list)
    """The branches: what existed before each, and whose names are set apart in it."""
    loops: int = 0
    """How many loops there are, one in another."""
    uncounted: int = 0
    """Of how many loops not every round is run: what is computed there is no number that the
    program has."""
    loop_ends: list[LoopEnds] = field(default_factory=list)
    """How each loop was left so far."""
    catching: list[Catching] = field(default_factory=list)
    """The blocks that take what is raised."""
    handling: list[Value] = field(default_factory=list)
    """The exceptions that are being handled, one while another."""
    decorating: list[tuple[FunctionValue, Stack]] = field(default_factory=list)
    """The definitions whose decorators are being applied, and where they stand."""
    muted: bool = False
    """Whether only the result of what is run is asked for."""

    @property
    def frame(self) -> CallFrame:
        """The innermost call."""
        return self.call_stack[-1]

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.call_stack[-1].scopes[-1]

    @property
    def scopes(self) -> list[Scope]:
        """All scopes, the outermost first."""
        return [scope for frame in self.call_stack for scope in frame.scopes]

    @property
    def stack(self) -> list[Place]:
        """Where each call was made, the outermost first."""
        return [frame.place for frame in self.call_stack if frame.place is not None]

    @property
    def steps(self) -> list[Step]:
        """The same, with who made it."""
        return [frame.step for frame in self.call_stack if frame.step is not None]

    @property
    def functions(self) -> list[FunctionValue]:
        """The functions that were called, the outermost first."""
        return [frame.function for frame in self.call_stack if frame.function is not None]

    @contextmanager
    def inside(self, frame: CallFrame) -> Iterator[None]:
        """Runs a block as part of a call."""
        self.call_stack.append(frame)
        try:
            yield
        finally:
            self.call_stack.pop()

    @contextmanager
    def differentiate(self, takes_derivative: bool) -> Iterator[None]:
        """Runs the block under a transform; a derivative calls the rules that were given."""
        self.differentiating += takes_derivative
        try:
            yield
        finally:
            self.differentiating -= takes_derivative

    @contextmanager
    def mute(self) -> Iterator[None]:
        """Runs the block for its result only: no event is told."""
        before, self.muted = self.muted, True
        try:
            yield
        finally:
            self.muted = before

    def is_weak(self, serial: int, scope: Scope | None = None) -> bool:
        """Whether a write to something that was made as number `serial` may not happen, since it
        stands in a branch that began later. The names of the branch's own scope are set apart."""
        return any(start > serial and own is not scope for start, own in self.branches)
