"""What calls into several libraries do alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.leaving import Exited
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Value,
)

Handler: TypeAlias = Callable[[Run, Arguments, Place], Value]
"""What a call of something does: of its arguments and where it stands, what it gives."""


def same(run: Run, arguments: Arguments, place: Place) -> Value:
    """Gives what it is given."""
    return arguments.get(0) or TOP


def second(run: Run, arguments: Arguments, place: Place) -> Value:
    """Gives its second argument, as `typing.cast(type, value)` does."""
    return arguments.get(1) or TOP


def opaque(run: Run, arguments: Arguments, place: Place) -> Value:
    """Gives something of which nothing is known, and calls nothing that it is given."""
    return TOP


def leave(run: Run, arguments: Arguments, place: Place) -> Value:
    """Ends the program, or the test."""
    raise Exited
