"""What a finding says to do is done, and then the finding is gone."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from plum_jit_lint import lint_source
from plum_jit_lint.findings import Finding

FIXTURES = Path(__file__).parent / "fixtures"
FOLDERS = sorted(one.name for one in FIXTURES.iterdir() if any(one.glob("*.py")))
LATE = ("PJ003", "PJ004")

_MOVE = re.compile(r"Move it above line (\d+)")
_CLEAR = "all `jax.clear_caches()` right after it."


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_a_finding_says_to_do_removes_it(folder: str) -> None:
    for path in sorted((FIXTURES / folder).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "# expect:" not in source:
            continue
        for finding in late_findings(source, path):
            followed = list(ways_to_follow(source, finding))
            assert followed or not finding.message.endswith(_CLEAR), finding.message
            for changed, lines in followed:
                left = [
                    (one.place.line, one.message)
                    for one in late_findings(changed, path)
                    if (one.code, one.function) == (finding.code, finding.function)
                    and one.place.line in lines
                ]
                assert not left, (path, finding.message)


def late_findings(source: str, path: Path) -> list[Finding]:
    report = lint_source(source.encode(), path=str(path))
    assert not report.problems
    return [finding for finding in report.findings if finding.code in LATE]


def ways_to_follow(source: str, finding: Finding) -> Iterator[tuple[str, range]]:
    """The source after each thing that the finding says to do, and the lines at which the
    registration stands there."""
    line = finding.place.line
    if finding.message.endswith(_CLEAR):
        yield cleared_after(source, line), range(line, line + 1)
    told = _MOVE.search(finding.message)
    if told is not None:
        yield moved_above(source, line, int(told[1]))


def cleared_after(source: str, line: int) -> str:
    lines = source.splitlines(keepends=True)
    statement = statements_at(source, line)[-1][0]
    indent = " " * statement.col_offset
    added = f"{indent}import jax as _jax\n{indent}_jax.clear_caches()\n"
    lines.insert(last_line(statement), added)
    return "".join(lines)


def moved_above(source: str, line: int, above: int) -> tuple[str, range]:
    """The source with the statement at `line` before the one at `above` in a block that both
    belong to."""
    lines = source.splitlines(keepends=True)
    around = statements_at(source, line)
    statement = around[-1][0]
    blocks = {id(block) for _, block in around}
    target = [one for one, block in statements_at(source, above) if id(block) in blocks][-1]
    start, end = first_line(statement) - 1, last_line(statement)
    text = textwrap.dedent("".join(lines[start:end]))
    lines[start:end] = [f"{' ' * statement.col_offset}pass\n"]
    first = first_line(target)
    lines.insert(first - 1, textwrap.indent(text, " " * target.col_offset))
    return "".join(lines), range(first, first + end - start)


_TREES: dict[str, ast.Module] = {}


def statements_at(source: str, line: int) -> list[tuple[ast.stmt, list[ast.stmt]]]:
    """The statements that a line belongs to, each with its block, the outermost first."""
    tree = _TREES.setdefault(source, ast.parse(source))
    found = [
        (one, block)
        for node in ast.walk(tree)
        for _, block in ast.iter_fields(node)
        if isinstance(block, list)
        for one in block
        if isinstance(one, ast.stmt) and first_line(one) <= line <= last_line(one)
    ]
    return sorted(found, key=lambda pair: pair[0].col_offset)


def first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def last_line(statement: ast.stmt) -> int:
    assert statement.end_lineno is not None
    return statement.end_lineno
