"""Making a program smaller as long as something stays true of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.disagreement.project import Project

Check = Callable[[Project], bool]


def shrink(project: Project, still: Check, steps: int = 400) -> Project:
    """The smallest program that was found within `steps` questions and that `still` holds of.

    Statements are left out, bodies take the place of the branches and loops around them, and
    calls and operators that of one of their parts.
    """
    files = dict(project.files)
    asked = 0
    progress = True
    while progress and asked < steps:
        progress = False
        for name in sorted(files, key=lambda n: n == "main.py"):
            if name != "main.py" and len(files) > 1:
                fewer = {other: text for other, text in files.items() if other != name}
                asked += 1
                if still(Project(fewer)):
                    files, progress = fewer, True
                    continue
            position = 0
            while asked < steps:
                smaller = _nth(files[name], position)
                if smaller is None:
                    break
                position += 1
                if smaller == files[name]:
                    continue
                asked += 1
                if still(Project({**files, name: smaller})):
                    files[name], progress = smaller, True
                    position -= 1
    return Project(files)


def _nth(text: str, position: int) -> str | None:
    """The program after its `position`th simplification, `None` when there are fewer."""
    tree = ast.parse(text)
    for number, change in enumerate(_changes(tree)):
        if number == position:
            change()
            return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return None


def _changes(tree: ast.AST) -> Iterator[Callable[[], None]]:
    """All simplifications, those that leave out most first."""
    nodes = list(ast.walk(tree))
    for node in nodes:
        for _, body in _bodies(node):
            for position, statement in enumerate(body):
                # What methods return tells them apart.
                if not isinstance(statement, ast.Return):
                    yield lambda body=body, at=position: _remove(body, at)  # type: ignore[misc]
    for node in nodes:
        for _, body in _bodies(node):
            for position, statement in enumerate(body):
                if isinstance(statement, ast.If | ast.For | ast.Try | ast.With):
                    inner = statement.body
                    yield lambda b=body, at=position, i=inner: _replace(b, at, i)  # type: ignore[misc]
    for node in nodes:
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(node, ast.Subscript):
                for part in _parts(value):
                    yield lambda n=node, f=name, p=part: setattr(n, f, p)  # type: ignore[misc]
        if isinstance(node, ast.Call) and node.keywords:
            yield lambda n=node: n.keywords.clear()  # type: ignore[misc]
        for name in ("bases", "decorator_list", "elts", "names"):
            many = getattr(node, name, [])
            for position in range(len(many) if name == "decorator_list" or len(many) > 1 else 0):
                yield lambda m=many, at=position: m.pop(at)  # type: ignore[misc]


def _bodies(node: ast.AST) -> Iterator[tuple[str, list[Any]]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            yield name, body


def _remove(body: list[Any], at: int) -> None:
    body[at : at + 1] = [] if len(body) > 1 else [ast.Pass()]


def _replace(body: list[Any], at: int, inner: list[Any]) -> None:
    body[at : at + 1] = inner


def _parts(value: ast.expr) -> list[ast.expr]:
    """What may stand in the place of an expression."""
    if isinstance(value, ast.BinOp):
        sides = [value.left, value.right]
        return [] if any(isinstance(side, ast.Constant) for side in sides) else sides
    if isinstance(value, ast.Call):
        return [a for a in value.args if not isinstance(a, ast.Starred)]
    return []
