"""What pytest is told by the settings of a project, as far as it decides which modules are found.

What pytest would complain of (a file that cannot be read, a value of another type) is taken as if
it were not there.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plum_jit_lint.project.source_lines import bytes_of_file

Table = Mapping[str, object]

PYTHON_FILES = ("test_*.py", "*_test.py")

PREPEND, APPEND, IMPORTLIB = "prepend", "append", "importlib"

_TRUE = ("1", "true", "t", "yes", "y", "on")


@dataclass(frozen=True, slots=True)
class PytestSettings:
    """The settings for the test files in one folder.

    `rootdir` is `None` where nothing in the file system tells it, but only where pytest is
    started.
    """

    rootdir: Path | None = None
    inifile: Path | None = None
    pythonpath: tuple[Path, ...] = ()
    import_mode: str = PREPEND
    python_files: tuple[str, ...] = PYTHON_FILES
    testpaths: tuple[str, ...] = ()
    namespace_packages: bool = False
    is_given: bool = False
    """Whether a file tells any of it, be it that it is pytest's."""


@dataclass(frozen=True, slots=True)
class AllPytestSettings:
    """The settings of each folder, read once."""

    _of: dict[str, PytestSettings] = field(default_factory=dict)

    def of(self, folder: str) -> PytestSettings:
        """The settings that pytest has for a file in `folder`, an absolute path, if it is given
        that file alone."""
        if folder not in self._of:
            self._of[folder] = self._find(folder)
        return self._of[folder]

    def _find(self, folder: str) -> PytestSettings:
        own = _told_in(folder)
        if own is not None:
            return own
        parent = os.path.dirname(folder)
        above = PytestSettings() if parent == folder else self.of(parent)
        if above.is_given:
            return above
        pyproject = Path(folder, "pyproject.toml")
        if os.path.isfile(pyproject):
            # Without a table for pytest it still is where the project begins.
            return PytestSettings(pyproject.parent, pyproject)
        if above.inifile is None and os.path.isfile(os.path.join(folder, "setup.py")):
            return PytestSettings(Path(folder))
        return above


def _told_in(folder: str) -> PytestSettings | None:
    """The settings that the first file of a folder gives which has some."""
    for name, tables in _FILES.items():
        file = os.path.join(folder, name)
        source = bytes_of_file(file)
        if source is None or (b"pytest" not in source and not name.startswith(_ALWAYS)):
            continue
        try:
            table = tables(source.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        if table is not None:
            return _settings(Path(file), table)
    return None


# -- files ----------------------------------------------------------------------------------------

_ALWAYS = ("pytest.", ".pytest.")
"""What the names of files begin with that are pytest's even if they are empty."""


def _ini(text: str) -> Mapping[str, Table]:
    # Few projects have such a file.
    import configparser

    parser = configparser.RawConfigParser(default_section="", interpolation=None)
    parser.optionxform = str  # type: ignore[method-assign, assignment]
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise ValueError(str(error)) from None
    return {name: dict(parser[name]) for name in parser.sections()}


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)


def _own_ini(text: str) -> Table:
    return _ini(text).get("pytest", {})


def _own_toml(text: str) -> Table:
    document = _toml(text)
    if "pytest" not in document:
        if all(isinstance(value, dict) for value in document.values()):
            return {}
        raise ValueError("options outside of the table [pytest]")
    return _table(document["pytest"])


def _pyproject(text: str) -> Table | None:
    tools = _table(_toml(text).get("tool", {}))
    native = dict(_table(tools.get("pytest", {})))
    as_ini = native.pop("ini_options", None)
    if native and as_ini:
        raise ValueError("two tables")
    if native:
        return native
    return None if as_ini is None else _table(as_ini)


def _table(value: object) -> Table:
    if not isinstance(value, dict):
        raise ValueError("no table")
    return value


_FILES: Mapping[str, Callable[[str], Table | None]] = {
    "pytest.toml": _own_toml,
    ".pytest.toml": _own_toml,
    "pytest.ini": _own_ini,
    ".pytest.ini": _own_ini,
    "pyproject.toml": _pyproject,
    "tox.ini": lambda text: _ini(text).get("pytest"),
    "setup.cfg": lambda text: _ini(text).get("tool:pytest"),
}
"""The files that may have settings, in pytest's order, and what their settings are."""


# -- values ---------------------------------------------------------------------------------------


def _settings(file: Path, table: Table) -> PytestSettings:
    options = _words(table.get("addopts"))
    table = {**table, **dict(_overrides(options))}
    modes = _given(options, "--import-mode")
    mode = modes[-1] if modes and modes[-1] in (APPEND, IMPORTLIB) else PREPEND
    return PytestSettings(
        file.parent,
        file,
        tuple(file.parent / entry for entry in _words(table.get("pythonpath"))),
        mode,
        _words(table.get("python_files")) or PYTHON_FILES,
        _words(table.get("testpaths")),
        str(table.get("consider_namespace_packages", "")).strip().lower() in _TRUE,
        is_given=True,
    )


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            return tuple(shlex.split(value))
        except ValueError:
            return ()
    return tuple(filter(_is_text, value)) if isinstance(value, list) else ()


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _overrides(options: Sequence[str]) -> list[tuple[str, str]]:
    given = _given(options, "--override-ini", "-o")
    return [(name, value) for name, equal, value in (one.partition("=") for one in given) if equal]


def _given(options: Sequence[str], *names: str) -> list[str]:
    """The values that options of these names are given."""
    found: list[str] = []
    for position, option in enumerate(options):
        name, equal, value = option.partition("=")
        if option in names:
            found.extend(options[position + 1 : position + 2])
        elif equal and name in names and name.startswith("--"):
            found.append(value)
    return found
