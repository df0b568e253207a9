"""Paths of files that a program writes out, as far as they are evident."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from plum_jit_lint.knowledge import standard
from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.static.interpreter import literals
from plum_jit_lint.static.interpreter.library_values import PathValue
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Builtin,
    Typed,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import Cls, InstanceArg

PATH = Cls(standard.PATH, opaque=True)
UNKNOWN_PATH = Typed(InstanceArg(PATH, False))


def text_of(value: Value | None) -> str | None:
    """The text of a path, or of a string."""
    if isinstance(value, PathValue):
        return value.text
    text = None if value is None else literals.literal(value)
    return text if isinstance(text, str) else None


def joined(*parts: Value | None) -> Value | None:
    """`left / right`, where it is a path of which the text is known."""
    texts = [text_of(part) for part in parts]
    if not any(isinstance(part, PathValue) for part in parts):
        return None
    return UNKNOWN_PATH if None in texts else PathValue(os.path.join(*filter(None, texts)))


def attribute(path: PathValue, name: str) -> Value:
    """An attribute of a `Path`."""
    text = path.text
    if name == "parent":
        return PathValue(str(Path(text).parent))
    if name in ("name", "stem", "suffix"):
        return scalar("str", getattr(Path(text), name))
    if name in ("resolve", "absolute", "expanduser", "as_posix", "__str__"):
        return Builtin(lambda arguments, place: path)
    if name == "joinpath":
        return Builtin(lambda arguments, place: joined(path, *arguments.positional) or TOP)
    if name in ("with_name", "with_suffix"):
        return Builtin(lambda arguments, place: _changed(text, name, arguments))
    return TOP


def _changed(text: str, how: str, arguments: Arguments) -> Value:
    given = text_of(arguments.get(0))
    try:
        return UNKNOWN_PATH if given is None else PathValue(str(getattr(Path(text), how)(given)))
    except ValueError:
        return UNKNOWN_PATH


def files(run: Run, text: str) -> Iterator[Path]:
    """The files that a path may mean: one that is not absolute is looked for in the folders where
    a program is usually started."""
    module = run.now.scope.module
    main = run.now.scopes[0].module
    folders = [*main.program.places.source_roots, main.place.parent, module.place.parent]
    if is_notebook(main.path):
        # A notebook is run in its folder.
        folders.insert(0, main.place.parent)
    seen: set[Path] = set()
    for folder in folders:
        file = Path(os.path.realpath(os.path.join(folder, text)))
        if file not in seen and main.program.places.is_there(str(file)):
            seen.add(file)
            yield file
