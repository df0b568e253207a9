"""From expressions of Python's own tree to nodes. A table says which method reads which node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Expression, Span


def parse_annotation(text: str, at: Span) -> Expression | None:
    """The expression in a quoted annotation, every part of it at `at`; `None` if it is none."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError):
        return None
    return AstExpressions([], at).expression(tree.body)


class AstExpressions:
    """Visits nodes by a table from node class to method. With `at`, every node stands there."""

    def __init__(
        self, lines: list[str], at: Span | None = None, ascii: list[bool] | None = None
    ) -> None:
        self._lines = lines
        self._at = at
        self._ascii = ascii or [line.isascii() for line in lines]
        self._generators: list[bool] = [False]

    def span(self, node: Any) -> Span:
        """The place of a node, in characters that count from 1."""
        if self._at is not None:
            return self._at
        line, end = node.lineno, node.end_lineno
        return (
            line,
            self._column(line, node.col_offset),
            end,
            self._column(end, node.end_col_offset),
        )

    def _column(self, line: int, offset: int) -> int:
        # Python counts bytes of UTF-8 in a line.
        if self._ascii[line - 1]:
            return offset + 1
        return len(self._lines[line - 1].encode()[:offset].decode(errors="replace")) + 1

    def _text(self, span: Span) -> str:
        line, column, end_line, end = span
        lines = self._lines[line - 1 : end_line]
        lines[-1] = lines[-1][: end - 1]
        lines[0] = lines[0][column - 1 :]
        return "\n".join(lines)

    def expression(self, node: ast.expr) -> Expression:
        """The node for an expression of Python's tree, an empty one for a kind without a reader."""
        visit = EXPRESSIONS.get(type(node))
        if visit is None:
            return nodes.Parts(self.span(node), "other", ())
        return visit(self, node)

    def _expressions(self, nodes: Iterable[ast.expr]) -> tuple[Expression, ...]:
        return tuple(map(self.expression, nodes))

    def _name(self, node: ast.Name) -> Expression:
        return nodes.Name(self.span(node), node.id)

    def _attribute(self, node: ast.Attribute) -> Expression:
        return nodes.Attribute(self.span(node), self.expression(node.value), node.attr)

    def _call(self, node: ast.Call) -> Expression:
        function = self.expression(node.func)
        return nodes.Call(self.span(node), function, self._arguments(node.args, node.keywords))

    def _arguments(
        self, positional: list[ast.expr], keywords: list[ast.keyword]
    ) -> tuple[nodes.Argument, ...]:
        found: list[tuple[int, int, nodes.Argument]] = []
        for node in positional:
            star = isinstance(node, ast.Starred)
            value = self.expression(node.value if isinstance(node, ast.Starred) else node)
            argument = nodes.Argument(value, None, "*" if star else "")
            found.append((node.lineno, node.col_offset, argument))
        for keyword in keywords:
            value = self.expression(keyword.value)
            argument = nodes.Argument(value, keyword.arg, "" if keyword.arg else "**")
            found.append((keyword.lineno, keyword.col_offset, argument))
        # `f(a, key=b, *c)`: as written.
        return tuple(argument for _, _, argument in sorted(found, key=lambda one: one[:2]))

    def _constant(self, node: ast.Constant) -> Expression:
        span, value = self.span(node), node.value
        match value:
            case None:
                return nodes.Constant(span, "None")
            case bool() | int() | float():
                kind: Any = type(value).__name__
                return nodes.Constant(span, kind, value)
            case str():
                return nodes.string(span, value)
            case bytes():
                return nodes.Constant(span, "bytes")
            case complex():
                return nodes.Constant(span, "complex")
        return nodes.Constant(span, "ellipsis")

    def _formatted(self, node: ast.JoinedStr) -> Expression:
        span = self.span(node)
        parts: list[Expression] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.expression(part.value)
                plain = part.conversion == -1 and part.format_spec is None
                # How `{x!r}` and `{x:3}` look is not followed.
                parts.append(value if plain else nodes.Parts(span, "other", (value,)))
            else:
                parts.append(nodes.Constant(span, "str", getattr(part, "value", None)))
        return nodes.Parts(span, "fstring", tuple(parts))

    def _lambda(self, node: ast.Lambda) -> Expression:
        body = self.expression(node.body)
        return nodes.Lambda(self.span(node), self._parameters(node.args), body)

    def _display(self, node: ast.Tuple | ast.List | ast.Set) -> Expression:
        kind: Any = type(node).__name__.lower()
        return nodes.Display(self.span(node), kind, self._expressions(node.elts))

    def _starred(self, node: ast.Starred) -> Expression:
        value = self.expression(node.value)
        return nodes.Starred(value.at, value)

    def _dict(self, node: ast.Dict) -> Expression:
        items = tuple(
            (None if key is None else self.expression(key), self.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
        )
        return nodes.DictDisplay(self.span(node), items)

    def _binary(self, node: ast.BinOp) -> Expression:
        # Sums lean to the left: walked, not recursed into, since real ones have 500 terms.
        operators: list[str] = []
        operands: list[Expression] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp):
            operators.append(OPERATORS[type(left.op)])
            operands.append(self.expression(left.right))
            left = left.left
        operands.append(self.expression(left))
        return nodes.Operation(
            self.span(node), "binary", tuple(reversed(operators)), tuple(reversed(operands))
        )

    def _boolean(self, node: ast.BoolOp) -> Expression:
        operators: list[str] = []
        operands: list[Expression] = []
        left: ast.expr = node
        while isinstance(left, ast.BoolOp):
            operators.extend([OPERATORS[type(left.op)]] * (len(left.values) - 1))
            operands.extend(map(self.expression, reversed(left.values[1:])))
            left = left.values[0]
        operands.append(self.expression(left))
        return nodes.Operation(
            self.span(node), "boolean", tuple(reversed(operators)), tuple(reversed(operands))
        )

    def _unary(self, node: ast.UnaryOp) -> Expression:
        operator = OPERATORS[type(node.op)]
        return nodes.unary(self.span(node), operator, self.expression(node.operand))

    def _comparison(self, node: ast.Compare) -> Expression:
        operators = tuple(OPERATORS[type(operator)] for operator in node.ops)
        operands = self._expressions((node.left, *node.comparators))
        return nodes.Operation(self.span(node), "compare", operators, operands)

    def _subscript(self, node: ast.Subscript) -> Expression:
        pieces = [node.slice]
        if isinstance(node.slice, ast.Tuple) and node.slice.elts:
            pieces = node.slice.elts
        index: list[Expression] = []
        for piece in pieces:
            if isinstance(piece, ast.Slice):
                bounds = [b for b in (piece.lower, piece.upper, piece.step) if b is not None]
                index.append(nodes.Parts(self.span(node), "slice", self._expressions(bounds)))
            else:
                index.append(self.expression(piece))
        return nodes.Subscript(self.span(node), self.expression(node.value), tuple(index))

    def _conditional(self, node: ast.IfExp) -> Expression:
        return nodes.Conditional(
            self.span(node),
            self.expression(node.test),
            self.expression(node.body),
            self.expression(node.orelse),
        )

    def _comprehension(self, node: Any) -> Expression:
        elements = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        kind: Any = COMPREHENSIONS[type(node)]
        clauses = tuple(
            nodes.Clause(
                self.expression(clause.target),
                self.expression(clause.iter),
                self._expressions(clause.ifs),
            )
            for clause in node.generators
        )
        return nodes.Comprehension(self.span(node), kind, self._expressions(elements), clauses)

    def _walrus(self, node: ast.NamedExpr) -> Expression:
        target = self.expression(node.target)
        return nodes.NamedExpression(self.span(node), target, self.expression(node.value))

    def _await(self, node: ast.Await) -> Expression:
        return nodes.Parts(self.span(node), "await", (self.expression(node.value),))

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> Expression:
        self._generators[-1] = True
        parts = () if node.value is None else (self.expression(node.value),)
        return nodes.Parts(self.span(node), "yield", parts)

    def _parameters(self, node: ast.arguments) -> tuple[nodes.Parameter, ...]:
        found: list[nodes.Parameter] = []

        def add(argument: ast.arg, kind: Any, default: ast.expr | None) -> None:
            value = None if default is None else self.expression(default)
            annotation = self._annotation(argument.annotation)
            found.append(nodes.Parameter(argument.arg, kind, annotation, value))

        positional = [*node.posonlyargs, *node.args]
        required = len(positional) - len(node.defaults)
        for number, argument in enumerate(positional):
            default = node.defaults[number - required] if number >= required else None
            add(argument, "positional", default)
        if node.vararg is not None:
            add(node.vararg, "*", None)
        for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            add(argument, "keyword-only", default)
        if node.kwarg is not None:
            add(node.kwarg, "**", None)
        return tuple(found)

    def _annotation(self, node: ast.expr | None) -> nodes.Annotation | None:
        if node is None:
            return None
        value = self.expression(node)
        text = "" if self._at is not None else " ".join(self._text(self.span(node)).split())
        if isinstance(value, nodes.Constant) and value.kind == "str":
            quoted = parse_annotation(str(value.value or ""), value.at)
            return nodes.Annotation(value if quoted is None else quoted, True, text)
        return nodes.Annotation(value, False, text)


OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}

COMPREHENSIONS: dict[type[ast.AST], str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}

EXPRESSIONS: dict[type[ast.AST], Callable[[AstExpressions, Any], Expression]] = {
    ast.Name: AstExpressions._name,
    ast.Attribute: AstExpressions._attribute,
    ast.Call: AstExpressions._call,
    ast.Constant: AstExpressions._constant,
    ast.JoinedStr: AstExpressions._formatted,
    ast.Lambda: AstExpressions._lambda,
    ast.Tuple: AstExpressions._display,
    ast.List: AstExpressions._display,
    ast.Set: AstExpressions._display,
    ast.Starred: AstExpressions._starred,
    ast.Dict: AstExpressions._dict,
    ast.BinOp: AstExpressions._binary,
    ast.BoolOp: AstExpressions._boolean,
    ast.UnaryOp: AstExpressions._unary,
    ast.Compare: AstExpressions._comparison,
    ast.Subscript: AstExpressions._subscript,
    ast.IfExp: AstExpressions._conditional,
    ast.ListComp: AstExpressions._comprehension,
    ast.SetComp: AstExpressions._comprehension,
    ast.DictComp: AstExpressions._comprehension,
    ast.GeneratorExp: AstExpressions._comprehension,
    ast.NamedExpr: AstExpressions._walrus,
    ast.Await: AstExpressions._await,
    ast.Yield: AstExpressions._yield,
    ast.YieldFrom: AstExpressions._yield,
}
