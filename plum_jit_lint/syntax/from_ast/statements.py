"""The same facts from Python's own tree.

Python's parser is five times as fast as libcst's and tells positions for nothing, but refuses
syntax that is newer than the Python it runs on. Most files of a program are only read for what
they define; `tests/test_reading.py` holds the two readers against each other.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.from_ast.expressions import OPERATORS, AstExpressions
from plum_jit_lint.syntax.nodes import Late, Span, Statement

_HEAD = re.compile(r"(?:async\s+)?(?:def|class)\s+(\w+)")


def read_tree(
    tree: ast.Module, text: str, at: Span | None = None, late: Late | None = None
) -> nodes.ModuleNode:
    """The nodes of a module, everything in it at the place `at` where that is given.
    `RecursionError` where it is nested too deeply."""
    return nodes.module(StatementVisitor(nodes.lines_of(text), at, late=late).statements(tree.body))


class StatementVisitor(AstExpressions):
    """Visits statements by a table from node class to method."""

    def __init__(
        self,
        lines: list[str],
        at: Span | None = None,
        ascii: list[bool] | None = None,
        inside: str = "",
        late: Late | None = None,
    ) -> None:
        super().__init__(lines, at, ascii)
        self._inside = inside
        self._late = late
        self._named: dict[str, int] = {}

    def _key(self, name: str) -> str:
        """A name for a definition that no other of the module has."""
        key = f"{self._inside}.{name}"
        number = self._named[key] = self._named.get(key, -1) + 1
        return f"{key}#{number}"

    def _head(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
        """From `def` or `class` to the end of the name."""
        line, column, *_ = self.span(node)
        if self._at is not None:
            return self._at
        match = _HEAD.match(self._lines[line - 1], column - 1)
        end = column if match is None else match.end() + 1
        return (line, column, line, end)

    def _decorator(self, node: ast.expr) -> Span:
        line, column, end_line, end = self.span(node)
        if self._at is not None:
            return self._at
        at = self._lines[line - 1].rfind("@", 0, column - 1)
        return (line, column if at < 0 else at + 1, end_line, end)

    def statements(self, nodes: Iterable[ast.stmt]) -> tuple[Statement, ...]:
        """The nodes for statements of Python's tree, without those that do not matter."""
        found: list[Statement] = []
        for node in nodes:
            visit = STATEMENTS.get(type(node).__name__)
            if visit is not None:
                found.extend(visit(self, node))
        return tuple(found)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Statement]:
        body, generator = self._body(node)
        at = self._head(node)
        yield nodes.FunctionDef(
            at=at,
            place=self._decorator(node.decorator_list[0]) if node.decorator_list else at,
            name=node.name,
            parameters=self._parameters(node.args),
            returns=self._annotation(node.returns),
            decorators=tuple(map(self.expression, node.decorator_list)),
            inside=body,
            type_parameters=_type_parameters(node),
            generator=generator,
            coroutine=isinstance(node, ast.AsyncFunctionDef),
        )

    def _body(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[nodes.Body, bool]:
        """What a function does, and whether it is a generator."""
        key = self._key(node.name)
        inside = StatementVisitor(self._lines, self._at, self._ascii, key, self._late)
        lines = None if self._late is None else _lines_of_body(node, self._lines)
        text = "" if lines is None else "\n".join(self._lines[lines.start - 1 : lines.stop - 1])
        if self._late is not None and lines is not None and "yield" not in text:
            body = self._late(key, text, lambda: inside._read_late(lines.start, text))
            if body is not None:
                return body, False
        found = inside.statements(node.body)
        return nodes.Body(lambda: found), inside._generators[-1]

    def _read_late(self, line: int, text: str) -> tuple[Statement, ...]:
        """The statements in a text that begins in that line, as if they stood in a block there.
        To keep the text takes a tenth of the memory that the tree of it does."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (block,) = ast.parse("\n" * (line - 2) + f"if 1:\n{text}").body
        assert isinstance(block, ast.If)
        return self.statements(block.body)

    def _class(self, node: ast.ClassDef) -> Iterator[Statement]:
        outside, self._inside = self._inside, self._key(node.name)
        body = self.statements(node.body)
        self._inside = outside
        yield nodes.ClassDef(
            at=self._head(node),
            name=node.name,
            bases=self._arguments(node.bases, node.keywords),
            decorators=tuple(map(self.expression, node.decorator_list)),
            body=body,
            type_parameters=_type_parameters(node),
        )

    def _assign(self, node: ast.Assign) -> Iterator[Statement]:
        targets = tuple(map(self.expression, node.targets))
        yield nodes.Assign(self.span(node), targets, self.expression(node.value))

    def _augmented_assign(self, node: ast.AugAssign) -> Iterator[Statement]:
        operator = OPERATORS[type(node.op)]
        target = self.expression(node.target)
        yield nodes.AugmentedAssign(self.span(node), target, operator, self.expression(node.value))

    def _annotated_assign(self, node: ast.AnnAssign) -> Iterator[Statement]:
        annotation = self._annotation(node.annotation)
        assert annotation is not None
        value = None if node.value is None else self.expression(node.value)
        yield nodes.AnnotatedAssign(
            self.span(node), self.expression(node.target), annotation, value
        )

    def _type_alias(self, node: Any) -> Iterator[Statement]:
        name = self.expression(node.name)
        yield nodes.Assign(self.span(node), (name,), self.expression(node.value))

    def _expression_statement(self, node: ast.Expr) -> Iterator[Statement]:
        value = self.expression(node.value)
        if not isinstance(value, nodes.Constant | nodes.Name):
            yield nodes.Evaluate(self.span(node), value)

    def _assert(self, node: ast.Assert) -> Iterator[Statement]:
        yield nodes.Assert(self.span(node), self.expression(node.test))

    def _if(self, node: ast.If) -> Iterator[Statement]:
        # An `elif` chain is walked, not recursed into: real ones have hundreds of branches.
        branches = [node]
        while (inner := _elif(branches[-1])) is not None:
            branches.append(inner)
        yield nodes.If(
            self.span(node),
            tuple(
                (self.expression(branch.test), self.statements(branch.body)) for branch in branches
            ),
            self.statements(branches[-1].orelse),
        )

    def _for(self, node: ast.For | ast.AsyncFor) -> Iterator[Statement]:
        yield nodes.For(
            self.span(node),
            self.expression(node.target),
            self.expression(node.iter),
            self.statements(node.body),
            self.statements(node.orelse),
        )

    def _while(self, node: ast.While) -> Iterator[Statement]:
        test = self.expression(node.test)
        body = self.statements(node.body)
        yield nodes.While(self.span(node), test, body, self.statements(node.orelse))

    def _try(self, node: ast.Try) -> Iterator[Statement]:
        handlers = tuple(
            nodes.Handler(
                None if handler.type is None else self.expression(handler.type),
                handler.name,
                self.statements(handler.body),
            )
            for handler in node.handlers
        )
        yield nodes.Try(
            self.span(node),
            self.statements(node.body),
            handlers,
            self.statements(node.orelse),
            self.statements(node.finalbody),
        )

    def _with(self, node: ast.With | ast.AsyncWith) -> Iterator[Statement]:
        items = tuple(
            (
                self.expression(item.context_expr),
                None if item.optional_vars is None else self.expression(item.optional_vars),
            )
            for item in node.items
        )
        yield nodes.With(self.span(node), items, self.statements(node.body))

    def _match(self, node: ast.Match) -> Iterator[Statement]:
        cases = tuple(
            nodes.Case(
                self._pattern(case.pattern),
                None if case.guard is None else self.expression(case.guard),
                self.statements(case.body),
            )
            for case in node.cases
        )
        yield nodes.Match(self.span(node), self.expression(node.subject), cases)

    def _pattern(self, node: ast.pattern) -> nodes.Pattern:
        match node:
            case ast.MatchAs(pattern=None, name=name):
                return nodes.Pattern("anything", name)
            case ast.MatchAs(pattern=inner, name=name) if inner is not None:
                return replace(self._pattern(inner), binds=name)
            case ast.MatchStar(name=name):
                return nodes.Pattern("star", name)
            case ast.MatchValue(value=value):
                return nodes.Pattern("value", values=(self.expression(value),))
            case ast.MatchSingleton():
                constant = ast.copy_location(ast.Constant(node.value), node)
                return nodes.Pattern("value", values=(self.expression(constant),))
            case ast.MatchSequence(patterns=patterns):
                return nodes.Pattern("sequence", parts=self._patterns(patterns))
            case ast.MatchOr(patterns=patterns):
                return nodes.Pattern("or", parts=self._patterns(patterns))
            case ast.MatchMapping():
                keys = tuple(map(self.expression, node.keys))
                return nodes.Pattern("mapping", node.rest, keys, self._patterns(node.patterns))
            case ast.MatchClass():
                parts = self._patterns([*node.patterns, *node.kwd_patterns])
                cls = (self.expression(node.cls),)
                return nodes.Pattern("class", None, cls, parts, tuple(node.kwd_attrs))
        raise TypeError(node)

    def _patterns(self, nodes: list[ast.pattern]) -> tuple[nodes.Pattern, ...]:
        return tuple(map(self._pattern, nodes))

    def _import(self, node: ast.Import) -> Iterator[Statement]:
        for alias in node.names:
            yield nodes.Import(self.span(node), alias.name, alias.asname)

    def _import_from(self, node: ast.ImportFrom) -> Iterator[Statement]:
        names = tuple((alias.name, alias.asname) for alias in node.names)
        yield nodes.ImportFrom(self.span(node), node.level, node.module or "", names)

    def _return(self, node: ast.Return) -> Iterator[Statement]:
        value = None if node.value is None else self.expression(node.value)
        yield nodes.Leave(self.span(node), "return", value)

    def _raise(self, node: ast.Raise) -> Iterator[Statement]:
        value = None if node.exc is None else self.expression(node.exc)
        yield nodes.Leave(self.span(node), "raise", value)

    def _break(self, node: ast.Break) -> Iterator[Statement]:
        yield nodes.Leave(self.span(node), "break")

    def _continue(self, node: ast.Continue) -> Iterator[Statement]:
        yield nodes.Leave(self.span(node), "continue")

    def _delete(self, node: ast.Delete) -> Iterator[Statement]:
        targets = [
            inner
            for target in node.targets
            for inner in (target.elts if isinstance(target, ast.Tuple) else [target])
        ]
        names = tuple(target.id for target in targets if isinstance(target, ast.Name))
        parts = tuple(
            self.expression(t) for t in targets if isinstance(t, ast.Attribute | ast.Subscript)
        )
        yield nodes.Delete(self.span(node), names, parts)

    def _global(self, node: ast.Global) -> Iterator[Statement]:
        yield nodes.Declare(self.span(node), "global", tuple(node.names))

    def _nonlocal(self, node: ast.Nonlocal) -> Iterator[Statement]:
        yield nodes.Declare(self.span(node), "nonlocal", tuple(node.names))


def _lines_of_body(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> range | None:
    """The numbers of the lines that hold the statements of a function and nothing else; `None`
    where they stand beside others, as in `def f(): return 1`."""
    first, last = node.body[0], node.body[-1]
    begin = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))])
    if not lines[begin - 1][: first.col_offset].isspace() or last.end_lineno is None:
        return None
    return range(begin, last.end_lineno + 1)


def _elif(node: ast.If) -> ast.If | None:
    inner = node.orelse[0] if len(node.orelse) == 1 else None
    if isinstance(inner, ast.If) and inner.col_offset == node.col_offset:
        return inner
    return None


def _type_parameters(node: ast.AST) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in getattr(node, "type_params", ()))


STATEMENTS: dict[str, Callable[[StatementVisitor, Any], Iterator[Statement]]] = {
    "FunctionDef": StatementVisitor._function,
    "AsyncFunctionDef": StatementVisitor._function,
    "ClassDef": StatementVisitor._class,
    "Assign": StatementVisitor._assign,
    "AugAssign": StatementVisitor._augmented_assign,
    "AnnAssign": StatementVisitor._annotated_assign,
    "TypeAlias": StatementVisitor._type_alias,
    "Expr": StatementVisitor._expression_statement,
    "Assert": StatementVisitor._assert,
    "If": StatementVisitor._if,
    "For": StatementVisitor._for,
    "AsyncFor": StatementVisitor._for,
    "While": StatementVisitor._while,
    "Try": StatementVisitor._try,
    "TryStar": StatementVisitor._try,
    "With": StatementVisitor._with,
    "AsyncWith": StatementVisitor._with,
    "Match": StatementVisitor._match,
    "Import": StatementVisitor._import,
    "ImportFrom": StatementVisitor._import_from,
    "Return": StatementVisitor._return,
    "Raise": StatementVisitor._raise,
    "Break": StatementVisitor._break,
    "Continue": StatementVisitor._continue,
    "Delete": StatementVisitor._delete,
    "Global": StatementVisitor._global,
    "Nonlocal": StatementVisitor._nonlocal,
}
"""By name, since an older Python lacks some of the classes."""
