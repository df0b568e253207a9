"""Calls of `pathlib` and `os.path`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.library_values import PathValue
from plum_jit_lint.static.interpreter.paths import UNKNOWN_PATH, text_of
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    Arguments,
    Value,
    scalar,
)
from plum_jit_lint.static.models.common import Handler


def _path(run: Run, arguments: Arguments, place: Place) -> Value:
    texts = [text_of(part) for part in arguments.positional]
    known = [text for text in texts if text is not None]
    return PathValue(os.path.join(*known)) if known and len(known) == len(texts) else UNKNOWN_PATH


def _join(run: Run, arguments: Arguments, place: Place) -> Value:
    texts = [text_of(part) for part in arguments.positional]
    known = [text for text in texts if text is not None]
    whole = bool(known) and len(known) == len(texts)
    return scalar("str", os.path.join(*known) if whole else None)


def _folder(run: Run, arguments: Arguments, place: Place) -> Value:
    text = text_of(arguments.get(0))
    return scalar("str", None if text is None else os.path.dirname(text))


def _same(run: Run, arguments: Arguments, place: Place) -> Value:
    return scalar("str", text_of(arguments.get(0)))


HANDLERS: Mapping[str, Handler] = {
    "pathlib.Path": _path,
    "os.path.join": _join,
    "os.path.dirname": _folder,
    "os.path.abspath": _same,
    "os.path.realpath": _same,
    "os.fspath": _same,
    "builtins.str": _same,
}
