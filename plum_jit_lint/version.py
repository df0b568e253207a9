"""The version of this package."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

__version__ = "0.1.0"


@cache
def build() -> str:
    """The version, and in a development checkout, where the code changes without a new one, what
    tells its files from those of another time."""
    package = Path(__file__).parent
    if not (package.parent / "pyproject.toml").is_file():
        return __version__
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        state = path.stat()
        digest.update(f"{path} {state.st_mtime_ns} {state.st_size}\n".encode(errors="replace"))
    return f"{__version__}+{digest.hexdigest()}"
