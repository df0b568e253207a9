"""The numbers of the places where a program branches, which path conditions are made of."""

from __future__ import annotations

from collections.abc import Callable

from plum_jit_lint.events import PathCondition
from plum_jit_lint.static.interpreter.values import TOP, Top, Typed, Value
from plum_jit_lint.static.types.hints import ScalarArg


class BranchIds:
    """Hands out branch ids, and knows what some of them ask. `next_number` gives each number
    once in the whole program. What was handed out stays right whatever is put back."""

    def __init__(self, next_number: Callable[[], int]) -> None:
        self.new = next_number
        self._of_keys: set[int] = set()
        self._of_values: dict[int, tuple[Value, int]] = {}
        """By identity, with the values to keep them."""

    def of_key(self) -> int:
        """A new one, which asks whether a kept trace is found by its key."""
        found = self.new()
        self._of_keys.add(found)
        return found

    def ask_for_keys(self, conditions: PathCondition) -> bool:
        """Whether all conditions are of branches that ask for the keys of traces."""
        return {branch_id for branch_id, _ in conditions} <= self._of_keys

    def of_value(self, value: Value) -> int | None:
        """The branch id of each test of `value`, if its truth never changes: a number, a text,
        what a comparison gave. `None` for all else."""
        if value is TOP or not isinstance(value, Top | Typed):
            return None
        if isinstance(value, Typed) and not isinstance(value.argument, ScalarArg):
            return None
        return self._of_values.setdefault(id(value), (value, self.new()))[1]

    def one_of(self, count: int) -> list[PathCondition]:
        """The conditions of `count` branches of which one is taken."""
        ids = [self.new() for _ in range(count - 1)]
        found = [
            frozenset([*((one, 1) for one in ids[:number]), (ids[number], 0)])
            for number in range(count - 1)
        ]
        return [*found, frozenset((one, 1) for one in ids)]
