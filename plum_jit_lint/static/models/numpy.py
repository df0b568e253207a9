"""Calls into numpy, which give arrays and scalars of numpy."""

from __future__ import annotations

from plum_jit_lint.static.interpreter.values import Arguments, Typed, Value
from plum_jit_lint.static.types.hints import BUILTIN, InstanceArg, ScalarArg


def result(path: str, arguments: Arguments) -> Value | None:
    """What a function of numpy returns, `None` for what is none."""
    if not path.startswith("numpy."):
        return None
    if path in BUILTIN:
        return Typed(ScalarArg(BUILTIN[path]))
    return Typed(InstanceArg(BUILTIN["numpy.ndarray"], True))
