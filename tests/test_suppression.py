"""`# noqa` here and in flake8: the same comments silence the same lines."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from flake8.processor import FileProcessor
from flake8.violation import Violation
from house import finding

from plum_jit_lint.project.source_lines import source_lines
from plum_jit_lint.project.suppression import unsuppressed, unused

INLINE = [
    "x = 1",
    "x = 1  # noqa",
    "x = 1  # NOQA",
    "x = 1  #noqa",
    "x = 1  # noqa because",
    "x = 1  # noqa:PJ004",
    "x = 1  # noqa: PJ004",
    "x = 1  # noqa:  PJ004",
    "x = 1  # noqa : PJ004",
    "x = 1  # NOQA : PJ004 E501",
    "x = 1  # NoQA:PJ001,PJ004",
    "x = 1  # noqa: PJ001, PJ004",
    "x = 1  # noqa: PJ001 PJ004",
    "x = 1  # noqa: E501",
    "x = 1  # noqa: E501,W291",
    "x = 1  # noqa: PJ",
    "x = 1  # noqa: P",
    "x = 1  # noqa: PJ0",
    "x = 1  # noqa: PJ00",
    "x = 1  # noqa: pj004",
    "x = 1  # noqa: PJ0045",
    "x = 1  # noqa: PJ004 (on purpose)",
    "x = 1  # noqa: F811, PJ004 # more",
    "x = 1  # type: ignore # noqa: PJ004",
    "x = 1  # nosec # noqa",
    "x = '# noqa'",
    "x = '# noqa: PJ001'  # noqa: PJ004",
    "x = 1  # ruff: noqa: PJ004",
    "x = 1  # flake8: noqa",
]

WHOLE = [
    "# flake8: noqa\nx = 1\ny = 2\n",
    "x = 1\n    # flake8: noqa\ny = 2\n",
    "x = 1  # flake8: noqa\ny = 2\n",
    "# flake8: noqa: PJ001\nx = 1\n",
    "# flake8=noqa\nx = 1\n",
    "# FLAKE8: NOQA\nx = 1\n",
    "# flake8: noqa at the top\nx = 1\n",
    "#flake8: noqa\nx = 1\n",
    "'''\n# flake8: noqa\n'''\nx = 1\n",
    "\ufeff# flake8: noqa\nx = 1\n",
    "# ruff: noqa\nx = 1\n",
    # what lies on several lines
    "x = f(\n    1,  # noqa\n    2,\n)\ny = 2\n",
    "x = f(\n    1,\n    2,\n)  # noqa: PJ004\ny = 2\n",
    "x = f(\n    1,  # noqa: PJ001\n    2,\n)  # noqa: PJ004\ny = 2\n",
    '"""one\n\ntwo\n"""  # noqa\ny = 2\n',
    'x = """one\n# noqa: PJ004\ntwo"""\ny = 2\n',
    "x = 1 + \\\n    2  # noqa\ny = 2\n",
    "def h(\n    a,  # noqa: PJ004\n):\n    pass\n",
    "if x:\n    y = 1  # noqa\n\n\n# noqa\n\nz = 1\n",
    "x = 1  # noqa\r\ny = 2\r\n",
    "x = 1  # noqa\ry = 2\r",
    "x = 1  # noqa\x0cy = 2\n",
    "x = 1  # noqa",
    "x = [\n# noqa",
    "x = 'é'  # noqa: PJ004\n",
    "\n# noqa\n\n",
]


def silenced_by_flake8(source: bytes, file: Path) -> set[int]:
    options = argparse.Namespace(
        hang_closing=False, indent_size=4, max_line_length=79, max_doc_length=None, verbose=0,
        disable_noqa=False, stdin_display_name="stdin",
    )  # fmt: skip
    file.write_bytes(source)
    processor = FileProcessor(str(file), options)
    numbers = range(1, len(processor.lines) + 1)
    if processor.should_ignore_file():
        return set(numbers)
    violations = [
        Violation("PJ004", str(file), n, 1, "", processor.noqa_line_for(n)) for n in numbers
    ]
    return {v.line_number for v in violations if v.is_inline_ignored(disable_noqa=False)}


def silenced_here(source: bytes) -> set[int]:
    numbers = range(1, len(source_lines(source)) + 1)
    findings = [finding("PJ004", line=n) for n in numbers]
    return set(numbers) - {f.place.line for f in unsuppressed(findings, source)}


@pytest.mark.parametrize("text", INLINE + WHOLE)
def test_as_flake8_does_it(text: str, tmp_path: Path) -> None:
    source = text.encode()
    assert silenced_here(source) == silenced_by_flake8(source, tmp_path / "a.py")


DECORATED = {
    "@f  # noqa\n@g\ndef h(): pass\n": {1, 2, 3},
    "@f\n@g  # noqa\ndef h(): pass\n": {1, 2, 3},
    "@f\n@g\ndef h():  # noqa: F811, PJ004\n    pass\n": {1, 2, 3},
    "@f\n@g\ndef h():  # noqa: F811\n    pass\n": set(),
    "@f  # noqa: F811\n@g\nasync def h(a):  # noqa: PJ004\n    pass\n": {1, 2, 3},
    "@f(\n    1,\n)  # noqa\ndef h():\n    pass\n": {1, 2, 3, 4},
    "@f\ndef h(\n    a,  # noqa: PJ004\n):\n    pass\n": {1, 2, 3, 4},
    "@f\n# why\n\ndef h():  # noqa\n    pass\n": {1, 4},
    "@f\ndef h():\n    pass  # noqa\n": {3},
    "@f\ndef h():\n    @g\n    def i():  # noqa\n        pass\n": {3, 4},
    "@f\nclass C:  # noqa\n    pass\n": {1, 2},
    "@f\ndef h(): pass\ndef i(): pass  # noqa\n": {3},
}


@pytest.mark.parametrize("text", DECORATED)
def test_the_head_of_a_definition(text: str) -> None:
    assert silenced_here(text.encode()) == DECORATED[text]


UNUSED = {
    "x = 1  # noqa: PJ003\n": [(1, 8, "PJ003")],
    "x = 1  # noqa: PJ004\n": [],
    "x = 1  # noqa: PJ003, PJ004, F811\n": [(1, 8, "PJ003")],
    "x = 1  # noqa: pj004\n": [(1, 8, "pj004")],
    "x = 1  # noqa\n": [],
    "x = 1  # noqa: PJ\n": [],
    "x = '# noqa: PJ003'\n": [],
    "x = 1\ny = 1  # noqa: PJ004\n": [(2, 8, "PJ004")],
    "@f\ndef h():  # noqa: PJ004\n    pass\n": [],
    "@f\ndef h():\n    pass  # noqa: PJ004\n": [(3, 11, "PJ004")],
}


@pytest.mark.parametrize("text", UNUSED)
def test_comments_that_silence_nothing(text: str) -> None:
    """There is one finding, PJ004 on the first line."""
    found = unused("a.py", [finding("PJ004", line=1)], text.encode())
    assert [(one.line, one.column, one.code) for one in found] == UNUSED[text]


def test_the_comments_in_this_very_file(tmp_path: Path) -> None:
    source = Path(__file__).read_bytes()
    assert silenced_here(source) == silenced_by_flake8(source, tmp_path / "a.py") != set()


def test_an_encoding_cookie(tmp_path: Path) -> None:
    source = "# -*- coding: latin-1 -*-\nx = 'é'  # noqa: PJ004\n".encode("latin-1")
    assert silenced_here(source) == silenced_by_flake8(source, tmp_path / "a.py") == {2}


def test_the_code_decides() -> None:
    source = b"x = 1  # noqa: PJ001\n"
    both = [finding("PJ001", line=1), finding("PJ004", line=1)]
    assert [f.code for f in unsuppressed(both, source)] == ["PJ004"]


def test_newer_syntax_than_this_python_tokenizes() -> None:
    source = b"x = f(  # noqa\n"
    assert unsuppressed([finding(line=1)], source) == []
