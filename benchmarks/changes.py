"""Whether what is taken from the cache after a change is what would be found anew.

    python -m benchmarks.changes [--programs N] [--seed N]

A program is one of the small projects of `benchmarks/projects`, or one of the fixtures of the
tests. It is checked with a cache, then changed again and again, one function or one line at a
time, and checked with the cache and without: both have to say the same. The summary counts how
many changes were told to be ones that no result can see; those are what there is to prove. The
exit code is 1 when anything differs.
"""

from __future__ import annotations

import ast
import random
import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from plum_jit_lint import Settings, lint_paths
from plum_jit_lint.cache import snapshots

ROOT = Path(__file__).resolve().parents[1]

STEPS = 5
"""Changes of one program, one after the other."""

LINES = (
    *("zzz = 1", "pass", "# a comment", "return 0", "yield 1", "raise ValueError", "helper()"),
    *("register(1)", "dispatch", "import late_one", "scale(1)", "area = 3", "global area"),
    *("run(jnp.ones(2))", "jax.clear_caches()", "@jax.jit"),
)
"""Lines that are put into functions: some say nothing, some may register, trace or clear."""

OTHERS = (("2", "3"), ("scale", "area"), ("jax.jit", "jax.vmap"), ("dispatch", "register"))
"""Words, and what takes their place."""


@dataclass
class Found:
    """What came of some programs."""

    differing: list[str] = field(default_factory=list)
    changes: int = 0
    unseen: int = 0
    """Changes of which it was told that no result can see them."""


def programs() -> list[Path]:
    """The folders and files that are changed."""
    projects = sorted({file.parent for file in (ROOT / "benchmarks/projects").rglob("main.py")})
    return [*projects, *sorted((ROOT / "tests/fixtures").rglob("*.py"))]


def try_changes(seed: int, of: Sequence[Path], found: Found) -> None:
    """Changes one program a few times, as the seed decides."""
    chance = random.Random(seed)
    original = snapshots.Snapshots.equivalent

    def equivalent(self: snapshots.Snapshots, path: str, source: bytes) -> bool:
        answer = original(self, path, source)
        found.unseen += answer
        return answer

    with tempfile.TemporaryDirectory() as name:
        tree = Path(name).resolve() / "tree"
        program = chance.choice(of)
        if program.is_dir():
            shutil.copytree(program, tree)
        else:
            tree.mkdir()
            shutil.copy(program, tree / "main.py")
        (tree / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
        lint_paths([tree], Settings(), cache=True)
        with mock.patch.object(snapshots.Snapshots, "equivalent", equivalent):
            for step in range(STEPS):
                file = chance.choice(sorted(tree.rglob("*.py")))
                file.write_text(changed(file.read_text(), chance))
                found.changes += 1
                kept = lint_paths([tree], Settings(), cache=True)
                fresh = lint_paths([tree], Settings())
                if (kept.findings, kept.problems) != (fresh.findings, fresh.problems):
                    about = f"{program.relative_to(ROOT)}, change {step} of {file.name}"
                    found.differing.append(f"seed {seed}: {about}")
                    return


def changed(text: str, chance: random.Random) -> str:
    """A text with one thing changed; the same one where it would be no Python any more."""
    lines = text.split("\n")
    bodies = _bodies(text)
    if not bodies or chance.random() < 0.15:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(("# a note", "", "x_new = 1")))
    else:
        first, last, column = chance.choice(bodies)
        number = chance.randrange(first - 1, last)
        kind = chance.choice(("insert", "insert", "delete", "replace", "swap"))
        if kind == "insert":
            lines.insert(first - 1, " " * column + chance.choice(LINES))
        elif kind == "delete" and last > first:
            del lines[number]
        elif kind == "replace":
            old, new = chance.choice(OTHERS)
            lines[number] = lines[number].replace(old, new, 1)
        else:
            begin, end, other = chance.choice(bodies)
            if other == column:
                lines[first - 1 : last] = lines[begin - 1 : end]
    result = "\n".join(lines)
    try:
        ast.parse(result)
    except SyntaxError:
        return text
    return result


def _bodies(text: str) -> list[tuple[int, int, int]]:
    """First line, last line and column of the statements of each function."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, last = node.body[0], node.body[-1]
            decorated = [one.lineno for one in getattr(first, "decorator_list", ())]
            begin = min([first.lineno, *decorated])
            found.append((begin, last.end_lineno or begin, first.col_offset))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Changes them and prints the summary."""
    parser = ArgumentParser(prog="python -m benchmarks.changes", description=__doc__)
    parser.add_argument("--programs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    found, of = Found(), programs()
    for number in range(arguments.programs):
        try_changes(arguments.seed + number, of, found)
        if number % 50 == 49:
            print(f"{number + 1} programs", file=sys.stderr, flush=True)
    print(*found.differing, sep="\n")
    print(
        f"{arguments.programs} programs, {found.changes} changes, {found.unseen} of them told to be"
        f" seen by no result; {len(found.differing)} programs differ"
    )
    return int(bool(found.differing))


if __name__ == "__main__":
    sys.exit(main())
