"""One function does not change what is said of another: functions that stand one after the other
in a program are put in another order, and the findings are the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from plum_jit_lint import lint_source

HERE = Path(__file__).parent
PROGRAMS = sorted(p for kind in ("fixtures", "kinds", "wild") for p in (HERE / kind).rglob("*.py"))
ORDERED_BY_PYTEST = ("test", "setup", "teardown", "pytest_")

Said = set[tuple[int, str, str]]


def groups(text: str) -> Iterator[list[tuple[int, int]]]:
    """The functions of a module that stand one after the other and do nothing where they stand:
    the lines of each, from the end of the statement before it."""
    group: list[tuple[int, int]] = []
    start = 1
    for node in ast.parse(text).body:
        end = node.end_lineno
        assert end is not None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _does_nothing(node):
            group.append((start, end))
        else:
            if len(group) > 1:
                yield group
            group = []
        start = end + 1
    if len(group) > 1:
        yield group


def _does_nothing(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is the same wherever the definition stands: nothing is registered, nothing is
    asked, and pytest does not go by the order."""
    decorators = {ast.unparse(one) for one in node.decorator_list}
    plain = decorators <= {"jax.jit", "jit", "eqx.filter_jit", "contextmanager"}
    asks = any(not isinstance(one, ast.Constant) for one in node.args.defaults)
    return plain and not asks and not node.name.startswith(ORDERED_BY_PYTEST)


def turned(text: str) -> list[int]:
    """The line numbers of a program in the order that they have once the functions of each group
    stand the other way round."""
    order = list(range(1, len(text.splitlines()) + 1))
    for group in groups(text):
        lines = [line for start, end in reversed(group) for line in range(start, end + 1)]
        order[group[0][0] - 1 : group[-1][1]] = lines
    return order


def said(text: str, path: Path) -> Said:
    found = lint_source(text.encode(), path=str(path)).findings
    return {(f.place.line, f.code, f.severity.label) for f in found}


WITH_SEVERAL = [path for path in PROGRAMS if any(groups(path.read_text("utf-8")))]


def test_many_programs_have_several_functions() -> None:
    assert len(WITH_SEVERAL) > 50


@pytest.mark.parametrize("path", WITH_SEVERAL, ids=lambda p: str(p.relative_to(HERE)))
def test_functions_in_another_order_get_the_same_findings(path: Path) -> None:
    text = path.read_text("utf-8")
    lines, order = text.splitlines(), turned(text)
    other = "\n".join(lines[line - 1] for line in order) + "\n"
    assert {(order[line - 1], code, severity) for line, code, severity in said(other, path)} == (
        said(text, path)
    )
