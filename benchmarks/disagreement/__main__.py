"""Random programs on which the checker, the companion and plain JAX are held together.

    python -m benchmarks.disagreement --programs 2000 [--seed N] [--jobs 2] [--retrace]

Each program is generated from a seed and asked about three times (`judge.py`). Printed are the
disagreements, each with its program made small (`shrink.py`), the mix of what the programs are
made of, and how often each observer agrees with plain JAX. Programs that do not run, mostly
since a call is ambiguous, are counted and left out. The exit code is 1 when any two disagree
more than the targets allow.

`--retrace`: each program is also run under `retrace`, and has to print what it prints when
`jax.clear_caches()` runs after every registration.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter

STATIC_SHARE = 0.995


@dataclass
class Told:
    """What is kept of one program's answers."""

    seed: int
    error: str = ""
    late: int = 0
    stale: int = 0
    agree: int = 0
    differing: list[str] = field(default_factory=list)
    features: frozenset[str] = frozenset()
    untold: int = 0
    """Late registrations of which plain JAX does not tell whether they matter; not in `late`."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.disagreement", description="Compare.")
    parser.add_argument("--programs", type=int, default=2000, help="how many that run")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--retrace", action="store_true", help="compare what is printed, too")
    parser.add_argument("--no-shrink", action="store_true", help="disagreements as they are")
    parser.add_argument("--show", action="store_true", help="print the program of --seed only")
    arguments = parser.parse_args(argv)
    prepare()
    from benchmarks.disagreement import judge
    from benchmarks.disagreement.generate import generate

    if arguments.show:
        print(generate(arguments.seed))
        return 0
    judge.ready()
    start = perf_counter()
    told: list[Told] = []
    failed = 0
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + 2 * arguments.programs + 20)
        for one in pool.imap(partial(look_at, retrace=arguments.retrace), seeds):
            if one.error:
                failed += 1
                continue
            told.append(one)
            for line in one.differing:
                print(f"seed {one.seed}: {line}", flush=True)
            if len(told) % 50 == 0:
                seconds = perf_counter() - start
                print(f"{len(told)} programs in {seconds:.0f} s", file=sys.stderr, flush=True)
            if len(told) == arguments.programs:
                pool.terminate()
                break
    wrong = [one for one in told if one.differing]
    if not arguments.no_shrink:
        for one in wrong:
            print(f"\n===== seed {one.seed}\n{small(one, arguments.retrace)}", flush=True)
    print(summary(told, failed, perf_counter() - start))
    return int(not good(told))


def prepare() -> None:
    """Settings of JAX that have to be there before it is imported: compiled programs are kept
    between processes, which changes no answer."""
    from benchmarks.corpus import default_cache

    os.environ["JAX_PLATFORMS"] = "cpu"
    compiled = str(default_cache().parent / "compiled-by-jax")
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", compiled)
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"


def look_at(seed: int, *, retrace: bool = False) -> Told:
    """Asks about the program of a seed."""
    from benchmarks.disagreement import judge
    from benchmarks.disagreement.generate import generate

    project = generate(seed)
    with tempfile.TemporaryDirectory() as folder:
        answers = judge.ask(project, Path(folder).resolve(), retrace=retrace)
    if answers.error:
        return Told(seed, answers.error)
    agree, stale = judge.agreeing(answers), judge.stale_of(answers)
    return Told(
        seed,
        "",
        len(answers.late),
        len(stale),
        len(agree),
        answers.differing,
        project.features,
        len(answers.untold),
    )


def kinds(differing: Iterable[str]) -> set[str]:
    """What a disagreement is like, without its places."""
    return {re.split(r" \S+\.py:", line)[0] + "".join(re.findall(r" PJ00\d", line)[:1])
            for line in differing}  # fmt: skip


def small(told: Told, retrace: bool) -> str:
    """The program of a disagreement, made small, and what is said about that."""
    from benchmarks.disagreement import judge, shrink
    from benchmarks.disagreement.generate import generate
    from benchmarks.disagreement.project import Project

    wanted = min(kinds(told.differing))

    def ask(project: Project) -> judge.Answers:
        with tempfile.TemporaryDirectory() as folder:
            return judge.ask(project, Path(folder).resolve(), retrace=wanted.startswith("retrace"))

    def still(project: Project) -> bool:
        answers = ask(project)
        return not answers.error and wanted in kinds(answers.differing)

    found = shrink.shrink(generate(told.seed), still)
    return "\n".join([*ask(found).differing, str(found)])


def good(told: Sequence[Told]) -> bool:
    """Whether the targets are met."""
    late = sum(one.late for one in told)
    lines = [line for one in told for line in one.differing]
    wrong = [one for one in lines if one.startswith(("runtime", "retrace"))]
    wrong += [one for one in lines if one.startswith("static: false error")]
    return not wrong and sum(one.agree for one in told) >= STATIC_SHARE * late


def summary(told: Sequence[Told], failed: int, seconds: float) -> str:
    """Figures: what the programs are made of, and who agrees."""
    late, stale = sum(one.late for one in told), sum(one.stale for one in told)
    count = Counter(feature for one in told for feature in one.features)
    lines = ["", "programs with"]
    lines += [f"{number:7}  {feature}" for feature, number in sorted(count.items())]

    def differ(observer: str) -> int:
        return sum(any(line.startswith(observer) for line in one.differing) for one in told)

    share = stale / late if late else 0.0
    agree = sum(one.agree for one in told)
    lines += [
        "",
        f"{len(told)} programs in {seconds:.0f} s; {failed} more do not run",
        f"{late} late registrations: {stale} stale ({share:.0%}), {late - stale} harmless; "
        f"of {sum(one.untold for one in told)} more plain JAX does not tell",
        f"runtime: {len(told) - differ('runtime')} programs agree, {differ('runtime')} do not",
        f"static: {agree} late registrations agree ({agree / late if late else 1.0:.2%}); "
        f"{differ('static')} programs with a disagreement, "
        f"{differ('static: false error') + differ('static: error that')} with a wrong error",
        f"retrace: {differ('retrace')} programs print something else",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
