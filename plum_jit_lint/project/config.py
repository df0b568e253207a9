"""Settings: `[tool.plum-jit-lint]` of a pyproject.toml, merged with the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plum_jit_lint.findings import Severity
from plum_jit_lint.project.options import ConfigError, check_values
from plum_jit_lint.project.patterns import Patterns, absolute

TABLE = "tool.plum-jit-lint"

DEFAULT_SELECT = ("PJ",)

INSTALLED = ("site-packages", "dist-packages")

_PROJECT_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")


@dataclass(frozen=True)
class FileIgnores:
    """Codes that are not reported in files that match `patterns`."""

    patterns: Patterns
    codes: tuple[str, ...]


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
    min_severity: Severity = Severity.NOTE
    fail_on: Severity = Severity.WARNING
    output_format: str = "text"
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
            code.startswith(ignores.codes) and ignores.patterns.match(path)
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
    here = Path.cwd()
    base, table = here, {}
    if config is not None:
        file = absolute(config)
        base, table = file.parent, _checked_table(file, needed=True) or {}
    elif not isolated:
        for file in _pyprojects_above(absolute(start)):
            found = _checked_table(file)
            if found is not None:
                base, table = file.parent, found
                break
    given = check_values(overrides or {}, here, where=prefix)
    return _merged(table, base, given, here)


def _merged(table: Mapping[str, Any], base: Path, given: Mapping[str, Any], here: Path) -> Settings:
    # Patterns and folders are relative to where they are written.
    origin = {**dict.fromkeys(table, base), **dict.fromkeys(given, here)}
    values = {**table, **given}
    select, ignore = _selection(table, given)
    exclude = [
        Patterns(folder, tuple(globs))
        for folder, globs in (
            (origin.get("exclude", base), values.get("exclude", ())),
            (base, table.get("extend-exclude", ())),
            (here, given.get("extend-exclude", ())),
        )
        if globs
    ]
    return Settings(
        select=select,
        ignore=ignore,
        per_file_ignores=tuple(
            FileIgnores(Patterns(origin["per-file-ignores"], (glob,)), codes)
            for glob, codes in values.get("per-file-ignores", {}).items()
        ),
        include=Patterns(origin["include"], values["include"]) if "include" in values else None,
        exclude=tuple(exclude),
        force_exclude=values.get("force-exclude", False),
        respect_gitignore=values.get("respect-gitignore", True),
        min_severity=values.get("min-severity", Settings.min_severity),
        fail_on=values.get("fail-on", Settings.fail_on),
        output_format=values.get("output-format", Settings.output_format),
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
    ignore = tuple(code for code in table.get("ignore", ()) if not code.startswith(wanted))
    return (
        (*select, *table.get("extend-select", ()), *wanted),
        given.get("ignore", ignore),
    )


def _longest_prefix(prefixes: tuple[str, ...], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def _pyprojects_above(start: Path) -> Iterator[Path]:
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            yield file


def _checked_table(file: Path, *, needed: bool = False) -> dict[str, Any] | None:
    """The checked values of the table in `file`; `None` when `file` has no such table."""
    try:
        source = file.read_bytes()
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror or error}") from None
    if b"plum-jit-lint" not in source and not needed:
        return None

    import tomllib

    try:
        tools = tomllib.loads(source.decode("utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{file}: no valid TOML: {error}") from None
    table = tools.get("plum-jit-lint") if isinstance(tools, dict) else None
    if table is None:
        if needed:
            raise ConfigError(f"{file}: has no table [{TABLE}]")
        return None
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: {TABLE} is to be a table, not {table!r}")
    return check_values(table, file.parent, where=f"{file}: [{TABLE}]: ")


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
