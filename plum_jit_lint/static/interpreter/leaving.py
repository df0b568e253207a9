"""How a block is left other than at its end: by what is raised, by `break` and `continue`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from plum_jit_lint.events import PathCondition
from plum_jit_lint.static.interpreter.values import TOP, Typed, Value
from plum_jit_lint.static.types.hints import Cls, InstanceArg


class Raised(Exception):
    """The program surely raises here: `error`, as far as that is known."""

    def __init__(self, error: Value = TOP) -> None:
        super().__init__()
        self.error = error


class Exited(Raised):
    """The program ends here."""

    def __init__(self) -> None:
        super().__init__(Typed(InstanceArg(Cls("builtins.SystemExit"), True)))


End: TypeAlias = tuple[PathCondition, dict[str, Value]]
"""A way out of a block: under which conditions, and the names as they are there."""


@dataclass(frozen=True, slots=True)
class Catching:
    """A block that takes what is raised in it: of these classes, `None` for whatever it is."""

    classes: tuple[Value | None, ...]
    branch_ids: list[int] = field(default_factory=list)
    """Where something in it may have failed, each time in the branch 1."""


@dataclass(slots=True)
class LoopEnds:
    """Where a loop is left, and where a round of it ends early."""

    broken: list[End] = field(default_factory=list)
    continued: list[End] = field(default_factory=list)
