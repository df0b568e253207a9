"""From libcst expressions to nodes. A table says which method reads which node."""

from __future__ import annotations

import ast
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange

from plum_jit_lint.limits import LONGEST_STRING
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Expression, Span


def parse_annotation(text: str, at: Span) -> Expression | None:
    """The expression in a quoted annotation, every part of it at `at`; `None` if it is none."""
    try:
        expression = cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, ValueError):
        return None
    return LibcstExpressions([], {}, at).expression(expression)


class LibcstExpressions:
    """Visits expressions by a table from node class to method.

    `lines` are those of the text; `at` is the place of every node that has no position of its own.
    """

    def __init__(
        self,
        lines: Sequence[str],
        positions: Mapping[cst.CSTNode, CodeRange],
        at: Span = (1, 1, 1, 1),
    ) -> None:
        self._lines = lines
        self._positions = positions
        self._at = at
        self._generators: list[bool] = [False]

    def span(self, node: cst.CSTNode) -> Span:
        """The place of a node, in characters that count from 1."""
        where = self._positions.get(node)
        if where is None:
            return self._at
        start, end = where.start, where.end
        return (start.line, start.column + 1, end.line, end.column + 1)

    def _span_with_parentheses(self, node: cst.BaseExpression) -> Span:
        """The place of what the innermost parentheses around it are a part of."""
        if not node.lpar:
            return self.span(node)
        return (*self.span(node.lpar[-1])[:2], *self.span(node.rpar[0])[2:])

    def expression(self, node: cst.CSTNode) -> Expression:
        """The node for an expression of libcst, an empty one for a kind without a reader."""
        visit = EXPRESSIONS.get(type(node))
        if visit is None:
            return nodes.Parts(self.span(node), "other", ())
        return visit(self, node)

    def _expressions(self, parts: Iterable[cst.CSTNode]) -> tuple[Expression, ...]:
        return tuple(self.expression(node) for node in parts)

    def _name(self, node: cst.Name) -> Expression:
        span = self.span(node)
        if node.value in ("True", "False"):
            return nodes.Constant(span, "bool", node.value == "True")
        if node.value == "None":
            return nodes.Constant(span, "None")
        return nodes.Name(span, identifier(node))

    def _attribute(self, node: cst.Attribute) -> Expression:
        return nodes.Attribute(self.span(node), self.expression(node.value), identifier(node.attr))

    def _call(self, node: cst.Call) -> Expression:
        function, arguments = self.expression(node.func), self._arguments(node.args)
        span = self.span(node)
        only = node.args[0].value if len(node.args) == 1 else None
        if isinstance(only, cst.GeneratorExp) and not only.lpar:
            # The parentheses are its own, as it is the only argument.
            line, column, *_ = self.span(node.whitespace_before_args)
            (argument,) = arguments
            value = replace(argument.value, at=(line, column - 1, *span[2:]))
            arguments = (replace(argument, value=value),)
        return nodes.Call(span, function, arguments)

    def _arguments(self, given: Iterable[cst.Arg]) -> tuple[nodes.Argument, ...]:
        return tuple(
            nodes.Argument(
                self.expression(node.value),
                None if node.keyword is None else identifier(node.keyword),
                node.star,
            )
            for node in given
        )

    def _integer(self, node: cst.Integer) -> Expression:
        return nodes.Constant(self.span(node), "int", _literal(node.value))

    def _float(self, node: cst.Float) -> Expression:
        return nodes.Constant(self.span(node), "float", _literal(node.value))

    def _imaginary(self, node: cst.Imaginary) -> Expression:
        return nodes.Constant(self.span(node), "complex")

    def _ellipsis(self, node: cst.Ellipsis) -> Expression:
        return nodes.Constant(self.span(node), "ellipsis")

    def _string(self, node: cst.SimpleString) -> Expression:
        if "b" in node.prefix.lower():
            return nodes.Constant(self.span(node), "bytes")
        return nodes.string(self.span(node), _text(node))

    def _concatenated(self, node: cst.ConcatenatedString) -> Expression:
        # The right side nests as deep as there are parts: walked, not recursed into.
        pieces: list[Any] = []
        rest: cst.CSTNode = node
        while isinstance(rest, cst.ConcatenatedString):
            pieces.append(rest.left)
            rest = rest.right
        pieces.append(rest)
        if all(isinstance(piece, cst.SimpleString) for piece in pieces):
            if "b" in pieces[0].prefix.lower():
                return nodes.Constant(self.span(node), "bytes")
            texts = [_text(piece) for piece in pieces]
            whole = None if None in texts else "".join(text for text in texts if text)
            return nodes.string(self.span(node), whole)
        return self._formatted_pieces(node, pieces)

    def _formatted(self, node: cst.FormattedString) -> Expression:
        return self._formatted_pieces(node, [node])

    def _formatted_pieces(
        self, node: cst.CSTNode, pieces: Iterable[cst.SimpleString | cst.FormattedString]
    ) -> Expression:
        """An f-string, what stands between two expressions being one text."""
        span = self.span(node)
        parts: list[Expression] = []
        after_text = False
        for piece in pieces:
            inner = piece.parts if isinstance(piece, cst.FormattedString) else [piece]
            for part in inner:
                text = (
                    _text(part) if isinstance(part, cst.SimpleString) else _unescaped(part, piece)
                )
                last = parts[-1] if after_text else None
                if isinstance(last, nodes.Constant):
                    parts[-1] = nodes.Constant(span, "str", f"{last.value or ''}{text or ''}")
                elif text:
                    parts.append(nodes.Constant(span, "str", text))
                    after_text = True
                if isinstance(part, cst.FormattedStringExpression):
                    value = self.expression(part.expression)
                    plain = not (part.conversion or part.equal) and part.format_spec is None
                    parts.append(value if plain else nodes.Parts(span, "other", (value,)))
                    after_text = False
        return nodes.Parts(span, "fstring", tuple(parts))

    def _lambda(self, node: cst.Lambda) -> Expression:
        body = self.expression(node.body)
        return nodes.Lambda(self.span(node), self._parameters(node.params), body)

    def _starred(self, node: cst.StarredElement) -> Expression:
        value = self.expression(node.value)
        return nodes.Starred(value.at, value)

    def _tuple(self, node: cst.Tuple) -> Expression:
        return replace(self._display(node), at=self._span_with_parentheses(node))

    def _display(self, node: cst.Tuple | cst.List | cst.Set) -> nodes.Display:
        kind: Any = type(node).__name__.lower()
        items = tuple(
            self._starred(element)
            if isinstance(element, cst.StarredElement)
            else self.expression(element.value)
            for element in node.elements
        )
        return nodes.Display(self.span(node), kind, items)

    def _dict(self, node: cst.Dict) -> Expression:
        items = tuple(
            (
                self.expression(element.key) if isinstance(element, cst.DictElement) else None,
                self.expression(element.value),
            )
            for element in node.elements
        )
        return nodes.DictDisplay(self.span(node), items)

    def _binary(self, node: cst.BinaryOperation | cst.BooleanOperation) -> Expression:
        # Sums lean to the left: walked, not recursed into, since real ones have 500 terms.
        kind: Any = "binary" if isinstance(node, cst.BinaryOperation) else "boolean"
        operators: list[str] = []
        operands: list[Expression] = []
        at = self.span(node)
        left: cst.BaseExpression = node
        while type(left) is type(node) and isinstance(
            left, cst.BinaryOperation | cst.BooleanOperation
        ):
            operators.append(OPERATORS.get(type(left.operator), "?"))
            operands.append(self.expression(left.right))
            left = left.left
        operands.append(self.expression(left))
        return nodes.Operation(at, kind, tuple(reversed(operators)), tuple(reversed(operands)))

    def _unary(self, node: cst.UnaryOperation) -> Expression:
        operator = OPERATORS.get(type(node.operator), "?")
        return nodes.unary(self.span(node), operator, self.expression(node.expression))

    def _comparison(self, node: cst.Comparison) -> Expression:
        operators = tuple(OPERATORS.get(type(c.operator), "?") for c in node.comparisons)
        operands = (node.left, *(c.comparator for c in node.comparisons))
        return nodes.Operation(self.span(node), "compare", operators, self._expressions(operands))

    def _subscript(self, node: cst.Subscript) -> Expression:
        index: list[Expression] = []
        for element in node.slice:
            piece = element.slice
            if isinstance(piece, cst.Index):
                value = self.expression(piece.value)
                if len(node.slice) == 1 and isinstance(value, nodes.Display) and value.items:
                    # `x[(a, b)]` is `x[a, b]`.
                    index.extend(value.items if value.kind == "tuple" else [value])
                else:
                    index.append(nodes.Starred(value.at, value) if piece.star else value)
            elif isinstance(piece, cst.Slice):
                bounds = [b for b in (piece.lower, piece.upper, piece.step) if b is not None]
                index.append(nodes.Parts(self.span(node), "slice", self._expressions(bounds)))
        return nodes.Subscript(self.span(node), self.expression(node.value), tuple(index))

    def _conditional(self, node: cst.IfExp) -> Expression:
        return nodes.Conditional(
            self.span(node),
            self.expression(node.test),
            self.expression(node.body),
            self.expression(node.orelse),
        )

    def _generator(self, node: cst.GeneratorExp) -> Expression:
        return replace(self._comprehension(node), at=self._span_with_parentheses(node))

    def _comprehension(self, node: cst.BaseComp) -> nodes.Comprehension:
        elements: Sequence[cst.CSTNode]
        elements = [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]  # type: ignore[attr-defined]
        kind = {cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict"}
        clauses: list[nodes.Clause] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            clauses.append(
                nodes.Clause(
                    self.expression(clause.target),
                    self.expression(clause.iter),
                    self._expressions(condition.test for condition in clause.ifs),
                )
            )
            clause = clause.inner_for_in
        return nodes.Comprehension(
            self.span(node),
            kind.get(type(node), "generator"),  # type: ignore[arg-type]
            self._expressions(elements),
            tuple(clauses),
        )

    def _walrus(self, node: cst.NamedExpr) -> Expression:
        return nodes.NamedExpression(
            self.span(node), self.expression(node.target), self.expression(node.value)
        )

    def _await(self, node: cst.Await) -> Expression:
        return nodes.Parts(self.span(node), "await", (self.expression(node.expression),))

    def _yield(self, node: cst.Yield) -> Expression:
        self._generators[-1] = True
        value = node.value.item if isinstance(node.value, cst.From) else node.value
        return nodes.Parts(
            self.span(node), "yield", () if value is None else (self.expression(value),)
        )

    def _parameters(self, node: cst.Parameters) -> tuple[nodes.Parameter, ...]:
        found: list[nodes.Parameter] = []

        def add(parameter: cst.Param, kind: Any) -> None:
            default = None if parameter.default is None else self.expression(parameter.default)
            annotation = self._annotation(parameter.annotation)
            found.append(nodes.Parameter(identifier(parameter.name), kind, annotation, default))

        for parameter in (*node.posonly_params, *node.params):
            add(parameter, "positional")
        if isinstance(node.star_arg, cst.Param):
            add(node.star_arg, "*")
        for parameter in node.kwonly_params:
            add(parameter, "keyword-only")
        if node.star_kwarg is not None:
            add(node.star_kwarg, "**")
        return tuple(found)

    def _text(self, span: Span) -> str:
        line, column, end_line, end = span
        lines = list(self._lines[line - 1 : end_line])
        lines[-1] = lines[-1][: end - 1]
        lines[0] = lines[0][column - 1 :]
        return "\n".join(lines)

    def _annotation(self, node: cst.Annotation | None) -> nodes.Annotation | None:
        if node is None:
            return None
        value = self.expression(node.annotation)
        at = value.at if isinstance(value, nodes.Display) else self.span(node.annotation)
        text = " ".join(self._text(at).split()) if self._positions else ""
        if isinstance(value, nodes.Constant) and value.kind == "str":
            quoted = parse_annotation(str(value.value or ""), value.at)
            return nodes.Annotation(value if quoted is None else quoted, True, text)
        return nodes.Annotation(value, False, text)


def identifier(node: cst.Name) -> str:
    """The name that Python reads: identifiers are the same whose NFKC forms are."""
    name = node.value
    return name if name.isascii() else unicodedata.normalize("NFKC", name)


def _text(node: cst.SimpleString) -> str | None:
    # A docstring is not worth the reading.
    if len(node.value) > 4 * LONGEST_STRING:
        return None
    text = _literal(node.value)
    return text if isinstance(text, str) else None


def _unescaped(part: cst.CSTNode, whole: cst.CSTNode) -> str | None:
    """The text between the expressions of an f-string, and the one that `{x=}` shows."""
    if isinstance(part, cst.FormattedStringExpression) and part.equal is not None:
        shown = cst.FormattedStringExpression(
            part.expression,
            whitespace_before_expression=part.whitespace_before_expression,
            whitespace_after_expression=part.whitespace_after_expression,
            equal=part.equal,
        )
        return cst.Module([]).code_for_node(shown)[1:-1]
    if not isinstance(part, cst.FormattedStringText) or not isinstance(whole, cst.FormattedString):
        return None
    text = part.value.replace("{{", "{").replace("}}", "}")
    if "\\" not in text or "r" in whole.prefix.lower():
        return text
    # Quotes are escaped as the string's own make it necessary.
    quotes = whole.end
    value = _literal(quotes + text + quotes)
    return value if isinstance(value, str) else None


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return None


OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "+",
    cst.AddAssign: "+",
    cst.Subtract: "-",
    cst.SubtractAssign: "-",
    cst.Multiply: "*",
    cst.MultiplyAssign: "*",
    cst.Divide: "/",
    cst.DivideAssign: "/",
    cst.FloorDivide: "//",
    cst.FloorDivideAssign: "//",
    cst.Modulo: "%",
    cst.ModuloAssign: "%",
    cst.Power: "**",
    cst.PowerAssign: "**",
    cst.MatrixMultiply: "@",
    cst.MatrixMultiplyAssign: "@",
    cst.BitAnd: "&",
    cst.BitAndAssign: "&",
    cst.BitOr: "|",
    cst.BitOrAssign: "|",
    cst.BitXor: "^",
    cst.BitXorAssign: "^",
    cst.LeftShift: "<<",
    cst.LeftShiftAssign: "<<",
    cst.RightShift: ">>",
    cst.RightShiftAssign: ">>",
    cst.And: "and",
    cst.Or: "or",
    cst.Not: "not",
    cst.Minus: "-",
    cst.Plus: "+",
    cst.BitInvert: "~",
    cst.Equal: "==",
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Is: "is",
    cst.IsNot: "is not",
}

EXPRESSIONS: dict[type[cst.CSTNode], Callable[[LibcstExpressions, Any], Expression]] = {
    cst.Name: LibcstExpressions._name,
    cst.Attribute: LibcstExpressions._attribute,
    cst.Call: LibcstExpressions._call,
    cst.Integer: LibcstExpressions._integer,
    cst.Float: LibcstExpressions._float,
    cst.Imaginary: LibcstExpressions._imaginary,
    cst.Ellipsis: LibcstExpressions._ellipsis,
    cst.SimpleString: LibcstExpressions._string,
    cst.ConcatenatedString: LibcstExpressions._concatenated,
    cst.FormattedString: LibcstExpressions._formatted,
    cst.Lambda: LibcstExpressions._lambda,
    cst.Tuple: LibcstExpressions._tuple,
    cst.List: LibcstExpressions._display,
    cst.Set: LibcstExpressions._display,
    cst.Dict: LibcstExpressions._dict,
    cst.BinaryOperation: LibcstExpressions._binary,
    cst.BooleanOperation: LibcstExpressions._binary,
    cst.UnaryOperation: LibcstExpressions._unary,
    cst.Comparison: LibcstExpressions._comparison,
    cst.Subscript: LibcstExpressions._subscript,
    cst.IfExp: LibcstExpressions._conditional,
    cst.ListComp: LibcstExpressions._comprehension,
    cst.SetComp: LibcstExpressions._comprehension,
    cst.DictComp: LibcstExpressions._comprehension,
    cst.GeneratorExp: LibcstExpressions._generator,
    cst.NamedExpr: LibcstExpressions._walrus,
    cst.StarredElement: LibcstExpressions._starred,
    cst.Await: LibcstExpressions._await,
    cst.Yield: LibcstExpressions._yield,
}
