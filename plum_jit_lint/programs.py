"""Which program a file belongs to."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from plum_jit_lint.config import Settings
from plum_jit_lint.discovery import python_files_below
from plum_jit_lint.findings import Problem
from plum_jit_lint.sourcelines import bytes_of_file
from plum_jit_lint.static.words import hands_dispatchers_out

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Program


@dataclass(frozen=True)
class Programs:
    """The program that each file belongs to, told by the folders its imports are looked for in.

    Kept for a whole run, because a program remembers the modules it has read.
    """

    settings: Settings
    _programs: dict[tuple[Path, ...], Program] = field(default_factory=dict)
    _roots: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    _having: dict[tuple[Path, ...], bool] = field(default_factory=dict)
    """Whether a program can have a dispatcher, by its source roots."""
    _silent: set[str] = field(default_factory=set)
    """Files that have been read and found to hand out no dispatcher."""

    @cached_property
    def _followed(self) -> tuple[dict[str, Path], tuple[str, ...]]:
        if not self.settings.follow:
            return {}, ()
        from plum_jit_lint.environment import folders_of

        return folders_of(self.settings.follow)

    def followed_folders(self) -> list[Path]:
        """The folders of the packages that are followed."""
        return [folder / name for name, folder in self._followed[0].items()]

    def problems(self) -> tuple[Problem, ...]:
        """The packages that the settings say to follow and that cannot be found."""
        return tuple(
            Problem(name, "named in `follow`, but not installed where plum-jit-lint looks for it")
            for name in self._followed[1]
        )

    def roots(self, path: str | None) -> tuple[Path, ...]:
        """The source roots of the file `path`; a text without a path has no neighbours."""
        if path is None:
            return ()
        folder = os.path.dirname(os.path.abspath(path))
        if folder not in self._roots:
            self._roots[folder] = self.settings.roots_for(Path(folder))
        return self._roots[folder]

    def may_matter(self, path: str | None, source: bytes) -> bool:
        """Whether the text or any other of its program can have a dispatcher. To ask that takes
        no parsing, and most trees know nothing of plum."""
        if self._having.get(self.roots(path)):
            return True
        own = hands_dispatchers_out(source, self.settings.extend_dispatchers)
        return own or self.have_dispatchers(path)

    def have_dispatchers(self, path: str | None) -> bool:
        """Whether any file of the program of `path` can have a dispatcher. All are asked, and not
        only those that import lines lead to: the name of a module can be computed."""
        roots = self.roots(path)
        if roots not in self._having:
            folders = [root.resolve() for root in roots]
            files = (file for folder in folders for file in python_files_below(folder))
            self._having[roots] = bool(self._followed[0]) or any(map(self._hands_out, files))
        return self._having[roots]

    def _hands_out(self, file: str) -> bool:
        if file in self._silent:
            # One source root may lie in another.
            return False
        source = bytes_of_file(file)
        if source is None:
            return False
        does = hands_dispatchers_out(source, self.settings.extend_dispatchers)
        if not does:
            self._silent.add(file)
        return does

    def is_out_of_question(self, path: str) -> bool:
        """Whether it is known that nothing in the file `path` can matter, without reading it."""
        return not self.have_dispatchers(path) and os.path.abspath(path) in self._silent

    def of(self, path: str | None) -> Program:
        """The program of the file `path`."""
        from plum_jit_lint.static.modules import Program

        roots = self.roots(path)
        if roots not in self._programs:
            self._programs[roots] = Program(
                roots,
                self.settings.extend_jit,
                self.settings.extend_dispatchers,
                self._followed[0],
            )
        return self._programs[roots]
