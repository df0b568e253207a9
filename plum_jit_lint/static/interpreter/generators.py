"""Generators that run from one `yield` to the next, with the `with` blocks around it entered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    bodies,
    conditions,
    context_managers,
    exceptions,
    try_statements,
)
from plum_jit_lint.static.interpreter.context_managers import Leave, Leaving
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    FunctionValue,
    Manager,
    Scope,
    SequenceValue,
    Symbol,
    Value,
    join,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.walk import nodes_in

if TYPE_CHECKING:
    from plum_jit_lint.static.interpreter.run import Run


@dataclass(frozen=True, slots=True)
class _Handlers:
    """The end of what the handlers of a `try` guard."""

    handlers: tuple[nodes.Handler, ...]
    caught: tuple[Value | None, ...]

    def __call__(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class _Final:
    """What a `finally` does, and whether it falls out at its end."""

    work: Callable[[], bool]

    def __call__(self) -> bool:
        return self.work()


class Suspension:
    """A call of a generator function. What is left of it is a stack: statements, and what leaves
    the blocks that were entered."""

    def __init__(self, run: Run, function: FunctionValue, scope: Scope, place: Place) -> None:
        self._run = run
        self._function = function
        self._scope = scope
        self._place = place
        self._left: list[nodes.Statement | Callable[[], object]] = []
        self._given: list[Value] = []
        """What was yielded and not asked for yet."""
        self._yielded: list[Value] = []
        self._unsure = False
        self.begun = False
        self.exact = True
        """Whether each `yield` that was met is met once."""

    @property
    def over(self) -> bool:
        """Whether nothing is left of it."""
        self._begin()
        return not self._left

    def _begin(self) -> None:
        if not self.begun:
            self.begun = True
            self._run.called.add(id(self._function.definition))
            body = self._function.definition.body
            self._push(body if isinstance(body, tuple) else ())

    def advance(self) -> list[Value]:
        """Runs to the next `yield`, or to the end; what is yielded, all of it where that happens
        in a loop."""
        self._begin()
        result = self._do(self._on_to_a_yield)
        if not isinstance(result, SequenceValue):
            # Deeper than calls are followed, nothing of it runs, however often it is asked.
            self._left.clear()
            self.exact = False
            return []
        self._yielded.extend(result.items)
        return result.items

    def stops_between_statements(self) -> bool:
        """Whether a `yield` of it stands outside of loops, so that something surely happens
        between it and the next."""
        self._begin()
        return any(
            not callable(work) and not isinstance(work, nodes.For | nodes.While) and yields(work)
            for work in self._left
        )

    def next(self) -> Value | None:
        """What the next `yield` gives, `None` at the end."""
        while not self._given and not self.over:
            self._given.extend(self.advance())
        if self._given:
            return self._given.pop(0)
        return None if self.exact else join(self._yielded)

    def rest(self) -> SequenceValue:
        """Runs what is left at once; what that yields."""
        found = [*self._given]
        while not self.over:
            found.extend(self.advance())
        return SequenceValue("list", found, complete=False)

    def close(self) -> None:
        """Leaves the blocks that were entered, and runs nothing else."""
        self._drop_statements()
        self.rest()

    def throw(self, error: Value) -> bool | None:
        """Something is raised where it stands, and what goes further out of it is raised again.
        Returns whether it surely ends as if nothing was, `None` where that is not known."""
        self._unsure = False

        def raised() -> bool:
            self._unwind(Raised(error))
            return self._on_to_a_yield()

        self._do(raised)
        self.rest()
        return None if self._unsure else True

    def waits_for(self) -> Value | None:
        """The exceptions of which it does something itself where it stands."""
        everything = Symbol("builtins.BaseException")
        found = [
            everything if one is None else one
            for work in self._left
            if isinstance(work, _Handlers)
            for one in work.caught
        ]
        return SequenceValue("tuple", found) if found else None

    def remember(self) -> Callable[[], None]:
        """Notes how far it has come; what is returned puts it back there."""
        left, given, yielded = list(self._left), list(self._given), list(self._yielded)
        begun, exact = self.begun, self.exact

        def put_back() -> None:
            self._left, self._given, self._yielded = list(left), list(given), list(yielded)
            self.begun, self.exact = begun, exact

        return put_back

    def _do(self, part: Callable[[], bool]) -> Value:
        return bodies.run_body(self._run, self._function, self._scope, self._place, None, part)

    def _on_to_a_yield(self) -> bool:
        while self._left:
            work = self._left.pop()
            try:
                if callable(work):
                    work()
                elif self._has_yielded(work):
                    break
            except Raised as raised:
                self._unwind(raised)
        return True

    def _unwind(self, raised: Raised) -> None:
        """Leaves the blocks that were entered up to the one that takes what is raised."""
        while self._left:
            work = self._left.pop()
            if not callable(work):
                continue
            try:
                if self._takes(work, raised):
                    return
            except Raised as other:
                raised = other
        raise raised

    def _takes(self, work: Callable[[], object], raised: Raised) -> bool:
        match work:
            case _Handlers(handlers, caught):
                answers = [exceptions.catches(one, raised.error) for one in caught]
                self._unsure = self._unsure or (None in answers and True not in answers)
                falls = try_statements.handled(self._run, self._scope, handlers, caught, raised)
                # Neither the rest of the block nor its `else` runs.
                while self._left and not callable(self._left[-1]):
                    self._left.pop()
                if not falls:
                    self._drop_statements()
                return True
            case Leaving(leave):
                stopped = leave(raised.error)
                self._unsure = self._unsure or stopped is None
                return stopped is not False
            case _Final():
                return not work()
        work()
        return False

    def _drop_statements(self) -> None:
        self._left = [work for work in self._left if callable(work)]

    def _push(self, body: Iterable[nodes.Statement]) -> None:
        self._left.extend(reversed(tuple(body)))

    def _has_yielded(self, statement: nodes.Statement) -> bool:
        """Runs a statement, or takes it apart where it stands around a `yield`."""
        if not yields(statement):
            self._execute((statement,))
            return False
        if isinstance(statement, nodes.With):
            leaving = context_managers.enter_items(self._run, self._scope, statement)
            self._left.extend(leaving)
            self._push(statement.body)
            return False
        if isinstance(statement, nodes.Try):
            caught = tuple(
                None if one.type is None else self._run.evaluate(self._scope, one.type)
                for one in statement.handlers
            )
            self._left.append(_Final(partial(self._execute, statement.final)))
            self._push(statement.otherwise)
            if caught:
                self._left.append(_Handlers(tuple(statement.handlers), caught))
            self._push(statement.body)
            return False
        if isinstance(statement, nodes.If):
            body = conditions.evident_branch(self._run, self._scope, statement)
            if body is not None:
                self._push(body)
                return False
        self.exact = self.exact and not isinstance(
            statement, nodes.If | nodes.For | nodes.While | nodes.Match
        )
        self._execute((statement,))
        return True

    def _execute(self, body: Sequence[nodes.Statement]) -> bool:
        falls = self._run.execute(self._scope, body)
        if not falls:
            # `return`: only the blocks around it are left.
            self._drop_statements()
        return falls


def yields(syntax: object) -> bool:
    """Whether a piece of syntax holds a `yield`."""
    return any(
        isinstance(node, nodes.Parts) and node.kind == "yield"
        for node in nodes_in(syntax, without=nodes.FunctionDef)
    )


def enter(
    run: Run, function: FunctionValue, scope: Scope, place: Place
) -> tuple[Value, Callable[[], object]]:
    """A generator function as a context manager or a fixture: what it yields, and what happens
    after its `yield`."""
    suspension = Suspension(run, function, scope, place)
    values = suspension.advance()
    return (values[0] if values else TOP), suspension.rest


def _leave(suspension: Suspension, error: Value | None) -> bool | None:
    if error is not None:
        return suspension.throw(error)
    suspension.rest()
    return False


def of_generator(run: Run, function: FunctionValue, arguments: Arguments) -> Manager:
    """What a call of a `@contextmanager` function gives."""

    def entering(place: Place) -> tuple[Value, Leave]:
        scope = bodies.body_scope(run, function, arguments)
        suspension = Suspension(run, function, scope, place)
        values = suspension.advance()
        leaving = Leaving(partial(_leave, suspension), suspension.waits_for())
        return (values[0] if values else TOP), leaving

    return Manager(entering, (function, *arguments.values()))
