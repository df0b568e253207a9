"""Whether any file at all makes the checker fail.

    python -m benchmarks.robustness [--files N] [--generated N] [--mutated N] [--seed N] [--jobs N]

Checked, a copy of each file by itself, through the command line's own entry: every `.py` of the
standard library and of site-packages, with fetched releases of other packages where those are fewer
than 20,000; the same files with a program behind them that uses plum and jit, since otherwise most
need not be read; programs from hypothesmith, made to speak of plum in four ways; and real files
that use plum, cut, spliced, with flipped bytes and deeply nested. The last two go through the
flake8 plugin too, which has to say the same.

A failure is: the process ends or takes longer than `--limit` seconds; a traceback or an internal
error; an exit code that is not the documented one, told apart by Python's own parser; a module
that is imported, code that is run, a file that is written or changed, a process that is started.
The texts that fail are kept in `--keep`. The exit code is 1 when there are any.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import platform
import random
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from benchmarks import releases
from benchmarks.robustness import generated, mutations, sources
from benchmarks.robustness.guarded import Verdict
from benchmarks.robustness.watched import Task, check_all

BEHIND = "with a program behind"


def main(argv: Sequence[str] | None = None) -> int:
    """Checks them all and prints the summary."""
    arguments = _parser().parse_args(argv)
    began = time.monotonic()
    tallies: dict[str, Tally] = {}
    with tempfile.TemporaryDirectory() as name:
        tasks = _with_progress(_tasks(arguments))
        for task, verdict in check_all(tasks, arguments.jobs, arguments.limit, Path(name)):
            tallies.setdefault(task.kind, Tally()).add(task, verdict)
            if verdict.failures:
                kept = _keep(task, arguments.keep)
                print(f"FAILS {task.kind}: {task.path}", *verdict.failures, kept, sep="\n  ")
    _summary(tallies, time.monotonic() - began, arguments)
    return int(any(tally.failures for tally in tallies.values()))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m benchmarks.robustness",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--files", type=int, default=None, help="real files (default: all)")
    parser.add_argument("--least", type=int, default=20_000, help="files beside the standard ones")
    parser.add_argument("--generated", type=int, default=5_000, help="programs from hypothesmith")
    parser.add_argument("--mutated", type=int, default=2_000, help="mutated files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds of processor time")
    cache = releases.default_cache()
    parser.add_argument("--cache", type=Path, default=cache, help="where what is fetched is kept")
    parser.add_argument("--keep", type=Path, default=cache.parent / "failures")
    return parser


@dataclass
class Tally:
    """What came of the files of one kind."""

    codes: Counter[int] = field(default_factory=Counter)
    found: int = 0
    too_deep: int = 0
    failures: int = 0
    slowest: float = 0.0
    slowest_file: str = ""

    def add(self, task: Task, verdict: Verdict) -> None:
        """Counts one file."""
        self.codes[verdict.code] += 1
        self.found += verdict.found
        self.too_deep += verdict.too_deep
        self.failures += bool(verdict.failures)
        if verdict.seconds > self.slowest:
            self.slowest, self.slowest_file = verdict.seconds, task.path.name


def _tasks(arguments: Namespace) -> Iterator[Task]:
    yield from _mutated(arguments)
    yield from _generated(arguments)
    yield from _real(arguments)


def _real(arguments: Namespace) -> Iterator[Task]:
    if arguments.files == 0:
        return
    found = sources.real_files(arguments.least, arguments.cache)
    if arguments.files is not None:
        found = sources.sampled(found, arguments.files, arguments.seed)
    for name, paths in found.items():
        for path in paths:
            # As copies: a folder with thousands of neighbours would be looked through for each.
            source = path.read_bytes()
            yield Task(name, path, source)
            yield Task(f"{name}, {BEHIND}", path, sources.program_behind(source))


def _mutated(arguments: Namespace) -> Iterator[Task]:
    if not arguments.mutated:
        return
    texts = [path.read_bytes() for path in sources.plum_files(arguments.cache)]
    kinds = list(mutations.MUTATIONS)
    for number in range(arguments.mutated):
        kind = kinds[number % len(kinds)]
        chance = random.Random(f"{arguments.seed} {number}")
        mutated = mutations.MUTATIONS[kind](chance.choice(texts), texts, chance)
        yield Task(f"mutated: {kind}", Path(f"mutated{number}.py"), mutated, flake8=True)


def _generated(arguments: Namespace) -> Iterator[Task]:
    """Half of the processes generate ahead, and what they made is kept for the next run."""
    if not arguments.generated:
        return
    chance = random.Random(arguments.seed)
    ways = generated.WAYS
    count = 0
    seen: set[str] = set()
    context = multiprocessing.get_context("spawn")
    with context.Pool(max(1, arguments.jobs // 2)) as pool:
        first = arguments.seed * 1_000_000
        jobs = ((first + series, arguments.cache.parent) for series in range(1_000_000))
        ahead = [pool.apply_async(generated.kept_series, next(jobs)) for _ in range(4)]
        while count < arguments.generated:
            for text in ahead.pop(0).get():
                if text in seen or count == arguments.generated:
                    continue
                seen.add(text)
                way = ways[count % len(ways)]
                made = generated.relevant(text, way, chance)
                yield Task(f"hypothesmith, {way}", Path(f"generated{count}.py"), made, flake8=True)
                count += 1
            ahead.append(pool.apply_async(generated.kept_series, next(jobs)))


def _with_progress(tasks: Iterable[Task]) -> Iterator[Task]:
    last = time.monotonic()
    for number, task in enumerate(tasks):
        if time.monotonic() - last > 10:
            last = time.monotonic()
            print(f"{number:,} begun, now {task.kind}", file=sys.stderr, flush=True)
        yield task


def _keep(task: Task, folder: Path) -> Path:
    text = task.text()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{hashlib.sha256(text).hexdigest()[:12]}.py"
    file.write_bytes(text)
    return file


def _summary(tallies: dict[str, Tally], seconds: float, arguments: Namespace) -> None:
    names = [f"Python {platform.python_version()}", f"{os.cpu_count()} processors"]
    names.append(f"libcst {version('libcst')}")
    if arguments.generated:
        names.append(f"hypothesmith {version('hypothesmith')}")
    print(f"\n{', '.join(names)}; seed {arguments.seed}, {arguments.jobs} jobs, {seconds:.0f} s")
    heads = ("files", "0", "1", "2", "deep", "found", "slowest", "failures")
    print(f"{'exit code':<44}" + "".join(f"{head:>9}" for head in heads))
    total = Tally()
    for name, tally in tallies.items():
        _print_row(name, tally)
        total.codes += tally.codes
        total.found += tally.found
        total.too_deep += tally.too_deep
        total.failures += tally.failures
        total.slowest = max(total.slowest, tally.slowest)
    _print_row("all", total)
    for name, tally in tallies.items():
        if tally.slowest > 2:
            print(f"{tally.slowest:.1f} s: {tally.slowest_file} ({name})")


def _print_row(name: str, tally: Tally) -> None:
    codes = "".join(f"{tally.codes[code]:>9,}" for code in (0, 1, 2))
    counts = f"{sum(tally.codes.values()):>9,}{codes}{tally.too_deep:>9,}{tally.found:>9,}"
    print(f"{name:<44}{counts}{tally.slowest:>9.2f}{tally.failures:>9,}")


if __name__ == "__main__":
    sys.exit(main())
