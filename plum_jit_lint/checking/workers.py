"""Checking many files, over processes when that pays."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from plum_jit_lint.checking.garbage import less_collected
from plum_jit_lint.checking.one_file import Checked, check_file
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.project.config import Settings

ALONE = 0.5
"""Seconds that one process works alone. Most projects are done by then, and what it has read so
far the others need not read again."""

_programs: Programs | None = None


def check_all(
    files: Sequence[str], programs: Programs, named: frozenset[str], jobs: int
) -> Iterator[Checked]:
    """Checks files in `jobs` processes; the results come in any order. `named` are those that the
    user named: where they are no Python, that is told in any case."""
    relevant = any(map(programs.concern, files))

    def needs_syntax(path: str) -> bool:
        return relevant or path in named

    def order(path: str) -> tuple[bool, bool, int, str]:
        # What can hold no finding comes last: what the others import of it has been read by then.
        # A package's own file brings most of what the others import.
        beside = relevant and not programs.matters(path)
        return beside, not path.endswith("__init__.py"), len(path), path

    ordered = sorted(files, key=order)
    began = time.monotonic()
    position = 0
    ran: set[str] = set()
    # Around all of them: the end of it looks at everything that is young.
    with less_collected():
        while position < len(ordered):
            path = ordered[position]
            if jobs > 1 and time.monotonic() - began > ALONE and len(ordered) - position > jobs:
                break
            yield check_file(path, programs, needs_syntax=needs_syntax(path))
            ran.add(path)
            position += 1
    rest = [(path, needs_syntax(path)) for path in ordered[position:]]
    if rest:
        yield from _in_processes(rest, programs, jobs, ran)


def _in_processes(
    files: Sequence[tuple[str, bool]], programs: Programs, jobs: int, ran: Set[str]
) -> Iterator[Checked]:
    """Checks the rest of the files; `ran` are those that have run here."""
    # Only for runs that take long: it costs 40 ms to import.
    import multiprocessing
    import queue

    global _programs
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    _programs = programs
    # What is shared with the children is not to be copied because it is looked at for garbage. Who
    # has frozen something before wants it to stay so, and the two cannot be told apart again.
    freezes = gc.get_freeze_count() == 0
    if freezes:
        gc.freeze()
    results: queue.SimpleQueue[Checked | BaseException] = queue.SimpleQueue()
    try:
        with ExitStack() as running:
            for share in _shares(files, programs, jobs, ran):
                pool = running.enter_context(context.Pool(1, _begin, (programs.settings,)))
                for task in share:
                    pool.apply_async(_check, (task,), {}, results.put, results.put)
            for _ in files:
                result = results.get()
                if isinstance(result, BaseException):
                    raise result
                programs.texts.merge(result.read)
                yield result
    finally:
        if freezes:
            gc.unfreeze()
        _programs = None


def _shares(
    files: Sequence[tuple[str, bool]], programs: Programs, jobs: int, ran: Set[str]
) -> list[list[tuple[str, bool]]]:
    """What each process does. A package of which nothing has run stays together, with what
    imports it: whoever checks one file of it has to run most of it."""
    known = _led_to(ran, programs, set())
    together: dict[str, list[str]] = {}
    for path, _ in files:
        alone = Path(path).resolve() in known
        together.setdefault(path if alone else top_of(path, programs), []).append(path)
    needed = {top: _led_to(paths, programs, known) for top, paths in together.items()}
    sizes = {file: _size(file) for file in set().union(*needed.values())}
    count = min(jobs, len(together))
    shares: list[list[tuple[str, bool]]] = [[] for _ in range(count)]
    loaded: list[set[Path]] = [set() for _ in range(count)]
    loads = [0.0] * count
    tasks = dict(files)
    for top in sorted(together, key=lambda top: (-sum(map(sizes.__getitem__, needed[top])), top)):
        # Of a module that has run, what functions do that nobody calls is left.
        checked = sum(map(_size, together[top])) / 4
        more = [checked + sum(sizes[file] for file in needed[top] - have) for have in loaded]
        # Neither is all work to be one process's, nor is much of it to be done twice.
        best = min(range(count), key=lambda number: loads[number] + 2 * more[number])
        loads[best] += more[best]
        loaded[best] |= needed[top]
        shares[best].extend((path, tasks[path]) for path in together[top])
    return [share for share in shares if share]


def _led_to(paths: Iterable[str], programs: Programs, without: set[Path]) -> set[Path]:
    """Files and what their import lines lead to."""
    found: set[Path] = set()
    for path in paths:
        graph = programs.of(path).import_graph
        found.update(graph.led_to([Path(path).resolve()], without | found))
    return found


def top_of(path: str, programs: Programs) -> str:
    """The outermost package that a file is in, or else its folder."""
    return str(programs.of(path).module_finder.top_of(Path(path).resolve()))


def _size(path: str | Path) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _begin(settings: Settings) -> None:
    global _programs
    if _programs is None:
        # A process of its own, with nothing of this one.
        _programs = Programs(settings)


def _check(task: tuple[str, bool]) -> Checked:
    assert _programs is not None
    path, needs_syntax = task
    checked = check_file(path, _programs, needs_syntax=needs_syntax)
    return replace(checked, read=_programs.texts.since())
