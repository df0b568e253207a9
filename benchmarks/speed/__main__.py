"""How fast the checker is, beside others and beside what it cannot do without.

    python -m benchmarks.speed [--runs N] [--only PART ...] [--clock wall|processor]

The trees are releases of real packages, fetched by name; the other tools are installed into
environments of their own, and what cannot be installed is left out with a line that says so. All
that is compared is run by turns, and told as the median. Each figure stands beside its aim.

Parts: `plum` (packages that use plum: cold, beside other tools and the libcst floor), `warm`,
`trees` (without plum), `flake8` (what the plugin adds to it), `growth` (time and memory).
"""

from __future__ import annotations

import itertools
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import releases
from benchmarks.speed.measure import Command, Times, in_turns, installed
from benchmarks.speed.trees import files, lay_out, read_by_libcst

ROOT = Path(__file__).parents[2]

PARTS = ("plum", "warm", "trees", "flake8", "growth")

ENVIRONMENTS = {
    "own": (str(ROOT), "flake8"),
    "flake8": ("flake8",),
    "flake8-bugbear": ("flake8", "flake8-bugbear"),
    "ruff": ("ruff",),
    "Fixit": ("fixit",),
    "TorchFix": ("torchfix",),
    "pylint -E": ("pylint",),
}

FLOOR = """\
import sys, libcst
for name in open(sys.argv[1]).read().splitlines():
    libcst.parse_module(open(name, "rb").read())
"""

CACHE = ".plum_jit_lint_cache"


@dataclass
class House:
    """The trees, the environments, and how commands are run in them."""

    trees: dict[str, Path]
    environments: dict[str, Path]
    runs: int
    processor: bool
    told: list[tuple[str, str, str]] = field(default_factory=list)

    def tool(self, environment: str, name: str) -> str:
        """The path of a tool in its environment."""
        return str(self.environments[environment] / "bin" / name)

    def own(self, tree: str, *options: str, before: Callable[[], object] | None = None) -> Command:
        """The checker on a tree."""
        arguments = (self.tool("own", "plum-jit-lint"), "--quiet", "--exit-zero", *options, ".")
        return Command(arguments, self.trees[tree], before)

    def cold(self, tree: str, *options: str) -> Command:
        """The checker on a tree of which nothing is kept, and which keeps what it finds."""
        folders = [self.trees[tree], *self.trees[tree].glob("copy*")]
        return self.own(tree, *options, before=lambda: [_forget(one) for one in folders])

    def ruff(self, tree: str) -> Command:
        """ruff on a tree, as it is without settings."""
        options = ("check", "--no-cache", "--isolated", "--exit-zero", "--quiet", ".")
        return Command((self.tool("ruff", "ruff"), *options), self.trees[tree])

    def flake8(self, environment: str, tree: str, *options: str) -> Command:
        """flake8 on a tree, as it is without settings."""
        arguments = (self.tool(environment, "flake8"), "--isolated", "--exit-zero", *options, ".")
        return Command(arguments, self.trees[tree])

    def times(self, commands: dict[str, Command]) -> dict[str, Times]:
        """Runs commands by turns and prints what they took."""
        found = in_turns(commands, self.runs)
        for name, one in found.items():
            figures = f"{one.seconds():>9.2f} s{one.seconds(processor=True):>9.2f} s of processors"
            print(f"  {name:<44}{figures}{one.memory():>7.0f} MB", flush=True)
        return found

    def seconds(self, times: Times) -> float:
        """What is compared."""
        return times.seconds(processor=self.processor)

    def tell(self, what: str, figure: str, aim: str) -> None:
        """A line of the summary."""
        self.told.append((what, figure, aim))


def main(argv: Sequence[str] | None = None) -> int:
    """Measures, and prints the summary."""
    parser = ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument(
        "--clock", choices=("wall", "processor"), default="wall", help="what ratios are made of"
    )
    others = [name for name in ENVIRONMENTS if name != "own"]
    parser.add_argument(
        "--leave-out", nargs="+", choices=others, default=[], help="tools not to compare with"
    )
    parser.add_argument("--cache", type=Path, default=releases.default_cache())
    arguments = parser.parse_args(argv)
    environments = _environments(arguments.cache.parent / "tools", arguments.leave_out)
    if "own" not in environments:
        return 2
    with tempfile.TemporaryDirectory() as name:
        trees = lay_out(Path(name), arguments.cache)
        house = House(trees, environments, arguments.runs, arguments.clock == "processor")
        for part in arguments.only:
            print(f"\n{part}", flush=True)
            globals()[f"_{part}"](house)
    print(f"\nPython {platform.python_version()}, {os.cpu_count()} processors,", end=" ")
    print(f"median of {arguments.runs} runs, {arguments.clock} time")
    print(", ".join(_versions(environments)))
    for what, figure, aim in house.told:
        print(f"{what:<62}{figure:>10}   aim: {aim}")
    return 0


def _environments(folder: Path, without: Sequence[str]) -> dict[str, Path]:
    found = {}
    shutil.rmtree(folder / "own", ignore_errors=True)
    for name, packages in ENVIRONMENTS.items():
        if name in without:
            continue
        where = folder / name.replace(" ", "")
        problem = installed(where, packages)
        if problem is None:
            found[name] = where
        else:
            print(f"left out: {name}: {problem}", file=sys.stderr)
    return found


def _versions(environments: dict[str, Path]) -> list[str]:
    found = []
    for name, folder in environments.items():
        if name == "own":
            continue
        package = ENVIRONMENTS[name][-1]
        code = f"from importlib.metadata import version; print(version({package!r}))"
        command = [str(folder / "bin" / "python"), "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found.append(f"{package} {done.stdout.strip()}")
    return found


def _forget(folder: Path) -> None:
    shutil.rmtree(folder / CACHE, ignore_errors=True)


def _plum(house: House) -> None:
    tree = house.trees["plum"]
    read = read_by_libcst(tree)
    print(f"  {len(files(tree))} files, of which {len(read)} are read by libcst")
    listed = tree.parent / "read.txt"
    listed.write_text("\n".join(map(str, read)))
    jobs = str(os.cpu_count() or 1)
    commands = {
        "cold, 1 job": house.cold("plum", "--jobs", "1"),
        f"cold, {jobs} jobs": house.cold("plum", "--jobs", jobs),
        "libcst.parse_module of what is read": Command(
            (house.tool("own", "python"), "-c", FLOOR, str(listed)), tree
        ),
    }
    if "ruff" in house.environments:
        commands["ruff --no-cache"] = house.ruff("plum")
    for name in ("flake8", "flake8-bugbear"):
        if name in house.environments:
            commands[name] = house.flake8(name, "plum")
    slow = {
        "Fixit": ("fixit", "lint", "."),
        "TorchFix": ("torchfix", "."),
        "pylint -E": ("pylint", "-E", "--jobs", jobs, "--recursive=y", "--rcfile=/dev/null", "."),
    }
    for name, (tool, *options) in slow.items():
        if name in house.environments:
            commands[name] = Command((house.tool(name, tool), *options), tree, once=True)
    times = house.times(commands)
    one, all_ = (house.seconds(times[f"cold, {kind}"]) for kind in ("1 job", f"{jobs} jobs"))
    floor = house.seconds(times["libcst.parse_module of what is read"])
    for name in commands:
        if name in house.environments or name == "ruff --no-cache":
            aim = "at least 10" if name in ("flake8", "Fixit") else "none"
            ratio = house.seconds(times[name]) / all_
            house.tell(f"cold, {jobs} jobs: times faster than {name}", f"{ratio:.2f}", aim)
    house.tell("cold, 1 job, to the libcst floor", f"{one / floor:.2f}", "at most 1.4")
    house.tell(f"cold, {jobs} jobs, to the libcst floor", f"{all_ / floor:.2f}", "at most 0.8")


def _warm(house: House) -> None:
    tree = house.trees["plum"]
    changed = read_by_libcst(tree)[0]
    begin = changed.read_text(encoding="utf-8")
    numbers = itertools.count()

    def change_a_function() -> None:
        text = f"{begin}\n\ndef changing():\n    return {next(numbers)}\n"
        changed.write_text(text, encoding="utf-8")

    def change_the_module() -> None:
        changed.write_text(f"{begin}\n\nCHANGING = {next(numbers)}\n", encoding="utf-8")

    def checked() -> None:
        subprocess.run(own.arguments, cwd=tree, check=True, stdout=subprocess.DEVNULL)

    own = house.own("plum")
    change_a_function()
    checked()
    # Each in its turn: a warm run after a change would be one more change.
    times = house.times({"warm": own})
    times |= house.times({"a function changed": house.own("plum", before=change_a_function)})
    times |= house.times({"a module changed": house.own("plum", before=change_the_module)})
    if "ruff" in house.environments:
        times |= house.times({"ruff --no-cache": house.ruff("plum")})
        ratio = house.seconds(times["warm"]) / house.seconds(times["ruff --no-cache"])
        house.tell("warm, to ruff --no-cache", f"{ratio:.2f}", "at most 2")
    for name in ("a function changed", "a module changed"):
        ratio = house.seconds(times[name]) / house.seconds(times["warm"])
        house.tell(f"{name}, to warm", f"{ratio:.2f}", "under 1.5")


def _trees(house: House) -> None:
    for tree in ("jax", "scipy"):
        count = len(files(house.trees[tree]))
        commands = {f"{tree}, {count} files": house.cold(tree)}
        if "ruff" in house.environments:
            commands[f"{tree}: ruff --no-cache"] = house.ruff(tree)
        own, *others = map(house.seconds, house.times(commands).values())
        for other in others:
            house.tell(f"{tree}, to ruff --no-cache", f"{own / other:.2f}", "at most 0.2")


def _flake8(house: House) -> None:
    plum = house.trees["plum"]
    cold = house.flake8("own", "plum", "-j", "1")
    rows = {
        "files that cannot matter": ("part", house.flake8("own", "part", "-j", "1"), "at most 3 %"),
        "cold": (
            "plum",
            Command(cold.arguments, cold.folder, lambda: _forget(plum)),
            "at most 60 %",
        ),
        "warm": ("plum", cold, "at most 5 %"),
    }
    for name, (tree, command, aim) in rows.items():
        if "flake8" not in house.environments:
            return
        commands = {
            f"{name}: flake8 with the plugin": command,
            f"{name}: flake8 without": house.flake8("flake8", tree, "-j", "1"),
        }
        own, without = map(house.seconds, house.times(commands).values())
        house.tell(f"inside flake8, {name}", f"{100 * (own / without - 1):+.1f} %", aim)


def _growth(house: House) -> None:
    times = house.times(
        {
            "once": house.own("plum", "--no-cache", "--jobs", "1"),
            "ten copies": house.own("ten", "--no-cache", "--jobs", "1"),
            "no files": house.own("empty", "--no-cache", "--jobs", "1"),
            "scipy": house.own("scipy", "--no-cache", "--jobs", "1"),
            "once, with scipy beside": house.own("both", "--no-cache", "--jobs", "1"),
        }
    )
    ratio = house.seconds(times["ten copies"]) / house.seconds(times["once"])
    house.tell("ten times the corpus, times as long", f"{ratio:.2f}", "at most 10.5")
    for name in ("no files", "scipy", "once", "once, with scipy beside", "ten copies"):
        house.tell(f"memory: {name}", f"{times[name].memory():.0f} MB", "with relevant files only")


if __name__ == "__main__":
    sys.exit(main())
