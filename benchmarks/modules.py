"""How the time grows with the size of the program.

    python -m benchmarks.modules [COUNT ...]

Programs of 250, 500, 1,000 and 2,000 modules are written to a temporary folder and checked as a
whole, every file as a root. Each module registers methods, most on functions that others have
too, jits a caller, and imports three modules before it; every tenth is a script that calls
something jitted and then imports a module that registers late. Beside that stands a chain of
imports, 200 modules deep. Printed are the time, the time a module, the findings, and how the time
a module compares with that of the smallest program: 1.0 is growth in proportion.
"""

from __future__ import annotations

import random
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from plum_jit_lint import Settings, lint_paths

COUNTS = (250, 500, 1_000, 2_000)
DEEP = 200

MODULE = """\
import jax
import jax.numpy as jnp
from plum import dispatch
{imports}

class Shape{number}({base}):
    side: float

@dispatch
def area(shape: Shape{number}):
    return shape.side * {number}

@dispatch
def part{number}(a: jax.Array, b: object):
    return a * {number}

@jax.jit
def total{number}(a):
    return part{number}(a, 1) + {inner}

def report(items: list) -> dict:
    found = {{}}
    for number, item in enumerate(items):
        if item is None:
            continue
        found[number] = total{number}(jnp.asarray(item)) if number else 0
    return found
"""

SCRIPT = """
total{number}(jnp.ones(3))
import prog.late{number}
"""

LATE = """\
import jax
from plum import dispatch

@dispatch
def part{number}(a: jax.Array, b: {other}):
    return a * 3
"""


def write_program(folder: Path, count: int) -> int:
    """Writes a program of about `count` modules; how many findings it is to give."""
    chance = random.Random(count)
    package = folder / "prog"
    package.mkdir()
    (package / "__init__.py").touch()
    expected = 0
    # A script brings its late module with it: ten are eleven.
    for number in range(count * 10 // 11):
        # Nothing imports a script.
        library = [earlier for earlier in range(number) if earlier % 10 != 9]
        origins = sorted(chance.sample(library, min(3, len(library))))
        imports = [f"from prog.m{n} import Shape{n}, total{n}" for n in origins]
        text = MODULE.format(
            number=number,
            imports="\n".join(imports),
            base=f"Shape{origins[-1]}" if origins else "object",
            inner=f"total{origins[0]}(a)" if origins else "a",
        )
        if number % 10 == 9:
            stale = number % 20 == 9
            expected += stale
            late = LATE.format(number=number, other="int" if stale else "str")
            (package / f"late{number}.py").write_text(late)
            (folder / f"script{number}.py").write_text(text + SCRIPT.format(number=number))
        else:
            (package / f"m{number}.py").write_text(text)
    return expected


def write_chain(folder: Path, depth: int) -> None:
    """Writes a chain of imports, and a script that registers late on what its end defines."""
    for number in range(depth):
        ahead = f"from link{number + 1} import area, total\n"
        end = (
            "import jax\nfrom plum import dispatch\n\n@dispatch\ndef area(a: jax.Array):\n"
            "    return a\n\n@jax.jit\ndef total(a):\n    return area(a)\n"
        )
        (folder / f"link{number}.py").write_text(ahead if number < depth - 1 else end)
    (folder / "main.py").write_text(
        "import jax\nimport jax.numpy as jnp\nfrom plum import dispatch\n"
        "from link0 import area, total\n\ntotal(jnp.ones(3))\n\n\n@dispatch\n"
        "def area(a: jax.Array):\n    return a * 2\n"
    )


def timed(folder: Path) -> tuple[float, int, int]:
    """Seconds, files and findings of PJ003 and PJ004 of a check of `folder`."""
    began = perf_counter()
    report = lint_paths([folder], Settings(source_roots=(folder,)))
    seconds = perf_counter() - began
    assert not report.problems, report.problems
    late = [finding for finding in report.findings if finding.code in ("PJ003", "PJ004")]
    return seconds, report.files, len(late)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the curve."""
    parser = ArgumentParser(prog="python -m benchmarks.modules", description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=COUNTS, metavar="COUNT")
    counts = parser.parse_args(arguments).counts
    first = None
    print(f"{'modules':>8} {'seconds':>8} {'ms each':>8} {'growth':>7} {'late':>5} {'expected':>9}")
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            expected = write_program(Path(name), count)
            seconds, files, late = timed(Path(name))
        each = seconds / files
        first = first or each
        figures = f"{files:8} {seconds:8.2f} {each * 1000:8.2f} {each / first:7.2f}"
        print(f"{figures} {late:5} {expected:9}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        write_chain(Path(name), DEEP)
        seconds, files, late = timed(Path(name))
    print(f"a chain of {DEEP} imports: {seconds:.2f} s, {late} late (1 expected)")


if __name__ == "__main__":
    main()
