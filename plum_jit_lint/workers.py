"""Checking many files, over processes when that pays."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from plum_jit_lint.checking import Checked, check_file
from plum_jit_lint.config import Settings
from plum_jit_lint.programs import Programs

ALONE = 0.5
"""Seconds that one process works alone. Most projects are done by then, and what it has read so
far the others need not read again."""

_CHUNK = 4

ALLOCATIONS = 50_000
"""Objects made since the youngest were last looked at for garbage, before they are again."""

_programs: Programs | None = None


def check_all(
    files: Sequence[str], programs: Programs, named: frozenset[str], jobs: int
) -> Iterator[Checked]:
    """Checks files in `jobs` processes; the results come in any order. `named` are those that the
    user named: where they are no Python, that is told in any case."""
    with _less_collected():
        yield from _check_all(files, programs, named, jobs)


@contextmanager
def _less_collected() -> Iterator[None]:
    """Facts and values are kept to the end of a run, and are looked at for garbage again and again
    in vain: that took a sixth of the time."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], ALLOCATIONS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _check_all(
    files: Sequence[str], programs: Programs, named: frozenset[str], jobs: int
) -> Iterator[Checked]:
    speaks = any(map(programs.have_dispatchers, files))

    def needs_syntax(path: str) -> bool:
        return speaks or path in named

    # A package's own file brings most of what the others import.
    ordered = sorted(files, key=lambda path: (not path.endswith("__init__.py"), len(path), path))
    began = time.monotonic()
    position = 0
    while position < len(ordered):
        path = ordered[position]
        if jobs > 1 and time.monotonic() - began > ALONE and len(ordered) - position > jobs:
            break
        yield check_file(path, programs, needs_syntax=needs_syntax(path))
        position += 1
    rest = [(path, needs_syntax(path)) for path in ordered[position:]]
    if rest:
        yield from _in_processes(rest, programs, jobs)


def _in_processes(
    files: Sequence[tuple[str, bool]], programs: Programs, jobs: int
) -> Iterator[Checked]:
    # Only for runs that take long: it costs 40 ms to import.
    import multiprocessing

    global _programs
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    _programs = programs
    # What is shared with the children is not to be copied because it is looked at for garbage.
    gc.freeze()
    try:
        with context.Pool(jobs, _begin, (programs.settings,)) as pool:
            yield from pool.imap_unordered(_check, files, chunksize=_CHUNK)
    finally:
        gc.unfreeze()
        _programs = None


def _begin(settings: Settings) -> None:
    global _programs
    if _programs is None:
        # A process of its own, with nothing of this one.
        gc.set_threshold(ALLOCATIONS, *gc.get_threshold()[1:])
        _programs = Programs(settings)


def _check(task: tuple[str, bool]) -> Checked:
    assert _programs is not None
    path, needs_syntax = task
    return check_file(path, _programs, needs_syntax=needs_syntax)
