"""Checks a program, runs it under the watch in a child process, and joins what the two find."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from plum_jit_lint.finding_codec import decode
from plum_jit_lint.findings import Finding, Place, Role
from plum_jit_lint.lint import Report, lint_program, reported
from plum_jit_lint.project.config import Settings
from plum_jit_lint.project.discovery import SKIPPED_FOLDERS, discover, is_excluded
from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.project.patterns import absolute, shown

Answer: TypeAlias = Literal["confirmed", "static only", "runtime only"]
STACKED = ("PJ001", "PJ002")
Kind: TypeAlias = Literal["script", "module", "pytest"]


@dataclass(frozen=True, slots=True)
class RunTarget:
    """What is run: a script, a module or tests, with arguments."""

    kind: Kind
    name: str
    arguments: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What a reader would call it."""
        if self.kind == "pytest":
            return " ".join(["pytest", *filter(None, [self.name]), *self.arguments])
        return self.name if self.kind == "script" else f"-m {self.name}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One finding, and who has it. `reached` says whether the run registered anything at the
    place of the registration; `seen_at` is where the run reports it, `None` if it does not."""

    answer: Answer
    finding: Finding
    registration: Place
    reached: bool
    seen_at: Place | None

    @property
    def elsewhere(self) -> Place | None:
        """Where the run reports it, when that is not where the check does."""
        here, there = self.finding.place, self.seen_at
        if there is None or (_absolute(here.path), here.line) == (
            _absolute(there.path),
            there.line,
        ):
            return None
        return there


@dataclass(frozen=True, slots=True)
class Verified:
    """What became of one program. `problem` says in one line why it is not all known."""

    program: RunTarget
    verdicts: tuple[Verdict, ...] = ()
    problem: str | None = None
    unseen: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the check and the run have the same findings."""
        return all(verdict.answer == "confirmed" for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class SeenFinding:
    """What the child process tells of a run."""

    findings: tuple[Finding, ...] = ()
    registered: Mapping[str, frozenset[int]] = field(default_factory=dict)
    problem: str | None = None
    unseen: tuple[str, ...] = ()


def programs(name: str, arguments: Sequence[str], settings: Settings) -> list[RunTarget]:
    """The programs that `name` stands for: a script, or each file of a folder. A folder with a
    `__main__.py` is one program, as it is for Python."""
    if not os.path.isdir(name) or os.path.exists(os.path.join(name, "__main__.py")):
        return [RunTarget("script", name, tuple(arguments))]
    found = discover([name], settings).files
    # A kernel runs a notebook.
    scripts = [path for path in found if not is_notebook(path)]
    return [RunTarget("script", path, tuple(arguments)) for path in scripts]


def verify(program: RunTarget, settings: Settings, *, timeout: float, quiet: bool) -> Verified:
    """Checks and runs one program. `quiet`: what it writes is dropped, instead of going to
    standard error."""
    static = _checked(program, settings)
    seen = _run(program, timeout, quiet)
    runtime = reported(seen.findings, settings, 0)
    problems = [f"{one.path}: {one.message}" for one in static.problems]
    others = set(seen.registered) - set(map(_absolute, _roots(program, settings)))
    said = [*static.findings, *_stacks(sorted(others), settings)]
    problem = seen.problem or (problems[0] if problems else None)
    if problem is not None:
        problem = problem.removeprefix(f"{program.shown}: ")
    verdicts = _joined(said, runtime.findings, seen.registered)
    return Verified(program, tuple(verdicts), problem, seen.unseen)


# -- the two observers -----------------------------------------------------------------------


def _checked(program: RunTarget, settings: Settings) -> Report:
    """What the checker says of the program: of a run, what begins with its main file."""
    reports = [lint_program(path, settings) for path in _roots(program, settings)]
    found = {_key(f): f for report in reports for f in report.findings}
    return Report(tuple(found.values()), tuple(p for report in reports for p in report.problems))


def _stacks(files: Iterable[str], settings: Settings) -> list[Finding]:
    """The definitions with both decorators in `files`. The check tells them of each file of a
    project by itself, and not of the program that imports it."""
    found = []
    for path in files:
        if os.path.isfile(path) and not (_is_installed(path) or is_excluded(path, settings)):
            report = lint_program(shown(path), settings)
            found += [one for one in report.findings if one.code in STACKED]
    return found


def _is_installed(path: str) -> bool:
    return not {"dist-packages", *SKIPPED_FOLDERS}.isdisjoint(Path(path).parts)


def _roots(program: RunTarget, settings: Settings) -> list[str]:
    if program.kind == "script":
        main = os.path.join(program.name, "__main__.py")
        path = main if os.path.isdir(program.name) else program.name
        return [path] if os.path.exists(path) else []
    if program.kind == "module":
        inside = Path(*program.name.split("."))
        roots = settings.roots_for(Path.cwd())
        places = [root / part for root in roots for part in (inside / "__main__.py", inside)]
        places = [place if place.suffix else place.with_suffix(".py") for place in places]
        return [shown(place) for place in places if place.is_file()][:1]
    named = [n for n in (program.name, *program.arguments) if n and not n.startswith("-")]
    paths = [name.partition("::")[0] for name in named]
    files = discover([path for path in paths if os.path.exists(path)] or ["."], settings).files
    return [path for path in files if _is_test(os.path.basename(path))]


def _is_test(name: str) -> bool:
    return name.startswith("test_") or name.endswith("_test.py")


def _run(program: RunTarget, timeout: float, quiet: bool) -> SeenFinding:
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "plum_jit_lint.runtime.child", str(answer), program.kind]
        command += [*filter(None, [program.name]), *program.arguments]
        # What another program reads on standard output stays whole.
        written = subprocess.DEVNULL if quiet else sys.stderr.fileno()
        sys.stderr.flush()
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            env={**os.environ, "PYTHONPATH": _with_own_folder()},
            start_new_session=True,
        )
        try:
            code = child.wait(timeout)
        except subprocess.TimeoutExpired:
            return SeenFinding(problem=f"did not end within {timeout:g} s (see --timeout)")
        finally:
            _end(child)
        if not answer.exists():
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            return SeenFinding(
                problem=f"the process ended with {how} before the watch could answer"
            )
        return _seen(json.loads(answer.read_text(encoding="utf-8")))


def _with_own_folder() -> str:
    """A search path on which the child finds this package, wherever it is started."""
    own = str(Path(__file__).resolve().parents[1])
    there = os.environ.get("PYTHONPATH")
    installed = any(os.path.realpath(p) == own for p in sys.path if "site-packages" in p)
    if installed or (there and own in there.split(os.pathsep)):
        return there or ""
    return os.pathsep.join(filter(None, [there, own]))


def _end(child: subprocess.Popen[bytes]) -> None:
    """Ends what is left of the child, and of what it started."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()


def _seen(answer: Mapping[str, Any]) -> SeenFinding:
    if answer["problem"] is not None:
        return SeenFinding(problem=answer["problem"])
    code = answer["code"]
    return SeenFinding(
        tuple(decode(one) for one in answer["findings"]),
        {path: frozenset(lines) for path, lines in answer["registered"].items()},
        f"ended with exit code {code}; what it did until then counts" if code else None,
        tuple(answer["unseen"]),
    )


# -- joining ---------------------------------------------------------------------------------

_Key: TypeAlias = tuple[str, int, str, str]


def _registration(finding: Finding) -> Place:
    places = [one.place for one in finding.related if one.role is Role.REGISTRATION]
    return places[-1] if places else finding.place


def _key(finding: Finding) -> _Key:
    place = _registration(finding)
    return (_absolute(place.path), place.line, finding.function, finding.code)


def _absolute(path: str) -> str:
    return str(absolute(path))


def _joined(
    static: Iterable[Finding], runtime: Iterable[Finding], registered: Mapping[str, frozenset[int]]
) -> list[Verdict]:
    """Each finding once: by the place of its registration, its function and its code."""
    said, shown_by_run = ({_key(one): one for one in found} for found in (static, runtime))
    lines = {_absolute(path): known for path, known in registered.items()}
    verdicts = []
    for key in {**said, **shown_by_run}:
        finding = said.get(key) or shown_by_run[key]
        both = key in said and key in shown_by_run
        answer: Answer = "static only" if key in said else "runtime only"
        reached = key in shown_by_run or key[1] in lines.get(key[0], ())
        verdicts.append(
            Verdict(
                "confirmed" if both else answer,
                finding,
                _registration(finding),
                reached,
                shown_by_run[key].place if key in shown_by_run else None,
            )
        )
    return sorted(verdicts, key=lambda one: (one.finding.place, one.finding.code))
