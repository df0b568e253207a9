"""The projects of `benchmarks/projects`: the checker and real JAX against the `# expect:` comments.

`python -m benchmarks.accuracy` asks real JAX about all of them and compares more closely.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import accuracy

PROJECTS = accuracy.projects()
SAMPLE = PROJECTS[::16]
ONE_STATEMENT = {"imports/one_statement_two_modules": "stages/late.py"}
HAVE_JAX = all(importlib.util.find_spec(m) for m in ("jax", "plum", "equinox"))


@pytest.mark.parametrize("project", PROJECTS, ids=accuracy.title)
def test_the_checker_says_what_is_expected(project: Path) -> None:
    title = accuracy.title(project)
    known = {key[1:] for key in accuracy.known() if key[0] == title}
    wanted = accuracy.expected(project)
    said = {one.place: one.severity for one in accuracy.checked(project)}
    differing = set(wanted) ^ set(said)
    assert differing == known
    assert {k: s for k, s in said.items() if wanted.get(k)} == {
        k: s for k, s in wanted.items() if s and k in said
    }


@pytest.mark.parametrize("category", ["imports", "packages"])
def test_it_does_not_matter_which_file_is_checked_first(category: str) -> None:
    for project in accuracy.projects([category]):
        together = {(*one.place, one.severity) for one in accuracy.checked(project)}
        alone = {
            (*one.place, one.severity)
            for file in accuracy.files(project)
            for one in accuracy.checked(project, [file])
        }
        # An import that runs both the call and the registration is no file's own order.
        apart = ONE_STATEMENT.get(accuracy.title(project))
        assert {one for one in together if one[0] != apart} == alone, accuracy.title(project)


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
def test_real_jax_does_what_is_expected() -> None:
    truths = accuracy.truths(SAMPLE, workers=2)
    wrong = {
        accuracy.title(project): problems
        for project in SAMPLE
        if (problems := accuracy.against_comments(project, truths[accuracy.title(project)]))
    }
    assert not wrong


def test_there_are_enough_projects_and_each_says_what_it_shows() -> None:
    assert len(PROJECTS) >= 120
    for project in PROJECTS:
        first = [*project.glob("main.py"), *sorted(project.glob("test_*.py"))][0]
        assert first.read_text(encoding="utf-8").startswith('"""'), accuracy.title(project)
    titles = {accuracy.title(project) for project in PROJECTS}
    assert {key[0] for key in accuracy.known()} <= titles
