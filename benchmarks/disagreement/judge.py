"""Three answers about one program, and where they differ.

- *static*: what the checker says about the program that begins with `main.py`;
- *runtime*: what the companion finds when the program runs under it;
- *truth*: what plain JAX does (`tests/truth.py`), with no code of the checker.

A program that reads `PLUM_FLAG` is run twice, with and without it.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import real
from benchmarks.accuracy import CODES, Said, Stale, _said
from benchmarks.disagreement.project import Project

truth = real.truth
SECONDS = 60
Late = tuple[str, int, str]
"""A registration on a function that a compiled caller came to before: file, line, function."""


@dataclass
class Answers:
    """What the three say. `truths` and `runtime` have one set a run; `error` says why a program
    cannot be asked, `differing` has a line for each disagreement."""

    late: set[Late] = field(default_factory=set)
    truths: list[set[Stale]] = field(default_factory=list)
    runtime: list[set[Stale]] = field(default_factory=list)
    static: list[Said] = field(default_factory=list)
    unexplained: set[str] = field(default_factory=set)
    """Functions that plain JAX shows to be stale without telling since which registration."""
    untold: set[Late] = field(default_factory=set)
    """Registrations of which plain JAX does not show whether they matter: what holds the choice
    is stale already, and a new trace does not come to the function any more."""
    error: str = ""
    differing: list[str] = field(default_factory=list)

    @property
    def always(self) -> set[Stale]:
        return set.intersection(*self.truths) if self.truths else set()

    @property
    def sometimes(self) -> set[Stale]:
        return set.union(*self.truths) - self.always if self.truths else set()

    def is_open(self, stale: Stale) -> bool:
        """Whether plain JAX does not tell about it."""
        return stale.function in self.unexplained or _late(stale) in self.untold

    def of(self, observer: str) -> list[str]:
        return [one for one in self.differing if one.startswith(observer)]


def ready() -> None:
    """Imports what every child needs, once."""
    truth.ready_to_fork()
    import jaxtyping  # noqa: F401
    import libcst  # noqa: F401

    import plum_jit_lint.runtime.run
    import plum_jit_lint.static.observer  # noqa: F401

    _one_context()
    gc.freeze()


def _one_context() -> None:
    """Lets the children of this process lower all that they compile in one MLIR context: to make
    one takes longer than all else that is done for a small program."""
    with contextlib.suppress(ImportError, AttributeError):
        from jax._src.interpreters import mlir

        mlir.make_ir_context = functools.cache(mlir.make_ir_context)


def ask(project: Project, folder: Path, *, retrace: bool = False) -> Answers:
    """The answers about a program, which is written to `folder`."""
    project.write(folder)
    answers = Answers()
    for flag in ("0", "1") if project.environment else ("0",):
        os.environ["PLUM_FLAG"] = flag
        told = _in_a_child(folder, lambda: real.run_root(folder / "main.py", folder))
        if not told["ok"]:
            answers.error = told.get("error", "a registration happens inside a trace")
            return answers
        answers.unexplained.update(told["unexplained"])
        answers.late.update(tuple(late) for late in told["late"])
        answers.untold.update(tuple(late) for late in told["untold"])
        answers.truths.append({Stale(*stale) for stale in told["stale"]})
        seen = _in_a_child(folder, lambda: _under(folder, "collect"))
        answers.runtime.append(seen.get("stale", set()))
        if seen["code"] or not seen["ok"]:
            answers.differing.append(f"runtime: the program fails: {seen['error']}")
        if retrace and told["late"]:
            _compare_output(answers, folder)
    answers.untold -= {_late(one) for one in answers.always | answers.sometimes}
    answers.late -= answers.untold
    answers.static = _static(folder, answers)
    answers.differing += _differences(answers)
    return answers


def _compare_output(answers: Answers, folder: Path) -> None:
    kept = _in_a_child(folder, lambda: _under(folder, "retrace"))
    cleared = _in_a_child(folder, lambda: _cleared(folder))
    for key in ("output", "code"):
        if kept.get(key) != cleared.get(key):
            pair = f"{kept.get(key)!r}, and cleared by hand {cleared.get(key)!r}"
            answers.differing.append(f"retrace: {key} is {pair} {kept.get('error', '')[-300:]}")
            return


def _differences(answers: Answers) -> list[str]:
    found = []
    for number, (shown, seen) in enumerate(zip(answers.truths, answers.runtime, strict=True)):
        run = f" in run {number}" if len(answers.truths) > 1 else ""
        found += [f"runtime: missed {one}{run}" for one in sorted(shown - seen)]
        more = {one for one in seen - shown if not answers.is_open(one)}
        found += [f"runtime: false {one}{run}" for one in sorted(more)]
    said = {one.stale: one.severity for one in answers.static}
    found += [f"static: missed {one}" for one in sorted(answers.always - set(said))]
    found += [f"static: missed (sometimes) {one}" for one in sorted(answers.sometimes - set(said))]
    for stale, severity in sorted(said.items()):
        if answers.is_open(stale) and stale not in answers.sometimes:
            continue
        if stale not in answers.always | answers.sometimes:
            found.append(f"static: false {severity} {stale}")
        elif severity == "error" and stale not in answers.always:
            found.append(f"static: error that is not always so {stale}")
    return found


# --- the observers -----------------------------------------------------------------------------


def _static(folder: Path, answers: Answers) -> list[Said]:
    from plum_jit_lint.lint import lint_program
    from plum_jit_lint.project.config import Settings

    settings = Settings(source_roots=(folder,), respect_gitignore=False)
    report = lint_program(folder / "main.py", settings)
    answers.differing += [f"static: {problem}" for problem in report.problems]
    return [_said(finding, folder) for finding in report.findings if finding.code in CODES]


def _in_a_child(folder: Path, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    def quiet() -> dict[str, Any]:
        # What the program writes is no concern of whoever runs the benchmark.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        return run()

    answer: dict[str, Any] = truth.in_a_child(folder, quiet, SECONDS)
    return {"code": 0, **answer}


def _under(folder: Path, on_stale: Any) -> dict[str, Any]:
    """The program under the companion, in this process."""
    from plum_jit_lint.runtime.run import run_script

    os.chdir(folder)
    sys.dont_write_bytecode = True
    written, told = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(written), contextlib.redirect_stderr(told):
            ended = run_script("main.py", [], on_stale)
        stale = {_said(finding, folder).stale for finding in ended.watch.findings}
    except BaseException:
        return {"ok": False, "error": traceback.format_exc(), "code": 1}
    return {
        "ok": True,
        "code": ended.code,
        "error": told.getvalue(),
        "stale": stale,
        "output": written.getvalue(),
    }


class Clearing:
    """Routes the calls of a program, and clears JAX's caches after each that registers."""

    def __init__(self) -> None:
        self.watch = truth.Watch()

    def call(self, line: int, callee: Any, /, *args: Any, **kwargs: Any) -> Any:
        import jax

        result = callee(*args, **kwargs)
        if self.watch.registered():
            jax.clear_caches()
        return result

    def decorate(self, line: int, decorator: Any) -> Any:
        return lambda decorated: self.call(line, decorator, decorated)


def _cleared(folder: Path) -> dict[str, Any]:
    """The program with `jax.clear_caches()` after every registration, in this process."""
    truth.Watch = _only(Clearing(), truth.Watch)
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        told = real.run_root(folder / "main.py", folder)
    return {"ok": told["ok"], "code": int("error" in told), "output": written.getvalue()}


def _only(clearing: Clearing, kind: Any) -> Any:
    """A maker of watches that only clear."""

    def make() -> Any:
        watch = kind()
        watch.call, watch.decorate = clearing.call, clearing.decorate
        return watch

    return make


def stale_of(answers: Answers) -> set[Late]:
    """The late registrations that leave something stale in some run."""
    return {_late(one) for one in answers.always | answers.sometimes} & answers.late


def agreeing(answers: Answers) -> set[Late]:
    """The late registrations of which the checker says what plain JAX shows."""
    said = {one.stale: one.severity for one in answers.static}
    shown = answers.always | answers.sometimes
    wrong = {_late(one) for one in shown - set(said)}
    wrong |= {_late(one) for one in set(said) - shown if not answers.is_open(one)}
    wrong |= {_late(one) for one in answers.sometimes if said.get(one) == "error"}
    return answers.late - wrong


def _late(stale: Stale) -> Late:
    return (stale.registration, stale.registration_line, stale.function)
