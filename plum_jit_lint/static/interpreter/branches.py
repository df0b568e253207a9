"""Where a program branches: each branch runs from the same start, and their ends are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plum_jit_lint.events import PathCondition
from plum_jit_lint.static.interpreter.leaving import End, Exited, Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import SERIALS, Scope, Value, join


class Branches:
    """Runs branches, each from the same start, and joins what they leave behind."""

    def __init__(self, run: Run, scope: Scope) -> None:
        self._run = run
        self._scope = scope
        self._path = run.state.path
        self._names = dict(scope.names)
        self._ends: list[End] = []
        self._left: list[dict[str, Value]] = []
        self._raised: list[Raised] = []

    def offer(self, name: str, value: Value) -> None:
        """Binds a name for all branches, unless it is bound already."""
        self._names.setdefault(name, value)
        self._scope.names.setdefault(name, value)

    def tested(self) -> None:
        """A test was evaluated: what it binds (`:=`) is there in all branches that follow."""
        self._names = dict(self._scope.names)

    def between(self, conditions: PathCondition) -> None:
        """Goes back to the start for what is evaluated between two branches."""
        self._run.state.path = self._path | conditions
        self._scope.names = dict(self._names)

    def run(
        self, conditions: PathCondition, body: Callable[[], bool], *, whole: bool = False
    ) -> None:
        """Runs `body` under further conditions. `whole`: where there are none, it surely runs,
        and not only a part of it."""
        self._run.state.path = self._path | conditions
        self._scope.names = dict(self._names)
        surely = whole and not conditions
        self._run.now.branches.append((0 if surely else next(SERIALS), self._scope))
        try:
            falls = body()
        except Raised as raised:
            # Nothing follows in this branch; if it is taken, the program is over or in a handler.
            self._raised.append(raised)
            return
        finally:
            self._run.now.branches.pop()
        if falls:
            self._ends.append((self._run.state.path, self._scope.names))
        else:
            self._left.append(self._scope.names)

    def join(self) -> bool:
        """Goes on after the branch; false when no branch comes out. `Raised` when all raise."""
        if not self._ends:
            self._run.state.path = self._path
            self._scope.names = joined(self._left) if self._left else self._names
            if not self._left:
                raise self._all_raise()
            return False
        path = self._path
        if self._left:
            path = frozenset.intersection(*(conditions for conditions, _ in self._ends))
        self._run.state.path = path
        ends = [names for _, names in self._ends]
        self._scope.names = joined(ends)
        return True

    def _all_raise(self) -> Raised:
        if self._raised and all(isinstance(one, Exited) for one in self._raised):
            return self._raised[0]
        return Raised(join(one.error for one in self._raised))


def joined(ends: Sequence[dict[str, Value]]) -> dict[str, Value]:
    """What the names stand for where several ways meet."""
    first, *others = ends
    if not others:
        return first
    found = dict(first)
    differing: dict[str, None] = {}
    for end in others:
        # Most names are the same at all ends, and there can be hundreds.
        differing.update(
            (name, None) for name, value in end.items() if first.get(name) is not value
        )
        if len(end) < len(first) or not first.keys() <= end.keys():
            differing.update((name, None) for name in first if name not in end)
    for name in differing:
        found[name] = join([end[name] for end in ends if name in end])
    return found
