"""`plum-jit-lint clean`: the cache of a project is removed."""

from __future__ import annotations

from plum_jit_lint.cache.database import clean
from plum_jit_lint.commands.output import CLEAN


def main() -> int:
    """Removes the cache of this project."""
    removed = clean(".")
    for folder in removed:
        print(f"removed {folder}")
    if not removed:
        print("no cache here")
    return CLEAN
