"""Whether the tests notice it when the code that decides is changed in a small way.

    python -m benchmarks.mutants [--only FILE ...] [--sample N] [--seed N] [--jobs N] [--list]

Each mutant is one change of one of the files that decide what is found: the order of methods, the
types, the keys of traces, the rules, the rows of knowledge, what the companion keeps of arguments.
It is killed when a program with `# expect:` comments or a unit test fails. One that survives is
either a test that is missing or the same program in other words: `equivalent.toml` lists the
latter, each with its reason. Printed are the survivors that are not listed, the entries that are
no change any more, and the score of each file. The exit code is 1 when there are any of the first
two.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import time
import tomllib
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutants import judged
from benchmarks.mutants.judged import ROOT, Result
from benchmarks.mutants.operators import Mutant, mutants

FILES = (
    "plum_jit_lint/dispatch/resolution.py",
    "plum_jit_lint/rules/_decorators.py",
    "plum_jit_lint/rules/_late_finding.py",
    "plum_jit_lint/rules/_staleness.py",
    *(f"plum_jit_lint/rules/pj00{number}.py" for number in range(1, 5)),
    "plum_jit_lint/static/types/answers.py",
    "plum_jit_lint/static/types/oracle.py",
    "plum_jit_lint/knowledge/rows.py",
    "plum_jit_lint/knowledge/jax.py",
    "plum_jit_lint/knowledge/equinox.py",
    "plum_jit_lint/static/interpreter/choices.py",
    "plum_jit_lint/static/interpreter/method_tables.py",
    "plum_jit_lint/static/interpreter/pytrees.py",
    "plum_jit_lint/static/interpreter/registration.py",
    "plum_jit_lint/static/interpreter/retraces.py",
    "plum_jit_lint/static/interpreter/trace_keys.py",
    "plum_jit_lint/static/interpreter/trace_table.py",
    "plum_jit_lint/static/interpreter/tracing.py",
    "plum_jit_lint/runtime/arguments.py",
    "plum_jit_lint/runtime/matching.py",
)
EQUIVALENT = Path(__file__).parent / "equivalent.toml"

PARTS = ("file", "function", "operator", "above", "before", "after")


def key_of(result: Result) -> tuple[str, ...]:
    """What tells a change from all others, wherever its line stands in the file."""
    mutant = result.mutant
    differing = (result.above, result.before, result.after)
    return (mutant.file, mutant.function, mutant.operator, *differing)


def equivalents() -> dict[tuple[str, ...], str]:
    """The changes that change nothing, and why."""
    rows = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {tuple(row[part] for part in PARTS): row["why"] for row in rows}


def outdated(files: Sequence[str]) -> list[tuple[str, ...]]:
    """What is listed of some files, but is no change of theirs any more."""
    left = {key for key in equivalents() if key[0] in files}
    for file in {key[0] for key in left}:
        source = (ROOT / file).read_text(encoding="utf-8")
        listed = {key[1:3] for key in left if key[0] == file}
        for mutant in mutants(file, source):
            if (mutant.function, mutant.operator) in listed:
                left.discard(
                    key_of(Result(mutant, None, *judged.difference(source, mutant.source(source))))
                )
    return sorted(left)


@dataclass
class Score:
    """How the changes of a file were judged."""

    killed: int = 0
    survived: int = 0
    equivalent: int = 0

    @property
    def judged(self) -> int:
        """All of them."""
        return self.killed + self.survived + self.equivalent

    def row(self, name: str) -> str:
        told = self.killed + self.survived
        share = f"{self.killed / told:.1%}" if told else ""
        known = f"{self.survived:10}{self.equivalent:12}"
        return f"{name:42}{self.judged:7}{self.killed:8}{known}{share:>8}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", default=FILES, metavar="FILE", help="these files")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="only N changes a file")
    parser.add_argument("--seed", type=int, default=0, help="which ones are in the sample")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--list", action="store_true", help="every change with what killed it")
    arguments = parser.parse_args(argv)
    files = list(map(_file, arguments.only))
    began = time.monotonic()
    chosen = _chosen(files, arguments.sample, arguments.seed)
    judged.ready()
    lines = judged.lines_run(files)
    print(f"{len(chosen)} mutants, lines known after {time.monotonic() - began:.0f} s", flush=True)
    scores: dict[str, Score] = {file: Score() for file in files}
    known = equivalents()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    stopped = False
    try:
        for result in _results(chosen, lines, arguments.jobs):
            score = scores[result.mutant.file]
            if result.killer is not None:
                score.killed += 1
            elif key_of(result) in known:
                score.equivalent += 1
            else:
                score.survived += 1
            if arguments.list or (result.killer is None and key_of(result) not in known):
                print(shown(result), flush=True)
    except KeyboardInterrupt:
        stopped = True
    gone = outdated(files)
    for file, function, operator, _, before, after in gone:
        print(
            f"{file} {function} {operator}: listed, but no change of it\n  - {before}\n  + {after}"
        )
    print(f"\n{'':42}{'mutants':>7}{'killed':>8}{'survived':>10}{'equivalent':>12}{'score':>8}")
    for file, score in scores.items():
        print(score.row(file.removeprefix("plum_jit_lint/")))
    total = Score(
        *(sum(getattr(s, n) for s in scores.values()) for n in ("killed", "survived", "equivalent"))
    )
    print(total.row("all"))
    print(f"\n{time.monotonic() - began:.0f} s with {arguments.jobs} processes")
    if stopped:
        print(f"stopped: {total.judged} of {len(chosen)} mutants were judged")
        return 128 + signal.SIGINT
    return int(total.survived > 0 or bool(gone))


def _file(name: str) -> str:
    """A file as it is listed, by its path or the end of that."""
    found = [file for file in FILES if file == name or file.endswith(f"/{name}")]
    return found[0] if found else name


def _chosen(files: Sequence[str], sample: int, seed: int) -> list[Mutant]:
    chosen: list[Mutant] = []
    for file in files:
        all_of_file = mutants(file, (ROOT / file).read_text(encoding="utf-8"))
        if 0 < sample < len(all_of_file):
            all_of_file = sorted(random.Random(f"{seed} {file}").sample(all_of_file, sample))
        chosen += all_of_file
    return chosen


_KILLERS: Counter[str] = Counter()
"""How many changes a program or test has killed, of those that this process has judged."""

_SHARED: list[judged.Lines] = []


def _judge(mutant: Mutant) -> Result:
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    order = judged.order_for(mutant, _SHARED[0], judged.programs(mutant.file), source, _KILLERS)
    result = judged.judge(mutant, order, judged.UNIT_TESTS.get(mutant.file, ()))
    if result.killer is not None:
        _KILLERS[result.killer] += 1
    return result


def _results(chosen: Sequence[Mutant], lines: judged.Lines, jobs: int) -> Iterator[Result]:
    _SHARED[:] = [lines]
    with multiprocessing.get_context("fork").Pool(jobs, _leave_stopping) as pool:
        yield from pool.imap(_judge, chosen)


def _leave_stopping() -> None:
    """Ctrl-C goes to all processes; this one is ended by the one that prints."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def shown(result: Result) -> str:
    """A change with its place, and what killed it."""
    mutant = result.mutant
    fate = "SURVIVED" if result.killer is None else f"killed by {result.killer}"
    where = f"{mutant.file}:{mutant.first} {mutant.function} {mutant.operator}"
    return f"{where}: {fate}\n  - {result.before}\n  + {result.after}"


if __name__ == "__main__":
    sys.exit(main())
