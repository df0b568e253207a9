"""Measures how time and memory of a check grow with programs that are written against it:
`python -m benchmarks.hostile [--only FAMILY] [--sizes] [--bytes N]`.

Each family is measured at four sizes, each twice as large as the one before. A family is steep
where time or memory grows faster than the text and more is taken than the steps that any text may
take cost. With `--bytes` each is measured once, at about that length of text.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.hostile.families import Family
from benchmarks.hostile.measured import Cost, cost
from benchmarks.hostile.tables import FAMILIES

STEEPEST = 1.2
NOISE = 0.1
"""Seconds below which a time says nothing about growth."""
NOISE_OF_MEMORY = 8_000_000
FREE_SECONDS = 3.0
"""What the steps that any text may take cost at most, however short it is."""
FREE_MEMORY = 64_000_000


@dataclass(frozen=True)
class Row:
    """What the programs of a family cost, the largest last, and how that grows with their text: an
    exponent of 1 is in step with it, `None` is within the noise."""

    family: Family
    costs: Sequence[Cost]
    ended: bool

    @property
    def time(self) -> float | None:
        """The exponent of the time."""
        return self._exponent([one.seconds for one in self.costs], NOISE)

    @property
    def memory(self) -> float | None:
        """The exponent of the memory."""
        return self._exponent([one.memory for one in self.costs], NOISE_OF_MEMORY)

    def _exponent(self, costs: Sequence[float], noise: float) -> float | None:
        if costs[-1] < noise or self.costs[-1].size == self.costs[0].size:
            return None
        growth = max(costs[-1], noise / 10) / max(costs[0], noise / 10)
        return math.log(growth) / math.log(self.costs[-1].size / self.costs[0].size)

    @property
    def faster(self) -> bool:
        """Whether time or memory grows faster than the text."""
        return max(self.time or 0, self.memory or 0) > STEEPEST

    @property
    def steep(self) -> bool:
        """Whether it is cut off, or grows faster and beyond what any text may cost."""
        last = self.costs[-1]
        beyond = ((self.time or 0) > STEEPEST and last.seconds > FREE_SECONDS) or (
            (self.memory or 0) > STEEPEST and last.memory > FREE_MEMORY
        )
        return beyond or not self.ended

    def __str__(self) -> str:
        last = self.costs[-1]
        return (
            f"{self.family.name:36} {_shown(self.time)} {_shown(self.memory)}"
            f"  {last.seconds:6.2f} s {last.memory / 1e6:6.0f} MB {last.size / 1e3:6.1f} kB"
            f"  {last.ending}{'  STEEP' if self.steep else '  faster' if self.faster else ''}"
        )


def _shown(exponent: float | None) -> str:
    return "    -" if exponent is None else f"{exponent:5.2f}"


def _at_four_sizes(family: Family, seconds: int, memory: int) -> Row:
    found: list[Cost] = []
    for factor in (1, 2, 4, 8):
        found.append(cost(family.files(family.first * factor), seconds, memory))
        if _is_cut_off(found[-1]):
            break
    return Row(family, found, not _is_cut_off(found[-1]))


def _at_length(family: Family, length: int, seconds: int, memory: int) -> Row:
    """Measured once, with about `length` bytes of text."""
    size, files = family.first, family.files(family.first)
    while (text := sum(map(len, files.values()))) < 0.9 * length:
        # Where the text grows faster than the size, the next size is too large, but not by much.
        size = max(size + 1, min(2 * size, int(size * length / text)))
        files = family.files(size)
    one = cost(files, seconds, memory)
    return Row(family, [one], not _is_cut_off(one))


def _is_cut_off(one: Cost) -> bool:
    return one.ending.startswith(("out of", "signal", "internal"))


def main() -> int:
    """Prints a line for each family; 1 where one of them is too steep."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hostile",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", help="families with this in their names")
    parser.add_argument("--sizes", action="store_true", help="what each size costs")
    parser.add_argument("--bytes", type=int, help="one size each, with a text of that length")
    parser.add_argument("--seconds", type=int, default=20, help="for one check, at most")
    parser.add_argument("--memory", type=int, default=1 << 30, help="bytes for one check, at most")
    parser.add_argument("--steep", action="store_true", help="only those that are too steep")
    options = parser.parse_args()
    chosen = [f for f in FAMILIES if not options.only or any(o in f.name for o in options.only)]
    # Loads the checker, which is then part of every copy.
    cost({"main.py": ""}, options.seconds, options.memory)
    from benchmarks.hostile.families import HEAD
    from plum_jit_lint import Settings, lint_source

    lint_source(HEAD, settings=Settings())
    rows: list[Row] = []
    for family in chosen:
        if options.bytes:
            row = _at_length(family, options.bytes, options.seconds, options.memory)
        else:
            row = _at_four_sizes(family, options.seconds, options.memory)
        rows.append(row)
        if options.steep and not row.steep:
            continue
        print(row, flush=True)
        for one in row.costs if options.sizes else ():
            print(
                f"    {one.size:8} bytes {one.seconds:7.3f} s {one.memory / 1e6:6.1f} MB"
                f"  {one.ending}"
            )
    faster, steep = sum(row.faster for row in rows), sum(row.steep for row in rows)
    print(f"{len(rows)} families, {faster} grow faster than their text, {steep} too steep")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
