"""Answers in three values: `True`, `False`, and `None` for what is not known."""

from __future__ import annotations

from collections.abc import Iterable


def all_of(answers: Iterable[bool | None]) -> bool | None:
    """Whether all are true; unknown where that hangs on an unknown one."""
    result: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            result = None
    return result


def any_of(answers: Iterable[bool | None]) -> bool | None:
    """Whether some is true; unknown where that hangs on an unknown one."""
    result: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            result = None
    return result
