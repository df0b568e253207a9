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


def patterns_from(base: Path, globs: Iterable[str]) -> tuple[Patterns, ...]:
    """What somebody who is in the folder `base` means by `globs`: `./name`, `../name` and absolute
    paths are those of a shell, and everything else is as in `.gitignore`."""
    found: dict[Path, list[str]] = {base: []}
    for glob in globs:
        for folder, anchored in _anchored(base, glob):
            found.setdefault(folder, []).append(anchored)
    return tuple(Patterns(folder, tuple(each)) for folder, each in found.items() if each)


def _anchored(base: Path, glob: str) -> list[tuple[Path, str]]:
    """A glob as `.gitignore` files have it, with the folder in which it would stand."""
    sign = "!" if glob.startswith("!") else ""
    name = glob.removeprefix("!")
    end = "/" if name.endswith("/") else ""
    if os.path.isabs(name):
        for path in (name, os.path.realpath(name)):
            inside = _below(base, os.path.normpath(path))
            if inside is not None:
                return [(base, f"{sign}/{inside}{end}")]
        # As in a `.gitignore`, it may also begin where the settings stand; and what would leave
        # out that very folder is meant so.
        root = Path(base.anchor)
        if not is_pattern(name) or Patterns(root, (name,)).match(base, folder=True):
            return [(base, glob)]
        return [(base, glob), (root, glob)]
    parts = name.split("/")
    if "." not in parts and ".." not in parts:
        return [(base, glob)]
    folder, left = base, os.path.normpath(name).split(os.sep)
    while left[:1] == [".."]:
        folder, left = folder.parent, left[1:]
    left = [part for part in left if part != "."] or ["*"]
    return [(folder, f"{sign}/{'/'.join(left)}{end}")]


def _below(folder: Path, path: str) -> str | None:
    """`path` from `folder` on, `None` where it does not lie below that."""
    inside = str(folder).rstrip(os.sep) + os.sep
    return path[len(inside) :].replace(os.sep, "/") if path.startswith(inside) else None


def is_pattern(glob: str) -> bool:
    """Whether `glob` has a meaning (blank lines and comments have none, but do no harm)."""
    try:
        _compiled((glob,))
    except (ValueError, re.error):
        return False
    return True


def _compiled(globs: Iterable[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    from plum_jit_lint.project.linear_globs import LinearPattern

    return GitIgnoreSpec.from_lines(globs, pattern_factory=LinearPattern)


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
