"""The checker and the companion beside the truth of a program."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.wild.asking import UnjudgedError, in_a_fork
from benchmarks.wild.truth import Finding, Truth, quiet, roots

CODES = ("PJ003", "PJ004")
SECONDS = 120
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:plum_jit", "-c", os.devnull]
STARTER = """\
from importlib import import_module
from operator import methodcaller

value = {module!r}
for step in ({steps}):
    value = step(value)
"""
"""Starts a module and a function of it from one place, so that nothing is late by its own order."""
Said = dict[Finding, str]
"""Findings with their severity."""


@dataclass
class Outcome:
    """One program, and what the two observers say of it beside what is true."""

    truth: Truth
    static: Said = field(default_factory=dict)
    runtime: Said = field(default_factory=dict)
    problem: str = ""

    def wrong_errors(self) -> set[Finding]:
        false = set(self.static) - self.truth.reported
        return {finding for finding in false if self.static[finding] == "error"}


@dataclass
class Count:
    """Findings of some programs: right, missed, false."""

    programs: int = 0
    thrown_away: int = 0
    true: int = 0
    late: int = 0
    said: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome, with_companion: bool) -> None:
        self.programs += 1
        true = outcome.truth.reported
        self.true += len(true)
        self.late += outcome.truth.late
        observers = {"static": outcome.static}
        if with_companion:
            observers["runtime"] = outcome.runtime
        for name, said in observers.items():
            self.said[f"{name} right"] += len(true & set(said))
            self.said[f"{name} missed"] += len(true - set(said))
            self.said[f"{name} false"] += len(set(said) - true)
        self.said["wrong errors"] += len(outcome.wrong_errors())

    def merge(self, other: Count) -> None:
        self.programs += other.programs
        self.thrown_away += other.thrown_away
        self.true += other.true
        self.late += other.late
        self.said.update(other.said)

    def share(self, observer: str, wrong: str) -> float:
        right = self.said[f"{observer} right"]
        return right / max(1, right + self.said[f"{observer} {wrong}"])


def ready() -> None:
    import libcst  # noqa: F401

    import plum_jit_lint.cli
    import plum_jit_lint.runtime.run
    import plum_jit_lint.static.observer  # noqa: F401


def compare(folder: Path, truth: Truth, with_companion: bool = True) -> Outcome:
    """`truth` must have judged the program in `folder`."""
    folder = folder.resolve()
    outcome = Outcome(truth)
    try:
        # One process: this one was forked beside JAX's threads, and may not fork again.
        outcome.static = _said(folder, ["--no-cache", "--jobs", "1"], ["."])
        for root, function in roots(folder) if with_companion else []:
            outcome.runtime.update(_told_by_the_companion(folder, root, function))
    except UnjudgedError as error:
        outcome.problem = str(error)
    return outcome


def _told_by_the_companion(folder: Path, root: Path, function: str) -> Said:
    """What the companion says of one of the program's roots."""
    if root.name.startswith("test_"):
        return _said(folder, ["run"], [*PYTEST, root.name])
    if root.parent == folder:
        return _said(folder, ["run"], [root.name])
    module = ".".join(root.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
    steps = "import_module, " + (f"methodcaller({function!r})" if function else "")
    script = folder.parent / f"start_{folder.name}.py"
    script.write_text(STARTER.format(steps=steps, module=module))
    try:
        return _said(folder, ["run"], [str(script)])
    finally:
        script.unlink()


def _said(folder: Path, before: list[str], after: list[str]) -> Said:
    """What the command line says of a program, in a process of its own."""
    written = folder.parent / f"{folder.name}.json"
    output = ["--isolated", "--output-format", "json", "--output-file", str(written)]
    arguments = [*before, *output, *after]

    def run() -> None:
        from plum_jit_lint.cli import main

        quiet()
        os.chdir(folder)
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(folder))
        with contextlib.suppress(SystemExit):
            main(arguments)

    written.unlink(missing_ok=True)
    in_a_fork(run, SECONDS)
    if not written.exists():
        raise UnjudgedError(f"no answer of {arguments}")
    told: dict[str, Any] = json.loads(written.read_text())
    written.unlink()
    if told.get("errors"):
        raise UnjudgedError(f"{arguments}: {told['errors']}")
    found: Said = {}
    for one in told["findings"]:
        if one["code"] in CODES:
            path = os.path.relpath(os.path.join(folder, one["path"]), folder)
            found[path, one["line"], one["code"]] = one["severity"]
    return found
