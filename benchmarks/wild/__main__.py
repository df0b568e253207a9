"""Random programs of many kinds on which the checker and the companion are held to real JAX.

    python -m benchmarks.wild --programs 200 [--seed 0] [--category plain] [--jobs 2]
                              [--keep FOLDER] [--no-companion]
    python -m benchmarks.wild --judge FOLDER

Program N of category C comes from the seed, C and N alone. Each runs once; its calls into JAX are
asked anew around each registration (`watch.py`). Printed are right, missed and false findings for
each category; `--keep` saves the programs on which the checker or the companion differs, with
`# expect:` comments at the true lines. The exit code is 1 when an `error` of the checker is wrong.
"""

from __future__ import annotations

import multiprocessing
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.wild import truth
from benchmarks.wild.compare import Count, Outcome, compare
from benchmarks.wild.generate import CATEGORIES, generate


def main(argv: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.wild", description="Compare with real JAX.")
    parser.add_argument("--programs", type=int, default=200, help="how many, over all categories")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--category", choices=sorted(CATEGORIES), action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="save programs that differ below this folder")
    parser.add_argument("--no-companion", action="store_true", help="the checker only")
    parser.add_argument(
        "--judge", type=Path, metavar="FOLDER", help="hold the comments of programs there to JAX"
    )
    parser.add_argument("--show", action="store_true", help="print the programs, ask nothing")
    arguments = parser.parse_args(argv)
    if arguments.judge:
        return judge(arguments.judge)
    names = arguments.category or list(CATEGORIES)
    each = -(-arguments.programs // len(names))
    wanted = [(name, arguments.first + number) for number in range(each) for name in names]
    wanted = wanted[: arguments.programs]
    if arguments.show:
        for name, number in wanted:
            for path, text in generate(name, arguments.seed, number).items():
                print(f"##### {name}_{number}/{path}\n{text}")
        return 0
    from benchmarks.wild import compare as comparing

    truth.ready()
    comparing.ready()
    start = perf_counter()
    counts = {name: Count() for name in names}
    thrown: Counter[str] = Counter()
    ask = partial(look_at, seed=arguments.seed, companion=not arguments.no_companion)
    with multiprocessing.get_context("fork").Pool(arguments.jobs) as pool:
        for (name, number), outcome in zip(wanted, pool.imap(ask, wanted), strict=True):
            count = counts[name]
            if outcome.truth.error:
                count.thrown_away += 1
                thrown[f"{name}: {re.sub(r'[0-9.]+', 'N', outcome.truth.error)[:70]}"] += 1
                continue
            count.add(outcome, not arguments.no_companion)
            lines = differences(outcome, not arguments.no_companion)
            for line in lines:
                print(f"{name}_{number}: {line}", flush=True)
            if lines and arguments.keep:
                keep(
                    arguments.keep / f"{name}_{number}",
                    name,
                    number,
                    arguments.seed,
                    outcome,
                    lines,
                )
    print(summary(counts, thrown, perf_counter() - start))
    return int(any(count.said["wrong errors"] for count in counts.values()))


def judge(folder: Path) -> int:
    """Says of each program in a folder whether its `# expect:` comments are true."""
    truth.ready()
    wrong = 0
    for program in sorted(path for path in folder.iterdir() if path.is_dir()):
        true, expected = truth.judge(program), truth.expected(program)
        unused = truth.expected(program, "# displaced, cleared before use:")
        lines = [f"not true: {told}" for told in texts(expected - true.reported)]
        lines += [f"not told: {told}" for told in texts(true.reported - expected)]
        lines += [f"not cleared in time: {told}" for told in texts(unused - true.harmless)]
        wrong += bool(lines or true.error)
        print(f"{program.name}: {'; '.join([*lines, *filter(None, [true.error])]) or 'true'}")
    return int(bool(wrong))


def look_at(wanted: tuple[str, int], *, seed: int, companion: bool) -> Outcome:
    name, number = wanted
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "program"
        write(root, generate(name, seed, number))
        true = truth.judge(root)
        return Outcome(true) if true.error else compare(root, true, companion)


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def differences(outcome: Outcome, companion: bool) -> list[str]:
    true = outcome.truth.reported
    found = [f"checker missed {told}" for told in texts(true - set(outcome.static))]
    for told in sorted(set(outcome.static) - true):
        harmless = " (cleared in time)" if told in outcome.truth.harmless else ""
        found.append(f"checker false {outcome.static[told]} {texts([told])[0]}{harmless}")
    if companion:
        found += [f"companion missed {told}" for told in texts(true - set(outcome.runtime))]
        for told in sorted(set(outcome.runtime) - true):
            harmless = " (cleared in time)" if told in outcome.truth.harmless else ""
            found.append(f"companion false {texts([told])[0]}{harmless}")
    return [*found, outcome.problem] if outcome.problem else found


def texts(found: set[truth.Finding] | list[truth.Finding]) -> list[str]:
    return [f"{path}:{line} {code}" for path, line, code in sorted(found)]


def keep(
    folder: Path, name: str, number: int, seed: int, outcome: Outcome, lines: list[str]
) -> None:
    """Saves a program with comments at the lines where findings are due."""
    shutil.rmtree(folder, ignore_errors=True)
    files = generate(name, seed, number)
    for path, text in files.items():
        rows = text.splitlines()
        for line in range(1, len(rows) + 1):
            for told, comment in (
                (outcome.truth.reported, "# expect:"),
                (outcome.truth.unused, "# displaced, cleared before use:"),
            ):
                codes = sorted(code for file, at, code in told if (file, at) == (path, line))
                if codes:
                    rows[line - 1] += f"  {comment} {' '.join(codes)}"
        files[path] = "\n".join(rows) + "\n"
    write(folder, files)
    (folder / "summary.txt").write_text("\n".join([f"seed {seed}", *lines]) + "\n")


def summary(counts: dict[str, Count], thrown: Counter[str], seconds: float) -> str:
    total = Count()
    for count in counts.values():
        total.merge(count)
    head = (
        "category",
        "programs",
        "thrown",
        "late",
        "stale",
        "right",
        "missed",
        "false",
        "wrong errors",
    )
    rows: list[tuple[str, ...]] = [(*head, "companion: right", "missed", "false")]
    for name, count in [*sorted(counts.items()), ("all", total)]:
        said = count.said
        static = [said[f"static {what}"] for what in ("right", "missed", "false")]
        runtime = [said[f"runtime {what}"] for what in ("right", "missed", "false")]
        numbers = [count.programs, count.thrown_away, count.late, count.true, *static]
        rows.append((name, *map(str, [*numbers, said["wrong errors"], *runtime])))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
    lines += [f"thrown away {n}: {why}" for why, n in thrown.most_common(12)]
    for observer, told in (("static", "checker"), ("runtime", "companion")):
        if any(total.said[f"{observer} {what}"] for what in ("right", "missed", "false")):
            precision, recall = total.share(observer, "false"), total.share(observer, "missed")
            lines.append(f"{told}: precision {precision:.2%}, recall {recall:.2%}")
    return "\n".join([*lines, f"{total.programs} programs in {seconds:.0f} s"])


if __name__ == "__main__":
    sys.exit(main())
