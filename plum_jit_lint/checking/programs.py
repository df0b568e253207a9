"""Which program a file belongs to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from plum_jit_lint.findings import Problem
from plum_jit_lint.prefilter.features import ByteScan
from plum_jit_lint.project.config import Settings, project_above
from plum_jit_lint.project.discovery import python_files_below
from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.project.pytest_paths import PytestPaths
from plum_jit_lint.project.source_lines import bytes_of_file

if TYPE_CHECKING:
    from plum_jit_lint.static.program import Program


@dataclass(frozen=True)
class Programs:
    """The program that each file belongs to, told by the folders its imports are looked for in.

    Kept for a whole run, because a program remembers the modules it has read.
    """

    settings: Settings
    _programs: dict[tuple[Path, ...], Program] = field(default_factory=dict)
    _roots: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    _test_roots: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    """Those of files that pytest imports, by their folders as well."""
    pytest: PytestPaths = field(default_factory=PytestPaths)
    _having: dict[Path, bool] = field(default_factory=dict)
    """Whether a file below a folder can have a dispatcher."""
    _silent: set[str] = field(default_factory=set)
    """Files that have been read, and that export no dispatcher."""

    @cached_property
    def byte_scan(self) -> ByteScan:
        """What the bytes of files say, under these settings."""
        return ByteScan(self.settings.extend_dispatchers, self.settings.extend_jit)

    @cached_property
    def _followed(self) -> tuple[dict[str, Path], tuple[str, ...]]:
        if not self.settings.follow:
            return {}, ()
        from plum_jit_lint.project.environment import folders_of

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
        if not self.pytest.imports(path):
            return self._roots_for(folder)
        if folder not in self._test_roots:
            self._test_roots[folder] = self._with_pytest(folder)
        return self._test_roots[folder]

    def _roots_for(self, folder: str) -> tuple[Path, ...]:
        if folder not in self._roots:
            self._roots[folder] = self.settings.roots_for(Path(folder))
        return self._roots[folder]

    def _with_pytest(self, folder: str) -> tuple[Path, ...]:
        """The source roots of what pytest imports in a folder. They are those of the files around
        it where these hold all that pytest adds: then it is all one program."""
        # Without a project, the folder of a test need not be on the path.
        inside = project_above(Path(folder)) is not None
        roots = self._roots_for(folder if inside else str(self.pytest.rootdir(Path(folder))))
        real = {root.resolve() for root in roots}
        pythonpath = self.pytest.pythonpath(folder)
        outside = [
            one
            for one in self.pytest.search_path(folder).folders()
            if real.isdisjoint((one, *one.parents))
        ]
        first = () if real.issuperset(pythonpath) else pythonpath
        return tuple(dict.fromkeys([*first, *roots, *outside]))

    def searched(self, path: str) -> tuple[Path, ...]:
        """Every folder in which imports of the file itself are looked for."""
        folder = os.path.dirname(os.path.abspath(path))
        added = self.pytest.search_path(folder).folders() if self.pytest.imports(path) else ()
        return tuple(dict.fromkeys([Path(folder), *added, *self.roots(path)]))

    def may_matter(self, path: str | None, source: bytes) -> bool:
        """Whether the text or any other of its program can have a dispatcher. To ask that takes
        no parsing, and most trees know nothing of plum."""
        if any(map(self._having.get, self.roots(path))):
            return True
        return self.byte_scan.features(source).may_export_dispatcher or self.have_dispatchers(path)

    def have_dispatchers(self, path: str | None) -> bool:
        """Whether any file of the program of `path` can have a dispatcher. All are asked, and not
        only those that import lines lead to: the name of a module can be computed."""
        return bool(self._followed[0]) or any(map(self._have_below, self.roots(path)))

    def concern(self, path: str) -> bool:
        """Whether anything of the program of `path` may matter. No program imports a notebook."""
        if self.have_dispatchers(path):
            return True
        source = bytes_of_file(path) if is_notebook(path) else None
        return source is not None and self.may_concern(source)

    def may_concern(self, source: bytes) -> bool:
        """Whether the bytes of a notebook leave it possible that it has a dispatcher."""
        return self.byte_scan.notebook_may_export_dispatcher(source)

    def _have_below(self, root: Path) -> bool:
        if root not in self._having:
            self._having[root] = any(map(self._may_export, python_files_below(root.resolve())))
        return self._having[root]

    def _may_export(self, file: str) -> bool:
        if file in self._silent:
            # One source root may lie in another.
            return False
        source = bytes_of_file(file)
        if source is None:
            return False
        may_export = self.byte_scan.may_export_dispatcher(source)
        if not may_export:
            self._silent.add(file)
        return may_export

    def matters(self, path: str) -> bool:
        """Whether the file `path` can hold a finding."""
        source = bytes_of_file(path)
        if source is None or not self.may_matter(path, source):
            return False
        return self.of(path).matters(path, source)

    def is_out_of_question(self, path: str) -> bool:
        """Whether it is known that nothing in the file `path` can matter, without reading it."""
        return not self.have_dispatchers(path) and os.path.abspath(path) in self._silent

    def of(self, path: str | None, written: Mapping[str, bytes] | None = None) -> Program:
        """The program of the file `path`, which writes files itself before it imports them."""
        roots = self.roots(path)
        if written:
            # No other file sees them.
            return self._new(roots, written)
        if roots not in self._programs:
            self._programs[roots] = self._new(roots)
        return self._programs[roots]

    def _new(self, roots: tuple[Path, ...], written: Mapping[str, bytes] | None = None) -> Program:
        from plum_jit_lint.static.program import Program

        return Program(
            roots,
            self.settings.extend_jit,
            self.settings.extend_dispatchers,
            self._followed[0],
            self.pytest,
            self.byte_scan,
            written,
        )
