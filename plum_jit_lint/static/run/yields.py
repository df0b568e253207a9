"""The two halves of a generator with one `yield`: a context manager, a fixture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.relevance import nodes_in


@dataclass(frozen=True, slots=True)
class Entering:
    """A `with` around a `yield`: its managers are entered here, and left by `Leaving`."""

    node: facts.With
    leaving: list[Callable[[], object]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Leaving:
    entered: Entering


Part: TypeAlias = facts.Statement | Entering | Leaving


def around_yield(body: Sequence[facts.Statement]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """What stands before and after the only `yield` of a body; it belongs to what is before."""
    for position, statement in enumerate(body):
        if isinstance(statement, facts.Try) and _yields(statement.body):
            inner, rest = around_yield(statement.body)
            after = (*rest, *statement.final, *body[position + 1 :])
            return (*body[:position], *inner), after
        if isinstance(statement, facts.With) and _yields(statement.body):
            inner, rest = around_yield(statement.body)
            entering = Entering(statement)
            after = (*rest, Leaving(entering), *body[position + 1 :])
            return (*body[:position], entering, *inner), after
        if _yields((statement,)):
            return tuple(body[: position + 1]), tuple(body[position + 1 :])
    return tuple(body), ()


def _yields(body: Sequence[facts.Statement]) -> bool:
    return any(isinstance(n, facts.Parts) and n.kind == "yield" for n in nodes_in(body))
