"""What people try, right, nearly right and wrong, ends as the table says: none of it silently."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest
from habits import Row, complaints, lay_out, rows, tried

ROOT = Path(__file__).resolve().parent.parent
ROWS = list(rows())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell, links and streams")
@pytest.mark.parametrize("row", ROWS, ids=[f"{row.group}: {row.what}" for row in ROWS])
def test_a_habit(row: Row, tmp_path: Path) -> None:
    if row.shell.startswith("{flake8}"):
        pytest.importorskip("flake8")
    if "verify" in row.shell:
        pytest.importorskip("jax")
        pytest.importorskip("plum")
    folder = tmp_path / "project"
    folder.mkdir()
    lay_out(row, folder)
    code, written = tried(row, folder)
    assert complaints(row, code, written) == [], written


def test_the_table_is_long_and_no_row_is_there_twice() -> None:
    assert len(ROWS) >= 100
    assert len({(row.group, row.what) for row in ROWS}) == len(ROWS)


def test_no_row_is_silent() -> None:
    """A row says what is written, unless its streams are closed or it only must not be said."""
    assert [row.what for row in ROWS if not (row.says or row.order or row.shell)] == []


def test_the_page_is_up_to_date() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "make_habits.py"))["page"]()
    kept = (ROOT / "docs" / "habits.md").read_text(encoding="utf-8")
    assert kept == page, "run: python docs/make_habits.py"
