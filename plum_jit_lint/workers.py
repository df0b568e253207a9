"""Checking many files, over processes when that pays."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack

from plum_jit_lint.checking import Checked, check_file
from plum_jit_lint.config import Settings
from plum_jit_lint.garbage import ALLOCATIONS, less_collected
from plum_jit_lint.programs import Programs

ALONE = 0.5
"""Seconds that one process works alone. Most projects are done by then, and what it has read so
far the others need not read again."""

_programs: Programs | None = None


def check_all(
    files: Sequence[str], programs: Programs, named: frozenset[str], jobs: int
) -> Iterator[Checked]:
    """Checks files in `jobs` processes; the results come in any order. `named` are those that the
    user named: where they are no Python, that is told in any case."""
    with less_collected():
        yield from _check_all(files, programs, named, jobs)


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
    ran: set[str] = set()
    while position < len(ordered):
        path = ordered[position]
        if jobs > 1 and time.monotonic() - began > ALONE and len(ordered) - position > jobs:
            break
        yield check_file(path, programs, needs_syntax=needs_syntax(path))
        ran.add(package_of(path))
        position += 1
    rest = [(path, needs_syntax(path)) for path in ordered[position:]]
    if rest:
        yield from _in_processes(rest, programs, jobs, ran)


def _in_processes(
    files: Sequence[tuple[str, bool]], programs: Programs, jobs: int, ran: Set[str]
) -> Iterator[Checked]:
    """Checks the rest of the files; `ran` are the packages of which something has run here."""
    # Only for runs that take long: it costs 40 ms to import.
    import multiprocessing
    import queue

    global _programs
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    _programs = programs
    # What is shared with the children is not to be copied because it is looked at for garbage.
    gc.freeze()
    results: queue.SimpleQueue[Checked | BaseException] = queue.SimpleQueue()
    try:
        with ExitStack() as running:
            for share in _shares(files, jobs, ran):
                pool = running.enter_context(context.Pool(1, _begin, (programs.settings,)))
                for task in share:
                    pool.apply_async(_check, (task,), {}, results.put, results.put)
            for _ in files:
                result = results.get()
                if isinstance(result, BaseException):
                    raise result
                yield result
    finally:
        gc.unfreeze()
        _programs = None


def _shares(
    files: Sequence[tuple[str, bool]], jobs: int, ran: Set[str]
) -> list[list[tuple[str, bool]]]:
    """What each process does. A package of which nothing has run stays together: whoever checks
    one file of it has to run most of it."""
    together: dict[str, list[tuple[str, bool]]] = {}
    for task in files:
        package = package_of(task[0])
        together.setdefault(task[0] if package in ran else package, []).append(task)
    sizes = {name: sum(_size(path) for path, _ in tasks) for name, tasks in together.items()}
    shares: list[list[tuple[str, bool]]] = [[] for _ in range(min(jobs, len(together)))]
    loads = [0] * len(shares)
    for name in sorted(together, key=lambda name: (-sizes[name], name)):
        least = loads.index(min(loads))
        shares[least].extend(together[name])
        loads[least] += sizes[name]
    return shares


def package_of(path: str) -> str:
    """The folder of the outermost package around a file, or the folder that the file lies in."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        above = os.path.dirname(folder)
        if above == folder or not os.path.isfile(os.path.join(above, "__init__.py")):
            return folder
        folder = above


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


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
