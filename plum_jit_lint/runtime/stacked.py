"""PJ001 and PJ002 in a live process.

Stacks of decorators cannot be told from live objects: `@jit @dispatch def f` and `jax.jit(f)`
look the same. So the source of each file that registered something is read, by the static
observer, and what it says of a definition counts when that definition was registered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from plum_jit_lint.config import default_source_roots
from plum_jit_lint.events import Registered, Stacked
from plum_jit_lint.findings import Finding
from plum_jit_lint.rules import judge
from plum_jit_lint.runtime.frames import is_installed
from plum_jit_lint.static import Program, SourceError, observe


def findings(places: Mapping[str, set[int]]) -> list[Finding]:
    """The findings among `places`: lines of files where something was registered.

    Installed packages are left out: how they stack their decorators is not up to the program.
    """
    found = []
    for path, lines in sorted(places.items()):
        if path.endswith(".py") and not is_installed(path):
            found += [one for one in _of_file(path) if one.place.line in lines]
    return found


def _of_file(path: str) -> list[Finding]:
    try:
        source = Path(path).read_bytes()
        program = Program(default_source_roots(Path(path).parent))
        timelines = observe(path, source, program)
    except (OSError, SourceError):
        return []
    own = [
        tuple(
            replace(event, displaced=()) if isinstance(event, Registered) else event
            for event in timeline
            if isinstance(event, Registered | Stacked)
        )
        for timeline in timelines
    ]
    return [one for one in judge(own) if one.place.path == path]
