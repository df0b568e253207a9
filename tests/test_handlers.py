"""Everything that the checker knows of libraries by name decides what it says of some program.

Each name is taken from the checker in turn, as if the library had never defined it. Of the
programs that come to the name, one has to be judged otherwise then: a row that changes nothing is
dead or has no test. The programs are those that real JAX judges (`test_fixtures.py`,
`test_accuracy.py`); where a library is not there to be run, those of `fixtures/static_only` count.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from test_accuracy import accuracy
from test_fixtures import PROGRAMS, RUNNABLE

from plum_jit_lint import knowledge, lint_source
from plum_jit_lint.knowledge import plum
from plum_jit_lint.static.interpreter import qualified_names
from plum_jit_lint.static.models import library
from plum_jit_lint.static.models.jax import array_functions

KNOWN = {
    *knowledge.ROWS,
    *knowledge.SAME,
    *plum.DISPATCHERS,
    *library.HANDLERS,
    *array_functions.OTHERWISE,
    *(f"jax.numpy.{name}" for names, _ in array_functions.RULES for name in names),
    *(f"jax.numpy.{name}" for name in array_functions.NOT_ARRAYS),
    *(f"jax.random.{name}" for name in array_functions.SAMPLES),
} - {"lazy_loader.attach"}
HOMES = ("jax.numpy.", "jax.nn.", "jax.lax.", "jax.scipy.special.")
"""Where functions of arrays stand; the rules for them go by the last part of the name."""

canonical = qualified_names.canonical


def is_named(path: str, name: str) -> bool:
    """Whether `path` is what is known as `name`."""
    if path in knowledge.ROWS or path in array_functions.OTHERWISE:
        return path == name
    of_arrays = name.startswith("jax.numpy.") and path.startswith(HOMES)
    same = path.rpartition(".")[2] == name.rpartition(".")[2]
    return path == name or (of_arrays and same and name not in library.HANDLERS)


def without(name: str) -> Callable[[str], str]:
    """`qualified_names.canonical` of a checker that does not know `name`."""

    @cache
    def renamed(path: str) -> str:
        gone = is_named(path, name) or is_named(canonical(path), name)
        return f"{path}_that_nobody_knows" if gone else canonical(path)

    return renamed


KINDS = Path(__file__).parent / "kinds"

Findings = list[tuple[object, ...]]


def findings(program: Path) -> Findings:
    if program.is_dir():
        return [(*one.stale, one.severity) for one in accuracy.checked(program)]
    report = lint_source(_source(program), path=str(program))
    return [(f.place.line, f.code, f.severity, f.message) for f in report.findings]


@cache
def _source(program: Path) -> bytes:
    return program.read_bytes()


def is_there(path: str) -> bool:
    """Whether the library that defines `path` is installed, in a version that has it."""
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found = import_module(".".join(parts[:count]))
            for part in parts[count:]:
                found = getattr(found, part)
        except (ImportError, AttributeError):
            continue
        return True
    return False


class Judged:
    """What is said of the programs, and which names they come to."""

    def __init__(self) -> None:
        self.said: dict[Path, Findings] = {}
        self.asked: dict[Path, set[str]] = {}

    def judge(self, program: Path, patch: pytest.MonkeyPatch) -> None:
        asked = self.asked[program] = set()

        def recorded(path: str) -> str:
            asked.update((path, canonical(path)))
            return canonical(path)

        patch.setattr(qualified_names, "canonical", recorded)
        self.said[program] = findings(program)

    def that_ask(self, name: str) -> Iterator[Path]:
        """The programs that come to a name, those that come to few names first."""
        paths = {path for path in set().union(*self.asked.values()) if is_named(path, name)}
        for program in sorted(self.said, key=lambda one: len(self.asked[one])):
            if not paths.isdisjoint(self.asked[program]):
                yield program

    def decided_by(self, name: str, patch: pytest.MonkeyPatch) -> set[Path]:
        """A program of which something else is said without the name, if there is one."""
        patch.setattr(qualified_names, "canonical", without(name))
        for program in self.that_ask(name):
            if findings(program) != self.said[program]:
                return {program}
        return set()


def test_every_name_decides_what_is_said_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = Judged()
    for program in RUNNABLE:
        judged.judge(program, monkeypatch)
    left = {name for name in KNOWN if not judged.decided_by(name, monkeypatch)}

    of_projects = Judged()
    words = {name.rpartition(".")[2] for name in left}
    kinds = sorted(one for one in KINDS.iterdir() if one.is_dir())
    for project in (*accuracy.projects(), *kinds):
        text = b"".join(map(_source, accuracy.files(project))).decode()
        if any(word in text for word in words):
            of_projects.judge(project, monkeypatch)
    left = {name for name in left if not of_projects.decided_by(name, monkeypatch)}

    # What IPython's magics do, notebooks show, which a kernel runs.
    of_notebooks = Judged()
    if any(name.startswith("IPython.") for name in left):
        for notebook in sorted((Path(__file__).parent / "notebooks").glob("*.ipynb")):
            if b"%run" in _source(notebook):
                of_notebooks.judge(notebook, monkeypatch)
    left = {name for name in left if not of_notebooks.decided_by(name, monkeypatch)}

    for program in set(PROGRAMS) - set(RUNNABLE):
        judged.judge(program, monkeypatch)
    not_run = {name for name in left if not is_there(name)}
    left -= {name for name in not_run if judged.decided_by(name, monkeypatch)}
    assert not left, sorted(left)


def test_lazy_loader_is_known_where_the_program_has_no_copy_of_it(tmp_path: Path) -> None:
    """The project runs with a copy of its own, which real JAX judges."""
    (project,) = accuracy.projects(["packages/lazy_attach"])
    there = shutil.copytree(project, tmp_path / "packages" / "lazy_attach")
    (there / "lazy_loader.py").unlink()
    wanted = accuracy.expected(project)
    assert wanted
    assert {one.place for one in accuracy.checked(there)} == set(wanted)
