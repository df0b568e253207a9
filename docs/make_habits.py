"""`python docs/make_habits.py` writes `docs/habits.md` from the table that `tests/test_habits.py`
holds to."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "habits.md"

sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from habits import Row, rows  # noqa: E402

HEAD = """\
# What happens if you try it

Command lines, settings and files as people try them, right, nearly right and wrong. Each ends in a
check, or in a line that says what is the matter. `python docs/make_habits.py` writes this page from
`tests/habits.toml`, and `tests/test_habits.py` tries every row. `=PJ002` and the like are programs
with that finding (`tests/house.py`), some with another line in place of one of theirs; `⏎` is the
end of a line.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    for group, of_group in groupby(rows(), key=lambda row: row.group):
        lines = [
            f"## {group}",
            "",
            "| what | how | exit code | what is said |",
            "|---|---|---|---|",
        ]
        parts.append("\n".join([*lines, *map(_line, of_group), ""]))
    return "\n".join(parts)


def _line(row: Row) -> str:
    said = [*row.says, *row.order] or [f"not: {piece}" for piece in row.unsaid]
    files = [f"{name}: {row.files[name]}" for name in sorted(row.own)]
    links = [f"{name} -> {target}" for name, target in row.links.items()]
    how = "<br>".join(map(_code, [row.command, *files, *links]))
    return f"| {row.what} | {how} | {row.exit} | {'<br>'.join(map(_code, said))} |"


def _code(text: str) -> str:
    shown = text.replace("\n", "⏎").replace("|", "\\|")
    fence = "``" if "`" in shown else "`"
    return f"{fence}{shown}{fence}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
