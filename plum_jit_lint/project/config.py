"""Settings: `[tool.plum-jit-lint]` of a pyproject.toml, merged with the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plum_jit_lint.findings import Severity
from plum_jit_lint.project.config_files import CONFIG_FILES, table_in, table_of
from plum_jit_lint.project.options import check_values
from plum_jit_lint.project.patterns import Patterns, absolute, patterns_from

DEFAULT_SELECT = ("PJ",)

INSTALLED = ("site-packages", "dist-packages")

_PROJECT_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")


@dataclass(frozen=True)
class FileIgnores:
    """Codes that are not reported in files that match one of `patterns`; with `others`, in all
    files but those."""

    patterns: tuple[Patterns, ...]
    codes: tuple[str, ...]
    others: bool = False

    def hold_for(self, path: Path) -> bool:
        """Whether the absolute `path` is one of these files."""
        return any(patterns.match(path) for patterns in self.patterns) != self.others


@dataclass(frozen=True)
class Settings:
    """Everything that a run can be told.

    `source_roots` is `None` where nobody names the folders in which modules are looked for:
    then each file's own project tells them.
    """

    select: tuple[str, ...] = DEFAULT_SELECT
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[FileIgnores, ...] = ()
    include: Patterns | None = None
    """`None` stands for `*.py` and `*.ipynb`."""
    exclude: tuple[Patterns, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    noqa: bool = True
    unused_noqa: bool = False
    min_severity: Severity = Severity.NOTE
    fail_on: Severity = Severity.WARNING
    output_format: str = "text"
    sort: str = "place"
    source_roots: tuple[Path, ...] | None = None
    extend_jit: tuple[str, ...] = ()
    extend_dispatchers: tuple[str, ...] = ()
    follow: tuple[str, ...] = ()

    def selects(self, code: str) -> bool:
        """Whether `code` is reported at all: the longest prefix wins, and ignoring a tie."""
        return _longest_prefix(self.select, code) > _longest_prefix(self.ignore, code)

    def reports(self, code: str, path: Path) -> bool:
        """Whether `code` is reported in the file with the absolute `path`."""
        return self.selects(code) and not any(
            code.startswith(ignores.codes) and ignores.hold_for(path)
            for ignores in self.per_file_ignores
        )

    def includes(self, path: str) -> bool:
        """Whether the file with the absolute `path` is one to check, if it is found in a folder."""
        if self.include is None:
            # Not a pattern for each file of a tree.
            return path.endswith((".py", ".ipynb"))
        return self.include.match(Path(path))

    def excludes(self, path: Path, *, folder: bool = False) -> bool:
        """Whether the absolute `path` is left out by `exclude` or `extend-exclude`."""
        return any(patterns.match(path, folder=folder) for patterns in self.exclude)

    def roots_for(self, folder: Path) -> tuple[Path, ...]:
        """The folders in which the modules that a file in `folder` imports are looked for."""
        if self.source_roots is not None:
            return self.source_roots
        return default_source_roots(folder)


def load_settings(
    start: str | os.PathLike[str] = ".",
    *,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
    overrides: Mapping[str, object] | None = None,
    prefix: str = "--",
) -> Settings:
    """The settings for a run that begins at the file or folder `start`.

    They come from the file `config`, or from the nearest pyproject.toml above `start` that has
    the table, unless `isolated`; `overrides` (the same keys as in the table) win over them, and
    errors name these with `prefix`.
    """
    tree = SettingsTree(config=config, isolated=isolated, overrides=overrides or {}, prefix=prefix)
    return tree.of(start)


@dataclass
class SettingsTree:
    """The settings of each file and folder: those of the nearest pyproject.toml above it that has
    the table, or of the file `config`, or the same for all."""

    config: str | os.PathLike[str] | None = None
    isolated: bool = False
    overrides: Mapping[str, object] = field(default_factory=dict)
    prefix: str = "--"
    noqa: bool = True
    unused_noqa: bool = False
    same_for_all: Settings | None = None
    _of: dict[str, Settings] = field(default_factory=dict)
    _here: Path = field(default_factory=Path.cwd)

    def of(self, path: str | os.PathLike[str]) -> Settings:
        """The settings of a file or folder. Where they come from one table they are one object."""
        return self._for_all() or self._nearest(os.path.abspath(path))

    def of_all(self, paths: Iterable[str | os.PathLike[str]]) -> Settings:
        """The settings of a run as a whole, which the order of its paths does not change: those of
        the folder around all of them."""
        return self.of(os.path.commonpath([os.path.abspath(path) for path in paths] or ["."]))

    def inside(self, folder: str, names: Iterable[str], above: Settings) -> Settings:
        """The settings of an absolute `folder` that holds files of these names, `above` being those
        of the folder around it. To ask the disk for each folder of a tree would take longer."""
        if self._for_all() is None and CONFIG_FILES.isdisjoint(names):
            return self._of.setdefault(folder, above)
        return self.of(folder)

    def _for_all(self) -> Settings | None:
        if self.same_for_all is None and (self.config is not None or self.isolated):
            base, table = self._here, {}
            if self.config is not None:
                file = absolute(self.config)
                base, table = file.parent, table_in(file)
            self.same_for_all = self._settings(table, base)
        return self.same_for_all

    def _nearest(self, path: str) -> Settings:
        if path not in self._of:
            table = table_of(Path(path))
            parent = os.path.dirname(path)
            if table is not None:
                self._of[path] = self._settings(table, Path(path))
            elif parent == path:
                self._of[path] = self._settings({}, self._here)
            else:
                self._of[path] = self._nearest(parent)
        return self._of[path]

    def _settings(self, table: Mapping[str, Any], base: Path) -> Settings:
        given = check_values(self.overrides, self._here, where=self.prefix)
        merged = _merged(table, base, given, self._here)
        return replace(merged, noqa=self.noqa, unused_noqa=self.unused_noqa)


def _merged(table: Mapping[str, Any], base: Path, given: Mapping[str, Any], here: Path) -> Settings:
    # Patterns and folders are relative to where they are written.
    origin = {**dict.fromkeys(table, base), **dict.fromkeys(given, here)}
    values = {**table, **given}
    select, ignore = _selection(table, given)
    exclude = [
        patterns
        for folder, globs in (
            (origin.get("exclude", base), values.get("exclude", ())),
            (base, table.get("extend-exclude", ())),
            (here, given.get("extend-exclude", ())),
        )
        for patterns in patterns_from(folder, globs)
    ]
    return Settings(
        select=select,
        ignore=ignore,
        per_file_ignores=tuple(
            FileIgnores(
                patterns_from(origin["per-file-ignores"], [glob.removeprefix("!")]),
                codes,
                others=glob.startswith("!"),
            )
            for glob, codes in values.get("per-file-ignores", {}).items()
        ),
        include=Patterns(origin["include"], values["include"]) if "include" in values else None,
        exclude=tuple(exclude),
        force_exclude=values.get("force-exclude", False),
        respect_gitignore=values.get("respect-gitignore", True),
        min_severity=values.get("min-severity", Settings.min_severity),
        fail_on=values.get("fail-on", Settings.fail_on),
        output_format=values.get("output-format", Settings.output_format),
        sort=values.get("sort", Settings.sort),
        source_roots=values.get("src"),
        extend_jit=values.get("extend-jit", ()),
        extend_dispatchers=values.get("extend-dispatchers", ()),
        follow=values.get("follow", ()),
    )


def _selection(
    table: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is selected and ignored; as in ruff, what the command line names is meant so."""
    if "select" in given:
        table = {}
    select = given.get("select", table.get("select", DEFAULT_SELECT))
    wanted = given.get("extend-select", ())

    def ignored(key: str) -> tuple[str, ...]:
        return tuple(code for code in table.get(key, ()) if not code.startswith(wanted))

    return (
        (*select, *table.get("extend-select", ()), *wanted),
        (
            *given.get("ignore", ignored("ignore")),
            *ignored("extend-ignore"),
            *given.get("extend-ignore", ()),
        ),
    )


def _longest_prefix(prefixes: tuple[str, ...], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def project_of(path: Path) -> Path:
    """The folder of the project around the absolute `path`; the working directory where there is
    none."""
    return project_above(path) or Path.cwd()


def project_above(path: Path) -> Path | None:
    for above in (path, *path.parents):
        if any(os.path.exists(f"{above}{os.sep}{marker}") for marker in _PROJECT_MARKERS):
            return above
    return None


def default_source_roots(folder: Path) -> tuple[Path, ...]:
    """The project above `folder` and its `src`; where there is no project, the folder from
    which the package around `folder` can be imported."""
    project = project_above(folder)
    if project is not None:
        source = project / "src"
        return (project, source) if source.is_dir() else (project,)
    while (folder / "__init__.py").exists() and folder != folder.parent:
        folder = folder.parent
    # Beside an installed package lies all that is installed, which is no part of its program.
    return () if folder.name in INSTALLED else (folder,)
