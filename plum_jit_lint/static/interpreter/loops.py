"""Loops: their rounds one by one where they are known, and how each round is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from plum_jit_lint.limits import ALIKE, ROUNDS
from plum_jit_lint.static.interpreter import (
    containers,
    definitions,
    expressions,
    iteration,
    operators,
)
from plum_jit_lint.static.interpreter.branches import Branches, joined
from plum_jit_lint.static.interpreter.leaving import End, LoopEnds, Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import Generator, Scope, SequenceValue, Typed, Value
from plum_jit_lint.static.types.hints import ScalarArg
from plum_jit_lint.syntax import nodes

if TYPE_CHECKING:
    from plum_jit_lint.static.interpreter.generators import Suspension


def execute_for(run: Run, scope: Scope, node: nodes.For) -> bool:
    """A `for` statement. Gives whether the program goes on behind it."""
    return for_each(run, scope, node, run.evaluate(scope, node.iterable))


def for_each(run: Run, scope: Scope, node: nodes.For, given: Value) -> bool:
    """A `for` loop over `given`."""
    loop = _Loop(run, scope, node)
    if isinstance(given, Generator) and given.result is None:
        suspension = given.suspension
        if suspension is not None and suspension.stops_between_statements():
            return loop.as_yielded(suspension)
    iterable = iteration.expand(run, given)
    known = containers.members(iterable)
    if known is not None and len(known) <= loop.most:
        return loop.all_rounds(known, isinstance(iterable, SequenceValue) and iterable.repeated)
    if known is None:
        known = [containers.element(iterable)] * ALIKE
    return loop.some_rounds(known[: loop.most])


def execute_while(run: Run, scope: Scope, node: nodes.While) -> bool:
    """A `while` statement. Gives whether the program goes on behind it."""
    loop = _Loop(run, scope, node)
    constant = isinstance(node.test, nodes.Constant)
    for number in range(loop.most):
        test = run.evaluate(scope, node.test)
        known = operators.truth_in(run, test, definitions.place_of(scope, node.test.at))
        if known is False:
            return loop.over()
        if known is None:
            return loop.some_rounds([None] * min(ALIKE, loop.most))
        names = dict(scope.names)
        if not loop.round():
            return loop.broken_off()
        if constant and number + 1 >= ALIKE and not _has_counted(names, scope.names):
            break
    # There are more rounds than are run: what they count is not known in those.
    return loop.some_rounds([None])


class _Loop:
    """A loop that is being run."""

    def __init__(self, run: Run, scope: Scope, node: nodes.For | nodes.While) -> None:
        self._run = run
        self._scope = scope
        self._node = node
        self._before = dict(scope.names)
        self._ends = LoopEnds()
        self.most = ROUNDS[min(run.now.loops, len(ROUNDS) - 1)]

    def round(self) -> bool:
        """Runs the body once; whether another round, or the end, can follow."""
        run, scope = self._run, self._scope
        self._ends.continued = []
        run.now.loop_ends.append(self._ends)
        run.now.loops += 1
        try:
            falls = self._falls(self._node.body)
        finally:
            run.now.loops -= 1
            run.now.loop_ends.pop()
        ends = [*self._ends.continued, *([(run.state.path, scope.names)] if falls else [])]
        return self._go_on(ends)

    def all_rounds(self, members: Sequence[Value], repeated: bool) -> bool:
        """The loop goes through these, unless it is broken off. `repeated`: each is for many."""
        with self._counting(not repeated):
            for member in members:
                if repeated:
                    self._forget_counts()
                self._assign(member)
                if not self.round():
                    return self.broken_off()
        if repeated:
            self._forget_counts()
        return self.over()

    def as_yielded(self, suspension: Suspension) -> bool:
        """The loop goes through a generator, whose blocks stay entered while the body runs."""
        while not suspension.over:
            values = suspension.advance()
            if not suspension.exact:
                self._perhaps(values[: self.most])
                continue
            for value in values:
                self._assign(value)
                if not self.round():
                    return self.broken_off()
        return self.over()

    def some_rounds(self, members: Sequence[Value | None]) -> bool:
        """How many rounds there are is not known; these are some, or there is none."""
        self._perhaps(members)
        return self.over()

    def _perhaps(self, members: Sequence[Value | None]) -> None:

        def rounds() -> bool:
            for member in members:
                self._forget_counts()
                self._assign(member)
                if not self.round():
                    return False
                self._test()
            self._forget_counts()
            return True

        branches = Branches(self._run, self._scope)
        branch_id = self._run.branch_ids.new()
        with self._counting(False):
            branches.run(frozenset({(branch_id, 0)}), rounds)
        branches.run(frozenset({(branch_id, 1)}), lambda: True)
        branches.join()

    @contextmanager
    def _counting(self, every_round: bool) -> Iterator[None]:
        self._run.now.uncounted += not every_round
        try:
            yield
        finally:
            self._run.now.uncounted -= not every_round

    def over(self) -> bool:
        """The loop comes to its own end, and `else` follows."""
        run, scope = self._run, self._scope
        self._ends.continued = []
        falls = self._falls(self._node.otherwise)
        return self._go_on(
            [*self._ends.broken, *([(run.state.path, scope.names)] if falls else [])]
        )

    def _falls(self, body: Sequence[nodes.Statement]) -> bool:
        """Runs a block; whether it comes out at its end. Where the loop may have been left before,
        what raises is only the end of this way."""
        try:
            return self._run.execute(self._scope, body)
        except Raised:
            if not self._ends.broken and not self._ends.continued:
                raise
            return False

    def broken_off(self) -> bool:
        """No way leads to the end of the loop; whether one leads out of it."""
        return self._go_on(self._ends.broken)

    def _go_on(self, ends: Sequence[End]) -> bool:
        if not ends:
            return False
        self._run.state.path = frozenset.intersection(*(path for path, _ in ends))
        self._scope.names = joined([names for _, names in ends])
        return True

    def _assign(self, member: Value | None) -> None:
        if isinstance(self._node, nodes.For) and member is not None:
            expressions.assign(self._run, self._scope, self._node.target, member)

    def _test(self) -> None:
        if isinstance(self._node, nodes.While):
            self._run.evaluate(self._scope, self._node.test)

    def _forget_counts(self) -> None:
        """Numbers that a loop changes are not known beyond one round, where it is not known how
        many rounds there are."""
        names = self._scope.names
        for name, value in names.items():
            match value:
                case Typed(ScalarArg(cls, known)) if known is not None and (
                    self._before.get(name) != value
                ):
                    names[name] = Typed(ScalarArg(cls))


def _has_counted(before: dict[str, Value], after: dict[str, Value]) -> bool:
    """Whether a number is another than it was."""
    return any(
        before.get(name) != value
        for name, value in after.items()
        if isinstance(value, Typed)
        and isinstance(value.argument, ScalarArg)
        and value.argument.value is not None
    )
