"""The table of settings in a file, and tables that somebody took for it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plum_jit_lint.project.options import ConfigError, check_values
from plum_jit_lint.project.source_lines import bytes_of_file, read_file

NAME = "plum-jit-lint"
TABLE = f"tool.{NAME}"

PYPROJECT = "pyproject.toml"
OTHER_FILES = ("setup.cfg", "tox.ini", f"{NAME}.toml", f".{NAME}.toml")
CONFIG_FILES = frozenset({PYPROJECT, *OTHER_FILES})
"""Where people look for settings, of which pyproject.toml alone may have some."""

_MENTION = re.compile(rb"plum[-_. ]?jit", re.IGNORECASE)
_SECTION = re.compile(r"^\[(tool[:.])?(plum[-_]jit[-_]lint)\]\s*$", re.MULTILINE)
_LIKE_IT = ("plumjit", "plumjitlint", "plumjitlinter")


def table_of(folder: Path) -> dict[str, Any] | None:
    """The checked values of the table that stands in `folder`; `None` where there is none."""
    found = _checked_table(folder / PYPROJECT, needed=False)
    if found is None:
        _refuse_others(folder)
    return found


def table_in(file: Path) -> dict[str, Any]:
    """The checked values of the table in a file that has to have it."""
    return _checked_table(file, needed=True) or {}


def _checked_table(file: Path, *, needed: bool) -> dict[str, Any] | None:
    if not (needed or os.path.isfile(file)):
        return None
    try:
        source = read_file(str(file))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror or error}") from None
    if not needed and _MENTION.search(source) is None:
        return None

    import tomllib

    try:
        document = tomllib.loads(source.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{file}: no valid TOML: {error}") from None
    for name in _like_the_table(document):
        raise ConfigError(f"{file}: [{name}]: the table with the settings is called [{TABLE}]")
    tools = document.get("tool", {})
    table = tools.get(NAME) if isinstance(tools, dict) else None
    if table is None:
        if needed:
            raise ConfigError(f"{file}: has no table [{TABLE}]")
        return None
    if not isinstance(table, dict):
        raise ConfigError(f"{file}: {TABLE} is to be a table, not {table!r}")
    return check_values(table, file.parent, where=f"{file}: [{TABLE}]: ")


def _like_the_table(document: Mapping[str, Any]) -> Iterator[str]:
    """The tables whose names are nearly that of the table: they would have no effect."""
    tools = document.get("tool", {})
    for above, tables in (("tool.", tools), ("", document)):
        if isinstance(tables, dict):
            for name, value in tables.items():
                alike = re.sub(r"[-_. ]", "", name).lower() in _LIKE_IT
                if alike and isinstance(value, dict) and f"{above}{name}" != TABLE:
                    yield f"{above}{name}"


def _refuse_others(folder: Path) -> None:
    """Settings of other programs stand in these files, and ours would have no effect there."""
    for name in OTHER_FILES:
        source = bytes_of_file(str(folder / name))
        if source is None:
            continue
        section = _SECTION.search(source.decode("utf-8", errors="replace"))
        if section is not None or name.endswith(".toml"):
            said = f"{folder / name}: " + (f"{section[0].strip()}: " if section else "")
            raise ConfigError(f"{said}settings are read from [{TABLE}] of {PYPROJECT} alone")
