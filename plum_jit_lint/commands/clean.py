"""`plum-jit-lint clean`: the cache of a project is removed."""

from __future__ import annotations

import os
from collections.abc import Sequence

from plum_jit_lint.cache.database import clean
from plum_jit_lint.commands.output import CLEAN
from plum_jit_lint.project.options import ConfigError
from plum_jit_lint.project.source_lines import printable


def main(given: Sequence[str]) -> int:
    """Removes the cache of this project, or of those around the paths that are `given`."""
    for path in given:
        if path.startswith("-"):
            raise ConfigError(f"clean: unknown option {path!r}: it takes none")
        if not os.path.exists(path):
            raise ConfigError(f"clean: {path}: no such file or folder")
    removed = [folder for path in given or ["."] for folder in clean(path)]
    for folder in removed:
        print(f"removed {printable(str(folder))}")
    if not removed:
        print("no cache here")
    return CLEAN
