"""From a libcst tree to the nodes of a module.

Only the nodes that can matter are touched: whitespace, comments and the inside of literals are
left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.from_libcst.expressions import OPERATORS, LibcstExpressions, identifier
from plum_jit_lint.syntax.nodes import Late, Statement


def read_module(module: cst.Module, text: str, late: Late | None = None) -> nodes.ModuleNode:
    """The nodes of a parsed text. `RecursionError` where it is nested too deeply."""
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    visitor = NodesVisitor(nodes.lines_of(text), positions, late)
    return nodes.module(visitor.statements(module.body))


class NodesVisitor(LibcstExpressions):
    """Visits statements by a table from node class to method."""

    def __init__(
        self,
        lines: Sequence[str],
        positions: Mapping[cst.CSTNode, CodeRange],
        late: Late | None = None,
    ) -> None:
        super().__init__(lines, positions)
        self._late = late
        self._inside = ""
        self._named: dict[str, int] = {}

    def _key(self, name: str) -> str:
        """A name for a definition that no other of the module has."""
        key = f"{self._inside}.{name}"
        number = self._named[key] = self._named.get(key, -1) + 1
        return f"{key}#{number}"

    def statements(self, nodes: Iterable[cst.CSTNode]) -> tuple[Statement, ...]:
        """The nodes for statements of libcst, without those that do not matter."""
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
        """The nodes for a block, or for what stands behind the colon in its place."""
        return () if node is None else self.statements(node.body)

    def _function(self, node: cst.FunctionDef) -> Iterable[Statement]:
        body, generator = self._body(node)
        start = self.span(node)
        name_end = self.span(node.name)[2:]
        spans = tuple(self.span(decorator) for decorator in node.decorators)
        at = (start[0], start[1], *name_end)
        yield nodes.FunctionDef(
            at=at,
            place=spans[0] if spans else at,
            name=identifier(node.name),
            parameters=self._parameters(node.params),
            returns=self._annotation(node.returns),
            decorators=tuple(self.expression(d.decorator) for d in node.decorators),
            inside=body,
            type_parameters=self._type_parameters(node.type_parameters),
            generator=generator,
            coroutine=node.asynchronous is not None,
        )

    def _body(self, node: cst.FunctionDef) -> tuple[nodes.Body, bool]:
        """What a function does, and whether it is a generator. It is read at once, since the tree
        takes a hundred times the memory of the text, and told when somebody asks for it."""
        outside, self._inside = self._inside, self._key(identifier(node.name))
        self._generators.append(False)
        found = self.block(node.body)
        key, generator = self._inside, self._generators.pop()
        self._inside = outside
        text = self._lines_of_body(node)
        if self._late is not None and text and "yield" not in text:
            body = self._late(key, text, lambda: found)
            if body is not None:
                return body, False
        return nodes.Body(lambda: found), generator

    def _lines_of_body(self, node: cst.FunctionDef) -> str | None:
        """The lines that hold the statements of a function and nothing else; `None` where they
        stand beside others, as in `def f(): return 1`."""
        first, last = _statement(node.body.body[0], 0), _statement(node.body.body[-1], -1)
        line, column, *_ = self.span(first)
        begin = min([line, *(self.span(one)[0] for one in getattr(first, "decorators", ()))])
        if not self._lines[begin - 1][: column - 1].isspace():
            return None
        return "\n".join(self._lines[begin - 1 : self.span(last)[2]])

    def _class(self, node: cst.ClassDef) -> Iterable[Statement]:
        outside, self._inside = self._inside, self._key(identifier(node.name))
        body = self.block(node.body)
        self._inside = outside
        start = self.span(node)
        yield nodes.ClassDef(
            at=(start[0], start[1], *self.span(node.name)[2:]),
            name=identifier(node.name),
            bases=self._arguments([*node.bases, *node.keywords]),
            decorators=tuple(self.expression(d.decorator) for d in node.decorators),
            body=body,
            type_parameters=self._type_parameters(node.type_parameters),
        )

    @staticmethod
    def _type_parameters(node: cst.TypeParameters | None) -> tuple[str, ...]:
        return () if node is None else tuple(identifier(p.param.name) for p in node.params)

    def _assign(self, node: cst.Assign) -> Iterable[Statement]:
        targets = tuple(self.expression(target.target) for target in node.targets)
        yield nodes.Assign(self.span(node), targets, self.expression(node.value))

    def _augmented_assign(self, node: cst.AugAssign) -> Iterable[Statement]:
        operator = OPERATORS.get(type(node.operator), "?")
        yield nodes.AugmentedAssign(
            self.span(node), self.expression(node.target), operator, self.expression(node.value)
        )

    def _annotated_assign(self, node: cst.AnnAssign) -> Iterable[Statement]:
        annotation = self._annotation(node.annotation)
        assert annotation is not None
        value = None if node.value is None else self.expression(node.value)
        yield nodes.AnnotatedAssign(
            self.span(node), self.expression(node.target), annotation, value
        )

    def _type_alias(self, node: cst.TypeAlias) -> Iterable[Statement]:
        yield nodes.Assign(
            self.span(node), (self.expression(node.name),), self.expression(node.value)
        )

    def _expression_statement(self, node: cst.Expr) -> Iterable[Statement]:
        value = self.expression(node.value)
        if not isinstance(value, nodes.Constant | nodes.Name):
            yield nodes.Evaluate(self.span(node), value)

    def _assert(self, node: cst.Assert) -> Iterable[Statement]:
        yield nodes.Assert(self.span(node), self.expression(node.test))

    def _if(self, node: cst.If) -> Iterable[Statement]:
        # An `elif` chain is walked, not recursed into: real ones have hundreds of branches.
        branches: list[cst.If] = [node]
        while isinstance(branches[-1].orelse, cst.If):
            branches.append(branches[-1].orelse)
        last = branches[-1].orelse
        yield nodes.If(
            self.span(node),
            tuple((self.expression(branch.test), self.block(branch.body)) for branch in branches),
            self.block(last.body) if isinstance(last, cst.Else) else (),
        )

    def _for(self, node: cst.For) -> Iterable[Statement]:
        yield nodes.For(
            self.span(node),
            self.expression(node.target),
            self.expression(node.iter),
            self.block(node.body),
            self.block(node.orelse.body if node.orelse else None),
        )

    def _while(self, node: cst.While) -> Iterable[Statement]:
        yield nodes.While(
            self.span(node),
            self.expression(node.test),
            self.block(node.body),
            self.block(node.orelse.body if node.orelse else None),
        )

    def _try(self, node: cst.Try | cst.TryStar) -> Iterable[Statement]:
        handlers = tuple(
            nodes.Handler(
                None if handler.type is None else self.expression(handler.type),
                _name_of(handler.name),
                self.block(handler.body),
            )
            for handler in node.handlers
        )
        yield nodes.Try(
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
        yield nodes.With(self.span(node), items, self.block(node.body))

    def _match(self, node: cst.Match) -> Iterable[Statement]:
        cases = tuple(
            nodes.Case(
                self._pattern(case.pattern),
                None if case.guard is None else self.expression(case.guard),
                self.block(case.body),
            )
            for case in node.cases
        )
        yield nodes.Match(self.span(node), self.expression(node.subject), cases)

    def _pattern(self, node: cst.CSTNode) -> nodes.Pattern:
        match node:
            case cst.MatchAs(pattern=None):
                return nodes.Pattern("anything", _identifier(node.name))
            case cst.MatchAs(pattern=inner) if inner is not None:
                return replace(self._pattern(inner), binds=_identifier(node.name))
            case cst.MatchStar():
                return nodes.Pattern("star", _identifier(node.name))
            case cst.MatchValue() | cst.MatchSingleton():
                return nodes.Pattern("value", values=(self.expression(node.value),))
            case cst.MatchSequence():
                return nodes.Pattern(
                    "sequence", parts=self._patterns(_of_element(one) for one in node.patterns)
                )
            case cst.MatchOr():
                return nodes.Pattern(
                    "or", parts=self._patterns(one.pattern for one in node.patterns)
                )
            case cst.MatchMapping():
                keys = tuple(self.expression(one.key) for one in node.elements)
                parts = self._patterns(one.pattern for one in node.elements)
                return nodes.Pattern("mapping", _identifier(node.rest), keys, parts)
            case cst.MatchClass():
                parts = self._patterns(
                    [*(one.value for one in node.patterns), *(one.pattern for one in node.kwds)]
                )
                names = tuple(identifier(one.key) for one in node.kwds)
                return nodes.Pattern("class", None, (self.expression(node.cls),), parts, names)
        raise TypeError(node)

    def _patterns(self, nodes: Iterable[cst.CSTNode]) -> tuple[nodes.Pattern, ...]:
        return tuple(map(self._pattern, nodes))

    def _import(self, node: cst.Import) -> Iterable[Statement]:
        for alias in node.names:
            name = _name_of(alias.asname)
            yield nodes.Import(self.span(node), _dotted(alias.name), name)

    def _import_from(self, node: cst.ImportFrom) -> Iterable[Statement]:
        module = "" if node.module is None else _dotted(node.module)
        names: tuple[tuple[str, str | None], ...]
        if isinstance(node.names, cst.ImportStar):
            names = (("*", None),)
        else:
            names = tuple((_dotted(a.name), _name_of(a.asname)) for a in node.names)
        yield nodes.ImportFrom(self.span(node), len(node.relative), module, names)

    def _return(self, node: cst.Return) -> Iterable[Statement]:
        value = None if node.value is None else self.expression(node.value)
        yield nodes.Leave(self.span(node), "return", value)

    def _raise(self, node: cst.Raise) -> Iterable[Statement]:
        value = None if node.exc is None else self.expression(node.exc)
        yield nodes.Leave(self.span(node), "raise", value)

    def _break(self, node: cst.Break) -> Iterable[Statement]:
        yield nodes.Leave(self.span(node), "break")

    def _continue(self, node: cst.Continue) -> Iterable[Statement]:
        yield nodes.Leave(self.span(node), "continue")

    def _delete(self, node: cst.Del) -> Iterable[Statement]:
        target = node.target
        elements = target.elements if isinstance(target, cst.Tuple) else None
        targets = [target] if elements is None else [element.value for element in elements]
        names = tuple(identifier(t) for t in targets if isinstance(t, cst.Name))
        parts = tuple(
            self.expression(t) for t in targets if isinstance(t, cst.Attribute | cst.Subscript)
        )
        yield nodes.Delete(self.span(node), names, parts)

    def _global(self, node: cst.Global) -> Iterable[Statement]:
        yield nodes.Declare(
            self.span(node), "global", tuple(identifier(n.name) for n in node.names)
        )

    def _nonlocal(self, node: cst.Nonlocal) -> Iterable[Statement]:
        yield nodes.Declare(
            self.span(node), "nonlocal", tuple(identifier(n.name) for n in node.names)
        )


def _statement(node: cst.CSTNode, position: int) -> cst.CSTNode:
    """The statement in that position of a line, or the one that takes several lines."""
    return node.body[position] if isinstance(node, cst.SimpleStatementLine) else node


def _dotted(node: cst.CSTNode) -> str:
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(identifier(node.attr))
        node = node.value
    if isinstance(node, cst.Name):
        parts.append(identifier(node))
    return ".".join(reversed(parts))


def _name_of(node: cst.AsName | None) -> str | None:
    return identifier(node.name) if node is not None and isinstance(node.name, cst.Name) else None


def _of_element(node: cst.CSTNode) -> cst.CSTNode:
    """The pattern that an element of a sequence pattern holds."""
    return node.value if isinstance(node, cst.MatchSequenceElement) else node


def _identifier(node: cst.Name | None) -> str | None:
    return None if node is None else identifier(node)


STATEMENTS: dict[type[cst.CSTNode], Callable[[NodesVisitor, Any], Iterable[Statement]]] = {
    cst.FunctionDef: NodesVisitor._function,
    cst.ClassDef: NodesVisitor._class,
    cst.Assign: NodesVisitor._assign,
    cst.AugAssign: NodesVisitor._augmented_assign,
    cst.AnnAssign: NodesVisitor._annotated_assign,
    cst.TypeAlias: NodesVisitor._type_alias,
    cst.Expr: NodesVisitor._expression_statement,
    cst.Assert: NodesVisitor._assert,
    cst.If: NodesVisitor._if,
    cst.For: NodesVisitor._for,
    cst.While: NodesVisitor._while,
    cst.Try: NodesVisitor._try,
    cst.TryStar: NodesVisitor._try,
    cst.With: NodesVisitor._with,
    cst.Match: NodesVisitor._match,
    cst.Import: NodesVisitor._import,
    cst.ImportFrom: NodesVisitor._import_from,
    cst.Return: NodesVisitor._return,
    cst.Raise: NodesVisitor._raise,
    cst.Break: NodesVisitor._break,
    cst.Continue: NodesVisitor._continue,
    cst.Del: NodesVisitor._delete,
    cst.Global: NodesVisitor._global,
    cst.Nonlocal: NodesVisitor._nonlocal,
}
