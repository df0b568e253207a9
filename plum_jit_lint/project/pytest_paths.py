"""Where the modules are looked for that test files and `conftest.py` files import.

pytest decides that by the file system alone, but for the folder that it is started in. A file is
taken as if pytest were given it and no other: so the answer is the same for each way to check it.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from plum_jit_lint.project.config import INSTALLED, project_above
from plum_jit_lint.project.patterns import absolute
from plum_jit_lint.project.pytest_settings import (
    APPEND,
    IMPORTLIB,
    PYTHON_FILES,
    AllPytestSettings,
    PytestSettings,
)

CONFTEST = "conftest.py"


@dataclass(frozen=True, slots=True)
class SearchPath:
    """The folders that pytest puts on `sys.path` before and after those that are there anyway."""

    before: tuple[Path, ...] = ()
    after: tuple[Path, ...] = ()

    def folders(self) -> tuple[Path, ...]:
        """All that pytest puts there."""
        return (*self.before, *self.after)

    def around(self, roots: tuple[Path, ...]) -> tuple[Path, ...]:
        """All of them; of a folder that stands there twice the first counts."""
        return tuple(dict.fromkeys([*self.before, *roots, *self.after]))


@dataclass(frozen=True, slots=True)
class PytestPaths:
    """pytest's rules for the files of a run, each looked up once."""

    _settings: AllPytestSettings = field(default_factory=AllPytestSettings)
    _rootdirs: dict[Path, Path] = field(default_factory=dict)
    _imports: dict[str, bool] = field(default_factory=dict)
    _answers: dict[str, str] = field(default_factory=dict)
    _searched: dict[Path, tuple[Path, SearchPath]] = field(default_factory=dict)

    def settings(self, folder: Path) -> PytestSettings:
        """The settings for the files in an absolute `folder`."""
        return self._settings.of(str(folder))

    def imports(self, path: str) -> bool:
        """Whether pytest imports the file by itself: it is a `conftest.py`, or is collected."""
        if path not in self._imports:
            self._imports[path] = os.path.basename(path) == CONFTEST or self.collects(path)
        return self._imports[path]

    def collects(self, path: str) -> bool:
        """Whether pytest looks for tests in a file of that name."""
        if not path.endswith(".py"):
            return False
        # Asked of each file of a tree: without objects for paths.
        file = os.path.abspath(path)
        settings = self._settings.of(os.path.dirname(file))
        if not any(_matches(file, pattern) for pattern in settings.python_files):
            return False
        # `*.py` is not meant for the files around the tests.
        is_plain = any(_matches(file, pattern) for pattern in PYTHON_FILES)
        return is_plain or _is_below_testpaths(Path(file), settings)

    def answer(self, path: str) -> str:
        """All that pytest's rules say of a file, so that a change of it can be told."""
        if not self.imports(path):
            return ""
        if path not in self._answers:
            rootdir = self.rootdir(absolute(path).parent)
            self._answers[path] = repr((self.collects(path), rootdir, self.name_and_path(path)))
        return self._answers[path]

    def pythonpath(self, folder: str) -> tuple[Path, ...]:
        """The entries of the search path that the settings name."""
        return _folders(map(_tidy, self._settings.of(folder).pythonpath))

    def rootdir(self, folder: Path) -> Path:
        """The folder that pytest calls so. Where only the place tells it where pytest is started,
        that is the project, and where there is none, the outermost folder with a conftest."""
        if folder not in self._rootdirs:
            told = self.settings(folder).rootdir
            self._rootdirs[folder] = told or project_above(folder) or _outermost_conftest(folder)
        return self._rootdirs[folder]

    def conftests(self, path: str) -> list[Path]:
        """Where the `conftest.py` files of a file may lie, the outermost first."""
        folder = absolute(path).parent
        return [one.resolve() / CONFTEST for one in _between(self.rootdir(folder), folder)]

    def name_and_path(self, path: str) -> tuple[str, SearchPath]:
        """The name of the module that pytest makes of a file, and its search path."""
        file = absolute(path)
        base, found = self._base_and_path(file.parent)
        return _dotted(file, base), found

    def search_path(self, folder: str) -> SearchPath:
        """The search path of what pytest imports in an absolute `folder`."""
        return self._base_and_path(Path(folder))[1]

    def _base_and_path(self, folder: Path) -> tuple[Path, SearchPath]:
        if folder not in self._searched:
            base, found = self._find(folder)
            self._searched[folder] = base, SearchPath(*map(_folders, (found.before, found.after)))
        return self._searched[folder]

    def _find(self, folder: Path) -> tuple[Path, SearchPath]:
        """The folder below which the path to a file is its module's name, and the search path."""
        settings, rootdir = self.settings(folder), self.rootdir(folder)
        pythonpath = [_tidy(entry) for entry in settings.pythonpath]
        if settings.import_mode == IMPORTLIB:
            base = _package_base(folder) or rootdir
            # Nothing is put on the path; what is in a package finds it all the same.
            return base, SearchPath(tuple(pythonpath), () if base == folder else (base,))
        on_path = list(pythonpath)
        above = (one for one in _between(rootdir, folder) if os.path.isfile(one / CONFTEST))
        base = folder
        for one in (*above, folder):
            base = _package_base(one) or one
            if settings.namespace_packages:
                base = next((f for f in (base, *base.parents) if f in on_path), base)
            if settings.import_mode == APPEND:
                on_path.append(base)
            else:
                on_path.insert(0, base)
        if settings.import_mode == APPEND:
            count = len(pythonpath)
            return base, SearchPath(tuple(on_path[:count]), tuple(on_path[count:]))
        return base, SearchPath(tuple(on_path))


def _matches(file: str, pattern: str) -> bool:
    if os.sep not in pattern:
        return fnmatch.fnmatch(os.path.basename(file), pattern)
    return fnmatch.fnmatch(file, pattern if os.path.isabs(pattern) else f"*{os.sep}{pattern}")


def _is_below_testpaths(file: Path, settings: PytestSettings) -> bool:
    if not settings.testpaths or settings.rootdir is None:
        return True
    tops = [str(_tidy(settings.rootdir / one)) for one in settings.testpaths]
    folders = [str(file), *map(str, file.parents)]
    return any(fnmatch.fnmatch(folder, top) for folder in folders for top in tops)


def _outermost_conftest(folder: Path) -> Path:
    """The outermost folder with a conftest, from `folder` up to where people's folders begin."""
    home = Path(os.path.expanduser("~"))
    found = folder
    for above in (folder, *folder.parents):
        if above in (home, Path(above.anchor)):
            break
        if os.path.isfile(above / CONFTEST):
            found = above
    return found


def _between(rootdir: Path, folder: Path) -> list[Path]:
    """The folders from `rootdir` down to `folder`."""
    inside = [one for one in (folder, *folder.parents) if one.is_relative_to(rootdir)]
    return inside[::-1]


def _package_base(folder: Path) -> Path | None:
    """The folder of the outermost package that `folder` is in; `None` if it is in none."""
    base = None
    for one in (folder, *folder.parents):
        if not (os.path.isfile(one / "__init__.py") and one.name.isidentifier()):
            break
        base = one.parent
    return base


def _dotted(file: Path, base: Path) -> str:
    if not file.is_relative_to(base):
        return file.stem
    parts = [part.replace(".", "_") for part in file.relative_to(base).with_suffix("").parts]
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def _tidy(folder: Path) -> Path:
    return Path(os.path.normpath(folder))


def _folders(found: Iterable[Path]) -> tuple[Path, ...]:
    """The folders as the rest of a program spells them. Beside an installed package lies all that
    is installed, which is no part of its program."""
    # What is no folder may not even be a path.
    there = (one for one in found if one.name not in INSTALLED and os.path.isdir(one))
    return tuple(dict.fromkeys(one.resolve() for one in there))
