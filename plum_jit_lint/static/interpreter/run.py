"""One abstract run of a program: what it knows, what is being run, and the interpreter's verbs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plum_jit_lint.events import Cleared, Event, PathCondition, Stack, Used, exclude_each_other
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import (
    CLASSES_OF_A_STEP,
    CONDITIONS_OF_A_STEP,
    LEAST_STEPS,
    MOST_CALLS,
    MOST_RETRACES,
)
from plum_jit_lint.static.interpreter.activity import Activity
from plum_jit_lint.static.interpreter.branch_ids import BranchIds
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.state import State
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    FunctionValue,
    Scope,
    Value,
)
from plum_jit_lint.syntax.nodes import Expression, Statement

if TYPE_CHECKING:
    from plum_jit_lint.static.program import Program


@dataclass(frozen=True, slots=True)
class Verbs:
    """What an interpreter does with code and values. Each part of it asks the run for the verbs,
    so that none of them has to know where the others stand."""

    evaluate: Callable[[Run, Scope, Expression], Value]
    execute: Callable[[Run, Scope, Sequence[Statement]], bool]
    call: Callable[[Run, Value, Arguments, Place], Value]
    get_attribute: Callable[[Run, Value, str, Place], Value]
    bind: Callable[[Run, Value, Value, Place], Value]


class Run:
    """One abstract run. What may be put back stands in `state`, what is being run in `now`, and
    what only grows or is used up until the run ends in the run itself."""

    def __init__(self, program: Program, verbs: Verbs) -> None:
        self.program = program
        self._verbs = verbs
        self.state = State()
        self.now = Activity()
        self.branch_ids = BranchIds(program.next_number)
        self.defined: list[tuple[FunctionValue, Value]] = []
        self.called: set[int] = set()
        """The `id`s of the definitions that somebody calls, in whatever fork."""
        self.calls_left = MOST_CALLS
        self.retraces_left = MOST_RETRACES
        self.steps_left = LEAST_STEPS
        self.incomplete: dict[str, None] = {}
        """What of the program was not followed, each said once."""
        self.version = 0
        """How often something was written or happened that a call may depend on."""
        self.summaries: dict[Hashable, tuple[Value, PathCondition]] = {}
        """Results of calls outside of traces, since the last change of anything."""

    # -- verbs -------------------------------------------------------------------------------

    def evaluate(self, scope: Scope, expression: Expression) -> Value:
        """The value of an expression; nothing is known of one when all steps are spent."""
        if self.spent():
            return TOP
        return self._verbs.evaluate(self, scope, expression)

    def execute(self, scope: Scope, body: Sequence[Statement]) -> bool:
        """Runs a block; whether control may come out at its end."""
        if self.spent():
            return True
        return self._verbs.execute(self, scope, body)

    def call(self, callee: Value, arguments: Arguments, place: Place) -> Value:
        """Calls a value; raises `Raised` where the program surely would."""
        if self.spent():
            return TOP
        return self._verbs.call(self, callee, arguments, place)

    def get_attribute(self, value: Value, name: str, place: Place) -> Value:
        """`value.name`."""
        return self._verbs.get_attribute(self, value, name, place)

    def bind(self, found: Value, receiver: Value, place: Place) -> Value:
        """What was found in a class, as an attribute of the receiver."""
        return self._verbs.bind(self, found, receiver, place)

    # -- the budget --------------------------------------------------------------------------

    def takes(self, steps: int) -> None:
        """Counts work that grows with what the program has put together so far."""
        self.steps_left -= steps

    def spent(self) -> bool:
        """Takes one step; whether there was none left to take."""
        if self.steps_left > 0:
            self.steps_left -= 1
            return False
        self.not_followed("it takes more steps than a text of its size may")
        return True

    def not_followed(self, why: str) -> None:
        """Notes that some of the program is left out."""
        self.incomplete[why] = None

    # -- the path ----------------------------------------------------------------------------

    @contextmanager
    def under(self, *conditions: tuple[int, int]) -> Iterator[None]:
        """Runs the block under further conditions, and forgets what it added to them."""
        before = self.state.path
        self.state.path = before | frozenset(conditions)
        try:
            yield
        finally:
            self.state.path = before

    @contextmanager
    def perhaps(self, *conditions: tuple[int, int]) -> Iterator[None]:
        """Runs a block that may not run: what it raises ends nothing but itself."""
        with self.under(*conditions), suppress(Raised):
            yield

    def possible(self, when: PathCondition) -> bool:
        """Whether a run that came here may have taken `when`."""
        self.takes((len(when) + len(self.state.path)) // CONDITIONS_OF_A_STEP)
        return not exclude_each_other(when, self.state.path)

    # -- what happens ------------------------------------------------------------------------

    def stack_at(self, place: Place) -> Stack:
        """How the run came to a place."""
        return (*self.now.stack, place)

    def changed(self) -> None:
        """Something was written or happened: what calls gave before may not hold any more."""
        self.version += 1
        self.summaries.clear()

    def emit(self, event: Event) -> None:
        """Adds to the timeline."""
        self.changed()
        if not self.now.muted:
            self.state.events.append(event)

    def tell(self, event: Used | Cleared) -> None:
        """Emits an event that a module's effects keep as it is."""
        self.emit(event)
        self.state.effects.append(event)

    def classes(self) -> Iterator[ClassValue]:
        """The classes of the modules that were imported so far, and of this one. What was read
        for another file that is checked is not part of this program."""
        for module in (self.now.scopes[0].module, *self.state.seen):
            self.takes(len(module.classes) // CLASSES_OF_A_STEP)
            yield from module.classes
