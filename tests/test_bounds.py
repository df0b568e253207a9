"""Programs that are written against the checker: the answer stays right, and what is left out is
said."""

from __future__ import annotations

import json

import pytest

from benchmarks.hostile.families import HEAD, TAIL
from benchmarks.hostile.tables import FAMILIES
from plum_jit_lint import Settings, lint_source
from plum_jit_lint.report.json import render
from plum_jit_lint.static.interpreter import statements

RIGHT = {
    "text doubles": 60,
    "text formats itself": 60,
    "list doubles": 60,
    "list doubles in place": 60,
    "tuple doubles": 60,
    "set doubles": 60,
    "dict spread doubles": 60,
    "dict others double": 60,
    "dict update itself": 60,
    "list insert far": 60,
    "range step nothing": 5,
    "diamonds": 30,
    "diamonds as arguments": 30,
    "diamonds of dataclasses": 30,
    "union of itself twice": 40,
    "union of itself with bar": 40,
    "union nests lists": 40,
    "tuple of twice": 40,
    "tree map later": 30,
    "tuple as key": 60,
    "tree leaves": 30,
    "tree map itself": 30,
    "stack of lists": 60,
    "list append and loop": 800,
    "generators in loops": 64,
    "patterns of dicts": 12,
    "patterns of lists": 20,
}
"""Families with a size at which the late registration after them has to be found still."""


@pytest.mark.parametrize("name", RIGHT)
def test_what_follows_is_still_found(name: str) -> None:
    """A few hostile lines change nothing in what is said of the others."""
    family = next(one for one in FAMILIES if one.name == name)
    report = lint_source(family.files(RIGHT[name])["main.py"], settings=Settings())
    assert not report.problems
    assert {"PJ003", "PJ004"} & {finding.code for finding in report.findings}


def test_spent_steps_are_said() -> None:
    """What takes too many steps is left out, which is no error of the program."""
    text = HEAD + "".join(
        f"def g{i}():\n    yield from g{i - 1}()\n    yield from g{i - 1}()\n" for i in range(1, 40)
    ).replace("g0()", "use(1)")
    report = lint_source(f"{text}\nx = list(g39())\n{TAIL}", settings=Settings())
    assert not report.problems
    assert [one.message for one in report.incomplete] == [
        "not followed to its end: it takes more steps than a text of its size may"
    ]
    assert json.loads(render(report))["incomplete"][0]["path"] == "stdin"


@pytest.mark.parametrize(
    ("name", "size"), [("jit decorators", 150), ("overloads in branches and calls", 60)]
)
def test_work_that_is_no_statement_takes_steps_as_well(name: str, size: int) -> None:
    """Traces in traces, and choices among methods of which each may be there or not."""
    family = next(one for one in FAMILIES if one.name == name)
    report = lint_source(family.files(size)["main.py"], settings=Settings())
    assert not report.problems
    assert [one.message for one in report.incomplete] == [
        "not followed to its end: it takes more steps than a text of its size may"
    ]


def test_a_plain_program_is_complete() -> None:
    """Nothing is said of programs as people write them."""
    report = lint_source(HEAD + TAIL, settings=Settings())
    assert not report.incomplete
    assert "incomplete" not in json.loads(render(report))


def test_what_was_found_before_an_internal_error_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug ends the check of a file in one line, and hides nothing that was found."""

    def broken(*_: object) -> bool:
        raise ZeroDivisionError("for a test")

    monkeypatch.delenv("PLUM_JIT_LINT_DEBUG", raising=False)
    monkeypatch.setitem(statements.EXECUTORS, statements.nodes.Delete, broken)  # type: ignore[arg-type]
    report = lint_source(f"{HEAD}{TAIL}\nx = 1\ndel x\n", settings=Settings())
    assert [one.message for one in report.problems] == [
        "internal error: ZeroDivisionError: for a test"
    ]
    assert report.findings
