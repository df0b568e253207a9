"""Checks pinned releases of real packages and compares what is found with a snapshot.

    python -m benchmarks.corpus [--update] [--cache DIR] [PACKAGE ...]

The releases are fetched by name with pip, unpacked, read, and never run or installed. With
`--update` the snapshot `tests/data/corpus.json` is written anew; without it a difference is
printed and the exit code is 1. What the snapshot holds is explained in `tests/data/corpus.md`.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from benchmarks import releases
from benchmarks.releases import FetchError, default_cache
from plum_jit_lint import Report, Settings, lint_paths
from plum_jit_lint.rules import RULES

PACKAGES = {
    "coordinax": "0.23.5",
    "netket": "3.23.0",
    "unxt": "1.11.4",
    "quaxed": "0.10.7",
    "cola-ml": "0.0.7",
    "galax": "0.0.2",
    "dataclassish": "0.9.2",
    "backends-matrix": "1.3.0",
    "mlkernels": "0.4.0",
    "neuralprocesses": "0.2.7",
}

SNAPSHOT = Path(__file__).parents[1] / "tests" / "data" / "corpus.json"

Row: TypeAlias = dict[str, str | int]


def fetched(package: str, cache: Path) -> Path:
    """The folder with the unpacked release of `package`, fetched where it is not there yet."""
    return releases.fetched(package, PACKAGES[package], cache)


def checked(folder: Path) -> Report:
    """What the checker says about an unpacked release."""
    settings = Settings(source_roots=(folder,), respect_gitignore=False)
    return lint_paths([folder], settings)


def rows(package: str, folder: Path, report: Report) -> list[Row]:
    """The findings as the snapshot holds them."""
    return [
        {
            "package": package,
            "path": Path(finding.place.path).resolve().relative_to(folder.resolve()).as_posix(),
            "line": finding.place.line,
            "code": finding.code,
            "severity": finding.severity.label,
        }
        for finding in report.findings
    ]


def snapshot(package: str | None = None) -> list[Row]:
    """The kept findings, of one package or of all."""
    kept: list[Row] = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    return [row for row in kept if package in (None, row["package"])]


def write_snapshot(found: Sequence[Row]) -> None:
    """Keep these findings, one a line."""
    lines = ",\n".join(f"  {json.dumps(row)}" for row in found)
    SNAPSHOT.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Check the packages, print a table, and compare or write the snapshot."""
    parser = ArgumentParser(prog="python -m benchmarks.corpus", description="Check real packages.")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these")
    parser.add_argument("--update", action="store_true", help="write the snapshot anew")
    parser.add_argument("--cache", type=Path, default=default_cache(), metavar="DIR")
    arguments = parser.parse_args(argv)
    unknown = sorted(set(arguments.packages) - set(PACKAGES))
    if unknown:
        parser.error(f"unknown package {unknown[0]!r} (known: {', '.join(PACKAGES)})")
    packages = [name for name in PACKAGES if name in (arguments.packages or PACKAGES)]

    print(f"{'package':25}{'files':>6}{''.join(f'{code:>7}' for code in RULES)}{'seconds':>9}")
    found: list[Row] = []
    trouble = False
    for package in packages:
        try:
            folder = fetched(package, arguments.cache)
        except FetchError as error:
            print(f"cannot be fetched: {error}", file=sys.stderr)
            return 2
        start = time.perf_counter()
        report = checked(folder)
        seconds = time.perf_counter() - start
        codes = Counter(finding.code for finding in report.findings)
        counts = "".join(f"{codes[code]:7}" for code in RULES)
        print(f"{package + ' ' + PACKAGES[package]:25}{report.files:6}{counts}{seconds:9.1f}")
        for problem in report.problems:
            print(f"  {problem.path}: {problem.message}", file=sys.stderr)
            trouble = True
        found += rows(package, folder, report)
    if arguments.update:
        others = [row for row in snapshot() if row["package"] not in packages]
        order = list(PACKAGES)
        write_snapshot(sorted([*others, *found], key=lambda row: order.index(str(row["package"]))))
        return 2 if trouble else 0
    return max(_compared(found, packages), 2 * trouble)


def _compared(found: Sequence[Row], packages: Sequence[str]) -> int:
    kept = [row for row in snapshot() if row["package"] in packages]
    new = [row for row in found if row not in kept]
    gone = [row for row in kept if row not in found]
    for sign, differing in (("+", new), ("-", gone)):
        for row in differing:
            what = f"{row['code']} {row['severity']}"
            print(f"{sign} {row['package']} {row['path']}:{row['line']} {what}")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.exit(main())
