"""The small changes: those of cosmic-ray, and three for what it does not know.

cosmic-ray has no change for a branch of a `match`, a row of a table and an answer that is not
known; those are what the deciding code is made of.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

OF_COSMIC_RAY = (
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "NumberReplacer",
    "ZeroIterationForLoop",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_Delete_USub",
    *(f"ReplaceComparisonOperator_{of}" for of in ("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")),
    *(f"ReplaceComparisonOperator_{of}" for of in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")),
    *(f"ReplaceBinaryOperator_{of}" for of in ("Add_Sub", "Sub_Add", "Mul_Add", "FloorDiv_Mul")),
    *(f"ReplaceBinaryOperator_{of}" for of in ("Mod_Add", "BitOr_BitAnd", "BitAnd_BitOr")),
)
"""Of several that change one thing, those whose change is the smallest."""


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """One change: the lines of the statement that it is in, and which occurrence it is for its
    operator. `function` is the qualified name of the definition around it, `at_import` says that
    this is no function: the lines run once, when the module is imported."""

    file: str
    first: int
    last: int
    function: str
    at_import: bool
    operator: str
    occurrence: int

    def source(self, of: str) -> str:
        """The text of the file with the change."""
        if self.operator in OWN:
            return list(_own(of))[self.occurrence].apply(of)
        operator = get_operator(f"core/{self.operator}")()
        changed: str | None = mutate_code(of, operator, self.occurrence)
        assert changed is not None
        return changed


def mutants(file: str, source: str) -> list[Mutant]:
    """All changes of a file, in the order of its lines."""
    module = ast.parse(source)
    homes = list(_statements(module))
    silent = list(_saying_nothing(module))
    found: list[Mutant] = []

    def add(operator: str, occurrence: int, line: int, column: int) -> None:
        inside = [home for home in homes if home[0] <= line <= home[1]]
        if inside and not any(start <= (line, column) < end for start, end in silent):
            found.append(Mutant(file, *inside[-1], operator, occurrence))

    tree = get_ast(source)
    for name in OF_COSMIC_RAY:
        operator = get_operator(f"core/{name}")()
        positions = (p for node in ast_nodes(tree) for p in operator.mutation_positions(node))
        for number, ((line, column), _) in enumerate(positions):
            add(name, number, line, column)
    for number, edit in enumerate(_own(source)):
        add(edit.operator, number, edit.line, edit.column)
    return sorted(found)


def _statements(module: ast.Module) -> Iterator[tuple[int, int, str, bool]]:
    """The first and last line of each statement, of a compound one those of its head, the
    definition that it is in, and whether that is no function."""

    def walk(node: ast.AST, name: str, at_import: bool) -> Iterator[tuple[int, int, str, bool]]:
        for child in ast.iter_child_nodes(node):
            inner, still = name, at_import
            if isinstance(child, ast.stmt | ast.match_case | ast.ExceptHandler):
                body = getattr(child, "body", None)
                first = child.pattern.lineno if isinstance(child, ast.match_case) else child.lineno
                last = body[0].lineno - 1 if body else getattr(child, "end_lineno", first)
                if isinstance(child, ast.Match):
                    last = child.cases[0].pattern.lineno - 1
                yield first, max(first, last), name, at_import
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inner = f"{name}.{child.name}".lstrip(".")
                still = at_import and isinstance(child, ast.ClassDef)
            yield from walk(child, inner, still)

    yield from walk(module, "", True)


Position = tuple[int, int]


def _saying_nothing(module: ast.Module) -> Iterator[tuple[Position, Position]]:
    """Where a change does nothing, in annotations, which nobody evaluates, and in what only a type
    checker reads, or where it makes no program: between the alternatives of a pattern."""
    for node in ast.walk(module):
        quiet: list[ast.AST | None] = []
        if isinstance(node, ast.arg | ast.AnnAssign):
            quiet.append(node.annotation)
        if isinstance(node, ast.FunctionDef):
            quiet.append(node.returns)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            quiet.append(node)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            quiet.append(node)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            quiet.append(node)
        if isinstance(node, ast.Assert | ast.MatchOr):
            quiet.append(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("dataclass", "TypeVar", "zip"):
            quiet.extend(node.keywords)
        for one in quiet:
            if one is not None:
                yield (one.lineno, one.col_offset), (one.end_lineno, one.end_col_offset)


# -- what cosmic-ray does not know ---------------------------------------------------------------

OWN = ("DropArm", "DropRow", "NoneIsFalse")


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of the text, by offsets, and what takes its place."""

    operator: str
    line: int
    column: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]


def _own(source: str) -> Iterator[Edit]:
    """All changes of the own operators: together they are one numbering."""
    module = ast.parse(source)
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def edit(operator: str, at: ast.AST, start: int, end: int, text: str) -> Edit:
        line = bisect_right(starts, start)
        return Edit(operator, line, start - starts[line - 1], start, end, text)

    def offsets(node: ast.AST) -> tuple[int, int]:
        # The files are ASCII where there is code, so columns are characters.
        first = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        last = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return first, last

    for node in ast.walk(module):
        if isinstance(node, ast.match_case):
            start, end = offsets(node.pattern)
            if node.guard is not None:
                start, end = offsets(node.guard)
                yield edit("DropArm", node.guard, start, end, "False")
            elif not isinstance(node.pattern, ast.MatchAs) or node.pattern.pattern is not None:
                while source[end : end + 1] != ":":
                    end += 1
                yield edit("DropArm", node.pattern, end, end, " if False")
        if isinstance(node, ast.Return | ast.IfExp):
            parts = [node.value] if isinstance(node, ast.Return) else [node.body, node.orelse]
            for part in parts:
                if isinstance(part, ast.Constant) and part.value is None:
                    yield edit("NoneIsFalse", part, *offsets(part), "False")
    for table in module.body:
        for node in ast.walk(table) if isinstance(table, ast.Assign | ast.AnnAssign) else ():
            rows = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                spans = [(offsets(k or v)[0], offsets(v)[1]) for k, v in pairs]
            else:
                spans = [offsets(row) for row in rows]
            if len(spans) > 1:
                for start, end in spans:
                    yield edit("DropRow", table, *_row(source, start, end), "")


def _row(source: str, start: int, end: int) -> tuple[int, int]:
    """A member of a display with the comma after it, and the stars of `**part` before it."""
    while source[start - 1] == "*":
        start -= 1
    after = end
    while source[after : after + 1].isspace():
        after += 1
    return start, after + 1 if source[after : after + 1] == "," else end
