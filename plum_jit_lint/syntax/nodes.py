"""What one module says, as plain data: the part of its syntax that can matter.

Facts know nothing of libcst and nothing of other modules. They are small and can be written
down, so that a module is read once for as long as its text stays the same.

Spans are `(line, column, end line, end column)`, counted from 1, the end exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from plum_jit_lint.limits import LONGEST_STRING

Span: TypeAlias = tuple[int, int, int, int]

_LINE_END = re.compile(r"\r\n|\r|\n")


# -- expressions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """A variable that is read or written."""

    at: Span
    id: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """`value.attr`."""

    at: Span
    value: Expression
    attr: str


@dataclass(frozen=True, slots=True)
class Argument:
    """`keyword` is the name of a keyword argument; `star` is `*` or `**` for an unpacked one."""

    value: Expression
    keyword: str | None = None
    star: Literal["", "*", "**"] = ""


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    at: Span
    function: Expression
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """`kind` is the name of the type; `value` is kept for short strings and plain numbers."""

    at: Span
    kind: Literal["int", "float", "complex", "str", "bytes", "bool", "None", "ellipsis"]
    value: str | int | float | bool | None = None


@dataclass(frozen=True, slots=True)
class Lambda:
    """`lambda parameters: body`."""

    at: Span
    parameters: tuple[Parameter, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Display:
    """A tuple, list or set written out."""

    at: Span
    kind: Literal["tuple", "list", "set"]
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class DictDisplay:
    """A dict written out; a key of `None` marks an unpacked `**mapping`."""

    at: Span
    items: tuple[tuple[Expression | None, Expression], ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """Operators applied from left to right: `operators[i]` stands before `operands[i + 1]`, or,
    in a unary operation, before the only operand."""

    at: Span
    kind: Literal["binary", "unary", "compare", "boolean"]
    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Subscript:
    """`value[index]`: the parts of the index that commas separate."""

    at: Span
    value: Expression
    index: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    """`then if test else otherwise`."""

    at: Span
    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Clause:
    """One `for target in iterable if conditions` of a comprehension."""

    target: Expression
    iterable: Expression
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """A comprehension or generator expression; a dict has two `elements`, key and value."""

    at: Span
    kind: Literal["list", "set", "dict", "generator"]
    elements: tuple[Expression, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Starred:
    """`*value` among targets, arguments or members."""

    at: Span
    value: Expression


@dataclass(frozen=True, slots=True)
class NamedExpression:
    """`target := value`."""

    at: Span
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Parts:
    """An expression of which only the parts matter: an f-string, `await`, `yield`, a slice."""

    at: Span
    kind: Literal["fstring", "await", "yield", "slice", "other"]
    parts: tuple[Expression, ...]


Expression: TypeAlias = (
    Name
    | Attribute
    | Call
    | Constant
    | Lambda
    | Display
    | DictDisplay
    | Operation
    | Subscript
    | Conditional
    | Comprehension
    | Starred
    | NamedExpression
    | Parts
)


@dataclass(frozen=True, slots=True)
class Annotation:
    """`quoted`: it is a string in the source; `value` is what the string holds."""

    value: Expression
    quoted: bool
    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a `def` or `lambda`."""

    name: str
    kind: Literal["positional", "keyword-only", "*", "**"]
    annotation: Annotation | None = None
    default: Expression | None = None


# -- statements ------------------------------------------------------------------------------


class Body:
    """The statements of a function. Most functions of a program are never called, so that their
    statements are read when somebody asks, by `read`; `on_read` is called when that first happens.

    `key` names the function in its module: it stays the same when other functions change. `text`
    are the lines of the statements, where they are kept.
    """

    __slots__ = ("_on_read", "_read", "_statements", "key", "text")

    def __init__(
        self,
        read: Callable[[], tuple[Statement, ...]],
        text: str | None = None,
        key: str = "",
        on_read: Callable[[str], None] | None = None,
    ) -> None:
        self.key = key
        self.text = text
        self._read: Callable[[], tuple[Statement, ...]] | None = read
        self._on_read = on_read
        self._statements: tuple[Statement, ...] = ()

    def statements(self) -> tuple[Statement, ...]:
        """The statements; what comes of them hangs on the text of the function from now on."""
        if self._read is not None:
            self._statements = self._read()
            self._read = None
            if self._on_read is not None:
                self._on_read(self.key)
        return self._statements

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self.statements() == other.statements()

    def __hash__(self) -> int:
        return hash(self.statements())


Late: TypeAlias = Callable[[str, str, Callable[[], tuple["Statement", ...]]], Body | None]
"""What to make of a function whose statements can be read later: from its key, the lines of its
statements, and what reads them; `None`: they are read at once."""


@dataclass(frozen=True, slots=True)
class FunctionDef:
    """`place` is where Python says that the definition begins: its first decorator, or `def`."""

    at: Span
    place: Span
    name: str
    parameters: tuple[Parameter, ...]
    returns: Annotation | None
    decorators: tuple[Expression, ...]
    inside: Body
    type_parameters: tuple[str, ...] = ()
    generator: bool = False
    coroutine: bool = False

    @property
    def body(self) -> tuple[Statement, ...]:
        """The statements of the function."""
        return self.inside.statements()


@dataclass(frozen=True, slots=True)
class ClassDef:
    """`class name(bases): body`; keywords such as `metaclass` are among the `bases`."""

    at: Span
    name: str
    bases: tuple[Argument, ...]
    decorators: tuple[Expression, ...]
    body: tuple[Statement, ...]
    type_parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = other = value`."""

    at: Span
    targets: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True)
class AugmentedAssign:
    """`target += value`; the operator is `+`."""

    at: Span
    target: Expression
    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class AnnotatedAssign:
    """`target: annotation = value`, or without a value."""

    at: Span
    target: Expression
    annotation: Annotation
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression as a statement, and what `assert` and `del` evaluate."""

    at: Span
    value: Expression


@dataclass(frozen=True, slots=True)
class If:
    """`if` and its `elif`s as branches of a test and a body, and the `else`."""

    at: Span
    branches: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class For:
    """`for target in iterable: body`, with the block of its `else`."""

    at: Span
    target: Expression
    iterable: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class While:
    """`while test: body`, with the block of its `else`."""

    at: Span
    test: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Handler:
    """`except type as name: body`; without a type it takes every exception."""

    type: Expression | None
    name: str | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """`try: body`, with its handlers and the blocks of its `else` and `finally`."""

    at: Span
    body: tuple[Statement, ...]
    handlers: tuple[Handler, ...]
    otherwise: tuple[Statement, ...]
    final: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class With:
    """`with expression as target, ...: body`."""

    at: Span
    items: tuple[tuple[Expression, Expression | None], ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a `case` compares with. `binds`: the name that it gives to what it takes, of a mapping
    to the rest. `values`: the constant, the class, or the keys of the mapping. `keywords`: the
    attributes that the last `parts` of a class pattern stand for."""

    kind: Literal["anything", "value", "class", "sequence", "star", "mapping", "or"]
    binds: str | None = None
    values: tuple[Expression, ...] = ()
    parts: tuple[Pattern, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """`case pattern if guard: body`."""

    pattern: Pattern
    guard: Expression | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """`match subject:` with its cases."""

    at: Span
    subject: Expression
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """`import module` or `import module as alias`."""

    at: Span
    module: str
    alias: str | None


@dataclass(frozen=True, slots=True)
class ImportFrom:
    """`from ..module import name as alias`; `level` counts the dots, a name `*` is a star."""

    at: Span
    level: int
    module: str
    names: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """What ends a block: `return`, `raise`, `break`, `continue`."""

    at: Span
    kind: Literal["return", "raise", "break", "continue"]
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert test`."""

    at: Span
    test: Expression


@dataclass(frozen=True, slots=True)
class Delete:
    """`del`: names, and `parts` of objects (`del x[key]`, `del x.name`)."""

    at: Span
    names: tuple[str, ...]
    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Declare:
    """`global` and `nonlocal`."""

    at: Span
    kind: Literal["global", "nonlocal"]
    names: tuple[str, ...]


Statement: TypeAlias = (
    FunctionDef
    | ClassDef
    | Assign
    | AugmentedAssign
    | AnnotatedAssign
    | Evaluate
    | If
    | For
    | While
    | Try
    | With
    | Match
    | Import
    | ImportFrom
    | Leave
    | Assert
    | Delete
    | Declare
)


@dataclass(frozen=True, slots=True)
class ModuleNode:
    """One module. `future_annotations`: its annotations are strings when it runs."""

    body: tuple[Statement, ...]
    future_annotations: bool


# -- what every reader makes in the same way -------------------------------------------------


def lines_of(text: str) -> list[str]:
    """The physical lines of a text, which a form feed does not end."""
    return _LINE_END.split(text)


def module(body: tuple[Statement, ...]) -> ModuleNode:
    """The module with these statements."""
    future = any(
        isinstance(statement, ImportFrom)
        and statement.module == "__future__"
        and any(name == "annotations" for name, _ in statement.names)
        for statement in body
    )
    return ModuleNode(body, future)


def string(at: Span, text: str | None) -> Constant:
    """A string literal, without its text where that is long or not known."""
    return Constant(at, "str", text if text is not None and len(text) <= LONGEST_STRING else None)


def unary(at: Span, operator: str, operand: Expression) -> Expression:
    """`-1` is a number, whatever stands behind another sign is an operation."""
    number = operand.value if isinstance(operand, Constant) else None
    if operator == "-" and not isinstance(number, bool):
        if isinstance(number, int):
            return Constant(at, "int", -number)
        if isinstance(number, float):
            return Constant(at, "float", -number)
    return Operation(at, "unary", (operator,), (operand,))
