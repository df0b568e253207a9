"""Measures how time and memory of a check grow with programs that are written against it:
`python -m benchmarks.hostile [--only FAMILY] [--sizes]`."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence

from benchmarks.hostile.families import Family
from benchmarks.hostile.measured import Cost, cost
from benchmarks.hostile.tables import FAMILIES

STEEPEST = 1.2
NOISE = 0.1
"""Seconds below which a time says nothing about growth."""
NOISE_OF_MEMORY = 8_000_000


def _exponent(costs: Sequence[float], sizes: Sequence[int], noise: float) -> float | None:
    """How what is measured grows with the size of the text: 1 is in step with it."""
    if costs[-1] < noise or sizes[-1] == sizes[0]:
        return None
    least = noise / 10
    return math.log(max(costs[-1], least) / max(costs[0], least)) / math.log(sizes[-1] / sizes[0])


def _measured(family: Family, seconds: int, memory: int) -> list[Cost]:
    found: list[Cost] = []
    for factor in (1, 2, 4, 8):
        found.append(cost(family.files(family.first * factor), seconds, memory))
        if found[-1].ending.startswith(("out of", "signal")):
            break
    return found


def _shown(exponent: float | None) -> str:
    return "    -" if exponent is None else f"{exponent:5.2f}"


def main() -> int:
    """Prints a line for each family; 1 where one of them is too steep."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--only", action="append", help="families with this in their names")
    parser.add_argument("--sizes", action="store_true", help="what each size costs")
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
    steep = 0
    for family in chosen:
        costs = _measured(family, options.seconds, options.memory)
        sizes = [one.size for one in costs]
        time = _exponent([one.seconds for one in costs], sizes, NOISE)
        room = _exponent([one.memory for one in costs], sizes, NOISE_OF_MEMORY)
        ended = len(costs) == 4 and not costs[-1].ending.startswith("internal")
        bad = not ended or (time or 0) > STEEPEST or (room or 0) > STEEPEST
        steep += bad
        if options.steep and not bad:
            continue
        last = costs[-1]
        print(
            f"{family.name:36} {_shown(time)} {_shown(room)}  {last.seconds:6.2f} s"
            f" {last.memory / 1e6:6.0f} MB {last.size / 1e3:6.1f} kB  {last.ending}"
            f"{'  STEEP' if bad else ''}",
            flush=True,
        )
        if options.sizes:
            for one in costs:
                print(
                    f"    {one.size:8} bytes {one.seconds:7.3f} s {one.memory / 1e6:6.1f} MB"
                    f"  {one.ending}"
                )
    print(f"{len(chosen)} families, {steep} too steep")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
