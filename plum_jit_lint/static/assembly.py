"""The interpreter, put together: the one place that knows all of its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plum_jit_lint.static import calls
from plum_jit_lint.static.interpreter import attributes, expressions, statements
from plum_jit_lint.static.interpreter.run import Run, Verbs

if TYPE_CHECKING:
    from plum_jit_lint.static.program import Program

VERBS = Verbs(
    expressions.evaluate,
    statements.execute,
    calls.call,
    attributes.attribute,
    attributes.bind,
)


def begin(program: Program) -> Run:
    """A run of a program, in which nothing has happened yet."""
    return Run(program, VERBS)
