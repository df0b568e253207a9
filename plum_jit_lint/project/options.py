"""What each setting may be, with errors that name the key, the value and what is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plum_jit_lint.findings import Severity
from plum_jit_lint.project.patterns import absolute, is_pattern

CODES = ("PJ001", "PJ002", "PJ003", "PJ004")
FORMATS = ("text", "concise", "json", "github", "sarif")
ORDERS = ("place", "severity")
SEVERITIES = tuple(severity.label for severity in Severity)


class ConfigError(Exception):
    """A setting that cannot be used; the text names it, its value and what is known."""


def check_values(table: Mapping[str, object], base: Path, *, where: str) -> dict[str, Any]:
    """The values of `table` in the types of `Settings`.

    Folders are relative to `base`; an error begins with `where` and the key.
    """
    checked: dict[str, Any] = {}
    for key, value in table.items():
        check = _CHECKS.get(key)
        if check is None:
            raise ConfigError(f"{where}unknown key {key!r}{hint(key, tuple(_CHECKS))}")
        try:
            checked[key] = check(value)
            if key == "src":
                checked[key] = _folders(checked[key], base)
        except ValueError as error:
            raise ConfigError(f"{where}{key}: {error}") from None
    return checked


def hint(word: str, known: tuple[str, ...]) -> str:
    """What `word` may have been meant for, else all that is known."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]!r}?)" if close else f" (known: {', '.join(known)})"


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {value!r}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"expected a list of strings, not {value!r}")
    return tuple(value)


def _selectors(value: object) -> tuple[str, ...]:
    selectors = _texts(value)
    for selector in selectors:
        if not selector or not any(code.startswith(selector) for code in CODES):
            raise ValueError(f"unknown code {selector!r}{hint(selector, CODES)}")
    return selectors


def _folders(names: tuple[str, ...], base: Path) -> tuple[Path, ...]:
    folders = tuple(absolute(base / name) for name in names)
    for name, folder in zip(names, folders, strict=True):
        if not folder.is_dir():
            raise ValueError(f"{name!r} is not a folder in {base}")
    return folders


def _file_ignores(value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a table of patterns with lists of codes, not {value!r}")
    ignores = {}
    for pattern, codes in value.items():
        _globs((pattern,))
        try:
            ignores[pattern] = _selectors(codes)
        except ValueError as error:
            raise ValueError(f"{pattern!r}: {error}") from None
    return ignores


def _globs(value: object) -> tuple[str, ...]:
    globs = _texts(value)
    for glob in globs:
        if not glob.strip() or glob.startswith("#") or not is_pattern(glob):
            raise ValueError(f"{glob!r} is no pattern")
    return globs


def _one_of(kind: str, known: tuple[str, ...]) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"unknown {kind} {value!r}{hint(str(value), known)}")
        return value

    return check


def _severity(value: object) -> Severity:
    return Severity.parse(_one_of("severity", SEVERITIES)(value))


def _qualified_names(value: object) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        parts = name.split(".")
        if len(parts) < 2 or not all(part.isidentifier() for part in parts):
            raise ValueError(f"{name!r} is no qualified name such as 'package.module.name'")
    return names


def _packages(value: object) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        if not name.isidentifier():
            raise ValueError(f"{name!r} is no name of a top-level package such as 'lab'")
    return names


_CHECKS: Mapping[str, Callable[[object], object]] = {
    "select": _selectors,
    "ignore": _selectors,
    "extend-select": _selectors,
    "extend-ignore": _selectors,
    "per-file-ignores": _file_ignores,
    "include": _globs,
    "exclude": _globs,
    "extend-exclude": _globs,
    "force-exclude": _flag,
    "respect-gitignore": _flag,
    "min-severity": _severity,
    "fail-on": _severity,
    "output-format": _one_of("format", FORMATS),
    "sort": _one_of("order", ORDERS),
    "src": _texts,
    "extend-jit": _qualified_names,
    "extend-dispatchers": _qualified_names,
    "follow": _packages,
}
