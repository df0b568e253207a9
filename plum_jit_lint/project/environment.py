"""Where installed packages lie, found without importing any of them."""

from __future__ import annotations

import importlib.machinery
import os
import sys
from collections.abc import Iterable
from pathlib import Path


def folders_of(packages: Iterable[str]) -> tuple[dict[str, Path], tuple[str, ...]]:
    """The folder that each of the top-level `packages` is imported from, and those that are not
    installed."""
    found: dict[str, Path] = {}
    missing: list[str] = []
    for name in packages:
        folder = _folder_of(name)
        if folder is None:
            missing.append(name)
        else:
            found[name] = folder
    return found, tuple(missing)


def _folder_of(name: str) -> Path | None:
    # A top-level name is looked up in the file system only: no parent package has to run.
    spec = importlib.machinery.PathFinder.find_spec(name, _search_path())
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).parent
    return None if spec.origin is None else Path(spec.origin).parent


def _search_path() -> list[str]:
    """The activated environment, which need not be the one that this program is installed in,
    then this Python's own."""
    active = os.environ.get("VIRTUAL_ENV")
    patterns = ("lib/python3*/site-packages", "Lib/site-packages")
    folders = [folder for pattern in patterns if active for folder in Path(active).glob(pattern)]
    # Not the working directory: what lies there is the program itself.
    return [*map(str, sorted(folders)), *(entry for entry in sys.path if entry)]
