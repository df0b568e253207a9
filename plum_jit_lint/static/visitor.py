"""From a libcst tree to the facts of a module.

Only the nodes that can matter are touched: whitespace, comments and the inside of literals are
left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from plum_jit_lint.static import facts
from plum_jit_lint.static.facts import Expression, Span, Statement

LONGEST_STRING = 200
"""Strings beyond this length are no names, annotations or module paths: their text is dropped."""


def read_module(module: cst.Module) -> facts.ModuleFacts:
    """The facts of a parsed module. `RecursionError` where it is nested too deeply."""
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    visitor = FactsVisitor(module, positions)
    body = visitor.statements(module.body)
    return facts.ModuleFacts(body, _has_future_annotations(body))


def _has_future_annotations(body: Iterable[Statement]) -> bool:
    return any(
        isinstance(statement, facts.ImportFrom)
        and statement.module == "__future__"
        and any(name == "annotations" for name, _ in statement.names)
        for statement in body
    )


def parse_annotation(text: str, at: Span) -> Expression | None:
    """The expression in a quoted annotation, every part of it at `at`; `None` if it is none."""
    try:
        expression = cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, ValueError):
        return None
    return FactsVisitor(cst.Module([]), {}, at).expression(expression)


class FactsVisitor:
    """Visits statements and expressions by a table from node class to method.

    `at` is the place that every node gets which has no position of its own.
    """

    def __init__(
        self,
        module: cst.Module,
        positions: Mapping[cst.CSTNode, CodeRange],
        at: Span = (1, 1, 1, 1),
    ) -> None:
        self._module = module
        self._positions = positions
        self._at = at
        self._generators: list[bool] = [False]

    def span(self, node: cst.CSTNode) -> Span:
        where = self._positions.get(node)
        if where is None:
            return self._at
        start, end = where.start, where.end
        return (start.line, start.column + 1, end.line, end.column + 1)

    # -- statements --------------------------------------------------------------------------

    def statements(self, nodes: Iterable[cst.CSTNode]) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for node in nodes:
            if isinstance(node, cst.SimpleStatementLine | cst.SimpleStatementSuite):
                found.extend(self.statements(node.body))
            else:
                visit = STATEMENTS.get(type(node))
                if visit is not None:
                    found.extend(visit(self, node))
        return tuple(found)

    def block(self, node: cst.BaseSuite | None) -> tuple[Statement, ...]:
        return () if node is None else self.statements(node.body)

    def _function(self, node: cst.FunctionDef) -> Iterable[Statement]:
        self._generators.append(False)
        body = self.block(node.body)
        generator = self._generators.pop()
        start = self.span(node)
        name_end = self.span(node.name)[2:]
        spans = tuple(self.span(decorator) for decorator in node.decorators)
        at = (start[0], start[1], *name_end)
        yield facts.FunctionDef(
            at=at,
            place=spans[0] if spans else at,
            name=node.name.value,
            parameters=self._parameters(node.params),
            returns=self._annotation(node.returns),
            decorators=tuple(self.expression(d.decorator) for d in node.decorators),
            decorator_spans=spans,
            body=body,
            type_parameters=self._type_parameters(node.type_parameters),
            generator=generator,
        )

    def _class(self, node: cst.ClassDef) -> Iterable[Statement]:
        start = self.span(node)
        yield facts.ClassDef(
            at=(start[0], start[1], *self.span(node.name)[2:]),
            name=node.name.value,
            bases=self._arguments([*node.bases, *node.keywords]),
            decorators=tuple(self.expression(d.decorator) for d in node.decorators),
            body=self.block(node.body),
            type_parameters=self._type_parameters(node.type_parameters),
        )

    @staticmethod
    def _type_parameters(node: cst.TypeParameters | None) -> tuple[str, ...]:
        return () if node is None else tuple(p.param.name.value for p in node.params)

    def _parameters(self, node: cst.Parameters) -> tuple[facts.Parameter, ...]:
        found: list[facts.Parameter] = []

        def add(parameter: cst.Param, kind: Any) -> None:
            default = None if parameter.default is None else self.expression(parameter.default)
            annotation = self._annotation(parameter.annotation)
            found.append(facts.Parameter(parameter.name.value, kind, annotation, default))

        for parameter in (*node.posonly_params, *node.params):
            add(parameter, "positional")
        if isinstance(node.star_arg, cst.Param):
            add(node.star_arg, "*")
        for parameter in node.kwonly_params:
            add(parameter, "keyword-only")
        if node.star_kwarg is not None:
            add(node.star_kwarg, "**")
        return tuple(found)

    def _annotation(self, node: cst.Annotation | None) -> facts.Annotation | None:
        if node is None:
            return None
        value = self.expression(node.annotation)
        text = " ".join(self._module.code_for_node(node.annotation).split())
        if isinstance(value, facts.Constant) and value.kind == "str":
            quoted = parse_annotation(str(value.value or ""), value.at)
            return facts.Annotation(value if quoted is None else quoted, True, text)
        return facts.Annotation(value, False, text)

    def _assign(self, node: cst.Assign) -> Iterable[Statement]:
        targets = tuple(self.expression(target.target) for target in node.targets)
        yield facts.Assign(self.span(node), targets, self.expression(node.value))

    def _augmented_assign(self, node: cst.AugAssign) -> Iterable[Statement]:
        operator = OPERATORS.get(type(node.operator), "?")
        yield facts.AugmentedAssign(
            self.span(node), self.expression(node.target), operator, self.expression(node.value)
        )

    def _annotated_assign(self, node: cst.AnnAssign) -> Iterable[Statement]:
        annotation = self._annotation(node.annotation)
        assert annotation is not None
        value = None if node.value is None else self.expression(node.value)
        yield facts.AnnotatedAssign(
            self.span(node), self.expression(node.target), annotation, value
        )

    def _type_alias(self, node: cst.TypeAlias) -> Iterable[Statement]:
        yield facts.Assign(
            self.span(node), (self.expression(node.name),), self.expression(node.value)
        )

    def _expression_statement(self, node: cst.Expr) -> Iterable[Statement]:
        value = self.expression(node.value)
        if not isinstance(value, facts.Constant | facts.Name):
            yield facts.Evaluate(self.span(node), value)

    def _assert(self, node: cst.Assert) -> Iterable[Statement]:
        yield facts.Evaluate(self.span(node), self.expression(node.test))

    def _if(self, node: cst.If) -> Iterable[Statement]:
        # An `elif` chain is walked, not recursed into: real ones have hundreds of arms.
        arms: list[cst.If] = [node]
        while isinstance(arms[-1].orelse, cst.If):
            arms.append(arms[-1].orelse)
        last = arms[-1].orelse
        yield facts.If(
            self.span(node),
            tuple((self.expression(arm.test), self.block(arm.body)) for arm in arms),
            self.block(last.body) if isinstance(last, cst.Else) else (),
        )

    def _for(self, node: cst.For) -> Iterable[Statement]:
        yield facts.For(
            self.span(node),
            self.expression(node.target),
            self.expression(node.iter),
            self.block(node.body),
            self.block(node.orelse.body if node.orelse else None),
        )

    def _while(self, node: cst.While) -> Iterable[Statement]:
        yield facts.While(
            self.span(node),
            self.expression(node.test),
            self.block(node.body),
            self.block(node.orelse.body if node.orelse else None),
        )

    def _try(self, node: cst.Try | cst.TryStar) -> Iterable[Statement]:
        handlers = tuple(
            facts.Handler(
                None if handler.type is None else self.expression(handler.type),
                _name_of(handler.name),
                self.block(handler.body),
            )
            for handler in node.handlers
        )
        yield facts.Try(
            self.span(node),
            self.block(node.body),
            handlers,
            self.block(node.orelse.body if node.orelse else None),
            self.block(node.finalbody.body if node.finalbody else None),
        )

    def _with(self, node: cst.With) -> Iterable[Statement]:
        items = tuple(
            (
                self.expression(item.item),
                None if item.asname is None else self.expression(item.asname.name),
            )
            for item in node.items
        )
        yield facts.With(self.span(node), items, self.block(node.body))

    def _match(self, node: cst.Match) -> Iterable[Statement]:
        cases = tuple(
            facts.Case(
                tuple(_captures(case.pattern)),
                isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None,
                None if case.guard is None else self.expression(case.guard),
                self.block(case.body),
            )
            for case in node.cases
        )
        yield facts.Match(self.span(node), self.expression(node.subject), cases)

    def _import(self, node: cst.Import) -> Iterable[Statement]:
        for alias in node.names:
            name = _name_of(alias.asname)
            yield facts.Import(self.span(node), _dotted(alias.name), name)

    def _import_from(self, node: cst.ImportFrom) -> Iterable[Statement]:
        module = "" if node.module is None else _dotted(node.module)
        names: tuple[tuple[str, str | None], ...]
        if isinstance(node.names, cst.ImportStar):
            names = (("*", None),)
        else:
            names = tuple((_dotted(a.name), _name_of(a.asname)) for a in node.names)
        yield facts.ImportFrom(self.span(node), len(node.relative), module, names)

    def _return(self, node: cst.Return) -> Iterable[Statement]:
        value = None if node.value is None else self.expression(node.value)
        yield facts.Leave(self.span(node), "return", value)

    def _raise(self, node: cst.Raise) -> Iterable[Statement]:
        value = None if node.exc is None else self.expression(node.exc)
        yield facts.Leave(self.span(node), "raise", value)

    def _break(self, node: cst.Break) -> Iterable[Statement]:
        yield facts.Leave(self.span(node), "break")

    def _continue(self, node: cst.Continue) -> Iterable[Statement]:
        yield facts.Leave(self.span(node), "continue")

    def _delete(self, node: cst.Del) -> Iterable[Statement]:
        target = node.target
        elements = target.elements if isinstance(target, cst.Tuple) else None
        targets = [target] if elements is None else [element.value for element in elements]
        names = tuple(t.value for t in targets if isinstance(t, cst.Name))
        yield facts.Delete(self.span(node), names)

    def _global(self, node: cst.Global) -> Iterable[Statement]:
        yield facts.Declare(self.span(node), "global", tuple(n.name.value for n in node.names))

    def _nonlocal(self, node: cst.Nonlocal) -> Iterable[Statement]:
        yield facts.Declare(self.span(node), "nonlocal", tuple(n.name.value for n in node.names))

    # -- expressions -------------------------------------------------------------------------

    def expression(self, node: cst.CSTNode) -> Expression:
        visit = EXPRESSIONS.get(type(node))
        if visit is None:
            return facts.Parts(self.span(node), "other", ())
        return visit(self, node)

    def _expressions(self, nodes: Iterable[cst.CSTNode]) -> tuple[Expression, ...]:
        return tuple(self.expression(node) for node in nodes)

    def _name(self, node: cst.Name) -> Expression:
        span = self.span(node)
        if node.value in ("True", "False"):
            return facts.Constant(span, "bool", node.value == "True")
        if node.value == "None":
            return facts.Constant(span, "None")
        return facts.Name(span, node.value)

    def _attribute(self, node: cst.Attribute) -> Expression:
        return facts.Attribute(self.span(node), self.expression(node.value), node.attr.value)

    def _call(self, node: cst.Call) -> Expression:
        function = self.expression(node.func)
        return facts.Call(self.span(node), function, self._arguments(node.args))

    def _arguments(self, nodes: Iterable[cst.Arg]) -> tuple[facts.Argument, ...]:
        return tuple(
            facts.Argument(
                self.expression(node.value),
                None if node.keyword is None else node.keyword.value,
                node.star,
            )
            for node in nodes
        )

    def _integer(self, node: cst.Integer) -> Expression:
        return facts.Constant(self.span(node), "int", _literal(node.value))

    def _float(self, node: cst.Float) -> Expression:
        return facts.Constant(self.span(node), "float", _literal(node.value))

    def _imaginary(self, node: cst.Imaginary) -> Expression:
        return facts.Constant(self.span(node), "complex")

    def _ellipsis(self, node: cst.Ellipsis) -> Expression:
        return facts.Constant(self.span(node), "ellipsis")

    def _string(self, node: cst.SimpleString) -> Expression:
        kind: Any = "bytes" if "b" in node.prefix.lower() else "str"
        text = None
        if kind == "str" and len(node.value) <= LONGEST_STRING:
            text = _literal(node.value)
        return facts.Constant(self.span(node), kind, text)

    def _concatenated(self, node: cst.ConcatenatedString) -> Expression:
        # The right side nests as deep as there are parts; only the kind matters.
        left = self.expression(node.left)
        if isinstance(left, facts.Constant):
            return facts.Constant(self.span(node), left.kind)
        return left

    def _formatted(self, node: cst.FormattedString) -> Expression:
        parts = [p.expression for p in node.parts if isinstance(p, cst.FormattedStringExpression)]
        return facts.Parts(self.span(node), "fstring", self._expressions(parts))

    def _lambda(self, node: cst.Lambda) -> Expression:
        body = self.expression(node.body)
        return facts.Lambda(self.span(node), self._parameters(node.params), body)

    def _display(self, node: cst.Tuple | cst.List | cst.Set) -> Expression:
        kind: Any = type(node).__name__.lower()
        items = tuple(
            facts.Starred(self.span(element.value), self.expression(element.value))
            if isinstance(element, cst.StarredElement)
            else self.expression(element.value)
            for element in node.elements
        )
        return facts.Display(self.span(node), kind, items)

    def _dict(self, node: cst.Dict) -> Expression:
        items = tuple(
            (
                self.expression(element.key) if isinstance(element, cst.DictElement) else None,
                self.expression(element.value),
            )
            for element in node.elements
        )
        return facts.DictDisplay(self.span(node), items)

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
        return facts.Operation(at, kind, tuple(reversed(operators)), tuple(reversed(operands)))

    def _unary(self, node: cst.UnaryOperation) -> Expression:
        operator = OPERATORS.get(type(node.operator), "?")
        operand = self.expression(node.expression)
        number = operand.value if isinstance(operand, facts.Constant) else None
        if operator == "-" and isinstance(number, int | float) and not isinstance(number, bool):
            kind: Any = type(number).__name__
            return facts.Constant(self.span(node), kind, -number)
        return facts.Operation(self.span(node), "unary", (operator,), (operand,))

    def _comparison(self, node: cst.Comparison) -> Expression:
        operators = tuple(OPERATORS.get(type(c.operator), "?") for c in node.comparisons)
        operands = (node.left, *(c.comparator for c in node.comparisons))
        return facts.Operation(self.span(node), "compare", operators, self._expressions(operands))

    def _subscript(self, node: cst.Subscript) -> Expression:
        index: list[Expression] = []
        for element in node.slice:
            piece = element.slice
            if isinstance(piece, cst.Index):
                value = self.expression(piece.value)
                index.append(facts.Starred(value.at, value) if piece.star else value)
            elif isinstance(piece, cst.Slice):
                bounds = [b for b in (piece.lower, piece.upper, piece.step) if b is not None]
                index.append(facts.Parts(self.span(node), "slice", self._expressions(bounds)))
        return facts.Subscript(self.span(node), self.expression(node.value), tuple(index))

    def _conditional(self, node: cst.IfExp) -> Expression:
        return facts.Conditional(
            self.span(node),
            self.expression(node.test),
            self.expression(node.body),
            self.expression(node.orelse),
        )

    def _comprehension(self, node: cst.BaseComp) -> Expression:
        elements: Sequence[cst.CSTNode]
        elements = [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]  # type: ignore[attr-defined]
        kind = {cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict"}
        clauses: list[facts.Clause] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            clauses.append(
                facts.Clause(
                    self.expression(clause.target),
                    self.expression(clause.iter),
                    self._expressions(condition.test for condition in clause.ifs),
                )
            )
            clause = clause.inner_for_in
        return facts.Comprehension(
            self.span(node),
            kind.get(type(node), "generator"),  # type: ignore[arg-type]
            self._expressions(elements),
            tuple(clauses),
        )

    def _walrus(self, node: cst.NamedExpr) -> Expression:
        return facts.NamedExpression(
            self.span(node), self.expression(node.target), self.expression(node.value)
        )

    def _await(self, node: cst.Await) -> Expression:
        return facts.Parts(self.span(node), "await", (self.expression(node.expression),))

    def _yield(self, node: cst.Yield) -> Expression:
        self._generators[-1] = True
        value = node.value.item if isinstance(node.value, cst.From) else node.value
        return facts.Parts(
            self.span(node), "yield", () if value is None else (self.expression(value),)
        )


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return None


def _dotted(node: cst.CSTNode) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(node.value)
    return ".".join(reversed(parts))


def _name_of(node: cst.AsName | None) -> str | None:
    return node.name.value if node is not None and isinstance(node.name, cst.Name) else None


def _captures(node: cst.CSTNode) -> Iterable[str]:
    """The names that a `match` pattern binds."""
    if isinstance(node, cst.MatchAs | cst.MatchStar) and node.name is not None:
        yield node.name.value
    if isinstance(node, cst.MatchMapping) and node.rest is not None:
        yield node.rest.value
    if not isinstance(node, cst.BaseExpression):
        for child in node.children:
            yield from _captures(child)


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

STATEMENTS: dict[type[cst.CSTNode], Callable[[FactsVisitor, Any], Iterable[Statement]]] = {
    cst.FunctionDef: FactsVisitor._function,
    cst.ClassDef: FactsVisitor._class,
    cst.Assign: FactsVisitor._assign,
    cst.AugAssign: FactsVisitor._augmented_assign,
    cst.AnnAssign: FactsVisitor._annotated_assign,
    cst.TypeAlias: FactsVisitor._type_alias,
    cst.Expr: FactsVisitor._expression_statement,
    cst.Assert: FactsVisitor._assert,
    cst.If: FactsVisitor._if,
    cst.For: FactsVisitor._for,
    cst.While: FactsVisitor._while,
    cst.Try: FactsVisitor._try,
    cst.TryStar: FactsVisitor._try,
    cst.With: FactsVisitor._with,
    cst.Match: FactsVisitor._match,
    cst.Import: FactsVisitor._import,
    cst.ImportFrom: FactsVisitor._import_from,
    cst.Return: FactsVisitor._return,
    cst.Raise: FactsVisitor._raise,
    cst.Break: FactsVisitor._break,
    cst.Continue: FactsVisitor._continue,
    cst.Del: FactsVisitor._delete,
    cst.Global: FactsVisitor._global,
    cst.Nonlocal: FactsVisitor._nonlocal,
}

EXPRESSIONS: dict[type[cst.CSTNode], Callable[[FactsVisitor, Any], Expression]] = {
    cst.Name: FactsVisitor._name,
    cst.Attribute: FactsVisitor._attribute,
    cst.Call: FactsVisitor._call,
    cst.Integer: FactsVisitor._integer,
    cst.Float: FactsVisitor._float,
    cst.Imaginary: FactsVisitor._imaginary,
    cst.Ellipsis: FactsVisitor._ellipsis,
    cst.SimpleString: FactsVisitor._string,
    cst.ConcatenatedString: FactsVisitor._concatenated,
    cst.FormattedString: FactsVisitor._formatted,
    cst.Lambda: FactsVisitor._lambda,
    cst.Tuple: FactsVisitor._display,
    cst.List: FactsVisitor._display,
    cst.Set: FactsVisitor._display,
    cst.Dict: FactsVisitor._dict,
    cst.BinaryOperation: FactsVisitor._binary,
    cst.BooleanOperation: FactsVisitor._binary,
    cst.UnaryOperation: FactsVisitor._unary,
    cst.Comparison: FactsVisitor._comparison,
    cst.Subscript: FactsVisitor._subscript,
    cst.IfExp: FactsVisitor._conditional,
    cst.ListComp: FactsVisitor._comprehension,
    cst.SetComp: FactsVisitor._comprehension,
    cst.DictComp: FactsVisitor._comprehension,
    cst.GeneratorExp: FactsVisitor._comprehension,
    cst.NamedExpr: FactsVisitor._walrus,
    cst.Await: FactsVisitor._await,
    cst.Yield: FactsVisitor._yield,
}
