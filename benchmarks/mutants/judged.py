"""One change, judged by the tests that come to its lines.

The change is never written to a file: a child process loads the one module from the changed text.
Then the programs of `tests/fixtures` and `benchmarks/projects` are checked which run the changed
lines, and if they show nothing, the unit tests of the module run.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import os
import pickle
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar

from benchmarks.mutants.operators import Mutant

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")

UNIT_TESTS: Mapping[str, tuple[str, ...]] = {
    "plum_jit_lint/dispatch/resolution.py": ("test_resolution", "test_rules"),
    "plum_jit_lint/static/types/answers.py": ("test_hints", "test_resolution"),
    "plum_jit_lint/static/types/oracle.py": ("test_hints", "test_resolution", "test_rules"),
    "plum_jit_lint/knowledge/rows.py": ("test_knowledge",),
    "plum_jit_lint/knowledge/jax.py": ("test_knowledge",),
    "plum_jit_lint/knowledge/equinox.py": ("test_knowledge",),
    "plum_jit_lint/rules/_decorators.py": ("test_rules",),
    "plum_jit_lint/rules/_late_finding.py": ("test_rules",),
    "plum_jit_lint/rules/_staleness.py": ("test_rules",),
    **{f"plum_jit_lint/rules/pj00{n}.py": ("test_rules", "test_docs") for n in range(1, 5)},
    "plum_jit_lint/static/interpreter/method_tables.py": ("test_method_tables",),
    "plum_jit_lint/static/interpreter/trace_keys.py": ("test_trace_keys",),
    **{f"plum_jit_lint/runtime/{n}.py": ("runtime/test_watch",) for n in ("arguments", "matching")},
}
"""The tests of a file beside those that check programs."""

FOLDERS = ("kinds", "wild")
"""Under `tests`: each folder in them is a project by itself."""

NOT_DECIDING = "not examples_run_under_jax and not importing_costs_nothing"
"""Slow tests among them that no decision can fail."""

SECONDS = 60
"""Of work for the tests of one change: a loop may have no end any more. How long that takes hangs
on what else the machine does, so what waits is given more."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a change. `killer` is the program or test that fails, `None` where none
    does. `before` and `after` are the lines that differ, `above` is the one before them."""

    mutant: Mutant
    killer: str | None
    above: str
    before: str
    after: str


def programs(file: str) -> list[Path]:
    """What may tell a change of `file`: the programs that are run under the watch for its own
    side, else everything that is checked, files and folders of projects."""
    if file.startswith("plum_jit_lint/runtime/"):
        return sorted((ROOT / "tests/runtime/seen").glob("*.py"))
    fixtures = (ROOT / "tests/fixtures").rglob("*.py")
    projects = (ROOT / "benchmarks/projects").glob("*/*/")
    folders = (path for kind in FOLDERS for path in (ROOT / "tests" / kind).glob("*/"))
    found = [*sorted(fixtures), *sorted(projects), *sorted(folders)]
    return [program for program in found if program.name != "__pycache__"]


def check(program: Path) -> None:
    """`AssertionError` where what is said is not what is expected."""
    import test_accuracy
    import test_fixtures

    if program.parent.name == "seen":
        _check_watched(program)
    elif program.parent.name in FOLDERS:
        _check_alone(program)
    elif program.is_dir():
        test_accuracy.test_the_checker_says_what_is_expected(program)
    else:
        test_fixtures.test_the_checker_says_what_is_expected(program)


def _check_alone(folder: Path) -> None:
    """The folder as a project by itself, away from this one."""
    import test_kinds

    with tempfile.TemporaryDirectory() as top:
        project = Path(shutil.copytree(folder, Path(top).resolve() / "project"))
        with contextlib.chdir(project):
            said = test_kinds.command_line(project, ".", "--jobs", "1")
    assert test_kinds.agree(test_kinds.expected(folder), said)


def _check_watched(program: Path) -> None:
    """What is found while it runs; the process that ran it is of no use afterwards."""
    import programs
    import test_seen

    answer = in_a_child(lambda: programs.run(program), SECONDS)
    assert answer is not None
    said = {(line, code): severity for _, line, code, severity in answer["findings"]}
    assert said == test_seen.WANTED[program.stem]


# -- in a child ----------------------------------------------------------------------------------


def in_a_child(work: Callable[[], T], seconds: int) -> T | None:
    """What `work` gives in a process of its own, `None` where that dies or takes too long."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.alarm(20 * seconds)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            result = pickle.dumps(work())
            with os.fdopen(write, "wb") as pipe:
                pipe.write(result)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    return pickle.loads(data) if data else None  # type: ignore[no-any-return]


class Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads one module from a text."""

    def __init__(self, file: str, text: str) -> None:
        self.name = file.removesuffix(".py").replace("/", ".")
        self.path = str(ROOT / file)
        self.text = text

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.machinery.ModuleSpec(name, self, origin=self.path)

    def get_source(self, fullname: str) -> str:
        return self.text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


def ready() -> None:
    """Imports what every child needs and what is never changed. Nothing of the checker itself
    may be loaded, nor JAX have computed anything."""
    import warnings

    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    warnings.filterwarnings("ignore", message=r".*os\.fork\(\).*")
    for name in ("libcst", "rich", "pathspec", "pytest", "jax", "plum", "equinox", "jaxtyping"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests/runtime")]


def judge(mutant: Mutant, order: Sequence[Path], units: Sequence[str]) -> Result:
    """Judges a change by programs, in their order, and by unit tests."""
    source = (ROOT / mutant.file).read_text(encoding="utf-8")
    changed = mutant.source(source)
    differing = difference(source, changed)

    def work() -> tuple[str | None]:
        finder = Changed(mutant.file, changed)
        sys.meta_path.insert(0, finder)
        try:
            # At once: pytest puts a finder of its own before this one.
            importlib.import_module(finder.name)
        except Exception:
            return ("its import",)
        return (_killer(order, units),)

    try:
        compile(changed, mutant.file, "exec", dont_inherit=True)
    except SyntaxError:
        return Result(mutant, "Python", *differing)
    answer = in_a_child(work, SECONDS)
    return Result(mutant, "no end" if answer is None else answer[0], *differing)


def _killer(order: Sequence[Path], units: Sequence[str]) -> str | None:
    for program in order:
        try:
            check(program)
        except Exception:
            return program.relative_to(ROOT).as_posix()
    for name in units:
        import pytest

        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", NOT_DECIDING]
        if pytest.main([*options, str(ROOT / "tests" / f"{name}.py")]):
            return name
    return None


def difference(before: str, after: str) -> tuple[str, str, str]:
    """The line above those that differ, and these, each side as one line."""
    old, new = before.splitlines(), after.splitlines()
    above = ""
    while old and new and old[0] == new[0]:
        above = old.pop(0)
        del new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return (above.strip(), *(" ".join(" ".join(part).split()) for part in (old, new)))


# -- which programs come to which lines ----------------------------------------------------------

Lines = Mapping[str, Mapping[int, tuple[Path, ...]]]


def lines_run(files: Iterable[str]) -> Lines:
    """By file and line, the programs whose check runs it once everything is imported."""
    found: dict[str, dict[int, list[Path]]] = {file: {} for file in files}
    sides: dict[tuple[Path, ...], dict[str, str]] = {}
    for file in found:
        sides.setdefault(tuple(programs(file)), {})[str(ROOT / file)] = file
    for of, wanted in sides.items():
        ran = in_a_child(partial(_lines_of_each, of, wanted), 1200)
        if ran is None:
            raise RuntimeError("a program fails without any change")
        for program, seen in ran:
            for file, line in seen:
                found[file].setdefault(line, []).append(program)
    return {f: {n: tuple(ps) for n, ps in lines.items()} for f, lines in found.items()}


Seen = set[tuple[str, int]]


def _lines_of_each(of: Sequence[Path], wanted: Mapping[str, str]) -> list[tuple[Path, Seen]]:
    check(of[0])
    return [(program, _lines_of(program, wanted)) for program in of]


def _lines_of(program: Path, wanted: Mapping[str, str]) -> Seen:
    if program.parent.name != "seen":
        return _traced(partial(check, program), wanted)
    import programs

    check(program)
    seen = in_a_child(lambda: _traced(partial(programs.run, program), wanted), SECONDS)
    return seen or set()


def _traced(work: Callable[[], object], wanted: Mapping[str, str]) -> Seen:
    """The lines that `work` runs of the files."""
    seen: Seen = set()
    sys.settrace(_tracer(wanted, seen))
    try:
        work()
    finally:
        sys.settrace(None)
    return seen


def _tracer(wanted: Mapping[str, str], seen: Seen) -> Any:
    def inside(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            seen.add((wanted[frame.f_code.co_filename], frame.f_lineno))
        return inside

    def entered(frame: FrameType, event: str, _: Any) -> Any:
        return inside if frame.f_code.co_filename in wanted else None

    return entered


def order_for(
    mutant: Mutant, lines: Lines, of: Sequence[Path], source: str, killers: Mapping[str, int]
) -> list[Path]:
    """The programs that may tell a change, those first which are likely to: `killers` tells how
    many changes each of them has killed.

    A line that runs when the module is imported may matter to all: first are those that hold the
    words of the line.
    """

    def kills(program: Path) -> int:
        return -killers.get(program.relative_to(ROOT).as_posix(), 0)

    known = lines[mutant.file]
    run = {p for n in range(mutant.first, mutant.last + 1) for p in known.get(n, ())}
    if not mutant.at_import:
        return sorted(run, key=lambda program: (kills(program), program.is_dir(), program))
    text = " ".join(source.splitlines()[mutant.first - 1 : mutant.last])
    words = [word.rpartition(".")[2] for word in re.findall(r'"([\w.]+)"', text)]
    return sorted(of, key=lambda program: (-_holds(program, words), kills(program), program))


def _holds(program: Path, words: Sequence[str]) -> int:
    files = program.rglob("*.py") if program.is_dir() else [program]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return sum(word in text for word in words)
