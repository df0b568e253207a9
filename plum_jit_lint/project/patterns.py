"""Glob patterns for files and folders, with the meaning that `.gitignore` gives them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Patterns:
    """Patterns relative to the folder `base`.

    A pattern without a slash matches a file or folder of that name anywhere, one with a slash
    the path from `base`; what matches a folder matches everything below it.
    """

    base: Path
    globs: tuple[str, ...]

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        # As in git, a line of a `.gitignore` that makes no sense matches nothing.
        return _compiled(glob for glob in self.globs if is_pattern(glob))

    def verdict(self, path: Path, *, folder: bool = False) -> bool | None:
        """Whether the absolute `path` matches; `None` when no pattern speaks of it."""
        if not self.globs:
            return None
        name = _relative(path, self.base)
        return self._spec.check_file(f"{name}/" if folder else name).include

    def match(self, path: Path, *, folder: bool = False) -> bool:
        """Whether the absolute `path`, or a folder above it, matches."""
        return self.verdict(path, folder=folder) is True

    def sparing(self, folder: Path) -> Patterns:
        """The patterns without those that would leave out `folder` itself."""
        kept = (g for g in self.globs if not Patterns(self.base, (g,)).match(folder, folder=True))
        return Patterns(self.base, tuple(kept))


def is_pattern(glob: str) -> bool:
    """Whether `glob` has a meaning (blank lines and comments have none, but do no harm)."""
    try:
        _compiled((glob,))
    except (ValueError, re.error):
        return False
    return True


def _compiled(globs: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(globs)


def _relative(path: Path, base: Path) -> str:
    """`path` from `base`; outside of `base` from the root, where bare names still match."""
    if path.is_relative_to(base):
        return path.relative_to(base).as_posix()
    return path.relative_to(path.anchor).as_posix()


def absolute(path: str | os.PathLike[str]) -> Path:
    """`path` made absolute and tidy without following symbolic links."""
    return Path(os.path.abspath(path))


def shown(path: str | os.PathLike[str]) -> str:
    """`path` as reports spell it: relative to the current folder where it lies below that."""
    # For each file of a tree: objects for paths would take longer than all else in a warm run.
    tidy, here = os.path.abspath(path), os.getcwd()
    if tidy == here:
        return "."
    inside = here if here.endswith(os.sep) else here + os.sep
    return tidy[len(inside) :] if tidy.startswith(inside) else tidy
