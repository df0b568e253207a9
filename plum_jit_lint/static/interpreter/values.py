"""What an expression can stand for in the abstract run.

Values are compared by identity where Python compares the objects that they stand for by
identity: trace caches are keyed on function objects, so which object it is decides what is stale.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from plum_jit_lint.events import FunctionId, Statics
from plum_jit_lint.limits import MOST_ALTERNATIVES
from plum_jit_lint.static.interpreter.library_values import LibraryValue
from plum_jit_lint.static.types.hints import BUILTIN, Argument, ArrayArg, Cls, Hint, ScalarArg
from plum_jit_lint.syntax import nodes

if TYPE_CHECKING:
    from plum_jit_lint.findings import Place
    from plum_jit_lint.knowledge.rows import Row
    from plum_jit_lint.static.interpreter.generators import Suspension
    from plum_jit_lint.static.modules import Module


SERIALS = itertools.count(1)
"""Numbers in the order in which mutable values are made."""


class Scope:
    """Names and what they are bound to. Class scopes are not seen from the functions in them."""

    def __init__(
        self,
        module: Module,
        kind: Literal["module", "function", "class"],
        parent: Scope | None = None,
        qualname: str = "",
    ) -> None:
        self.module = module
        self.kind = kind
        self.parent = parent
        self.qualname = qualname
        """What stands before the name of a definition in this scope: `C.`, `f.<locals>.`."""
        self.names: dict[str, Value] = {}
        self.serial = next(SERIALS)
        self.declared: dict[str, Scope] = {}
        """Names declared `global` or `nonlocal`, and the scope that they are bound in."""

    def find(self, name: str) -> Value | None:
        """What a name stands for as it is seen from here."""
        if name in self.declared:
            return self.declared[name].own(name)
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or scope.kind != "class"):
                return scope.own(name)
            scope = scope.parent
        return None

    def own(self, name: str) -> Value | None:
        """What this scope itself binds a name to. An import is looked up when it is needed."""
        value = self.names.get(name)
        if isinstance(value, Imported) or (
            isinstance(value, Union) and any(isinstance(v, Imported) for v in value.alternatives)
        ):
            # Unbound meanwhile: `from . import part` in a package asks the package for `part`.
            del self.names[name]
            several = value.alternatives if isinstance(value, Union) else (value,)
            value = self.names[name] = join(
                self.module.imported(one) if isinstance(one, Imported) else one for one in several
            )
        return value

    def bind(self, name: str, value: Value) -> None:
        """Assigns to a name, in the scope that a `global` or `nonlocal` statement names."""
        self.home(name).names[name] = value

    def home(self, name: str) -> Scope:
        """The scope that an assignment to a name writes to."""
        return self.declared.get(name, self)


@dataclass(frozen=True, slots=True)
class Top:
    """Nothing is known of it."""


TOP = Top()


@dataclass(frozen=True, slots=True)
class Typed:
    """A value of which the type is evident: an array, a number, a string, `None`."""

    argument: Argument


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something that another library defines, by its qualified name."""

    path: str


@dataclass(frozen=True, slots=True)
class HintValue:
    """A type that is no single class: a union, a `Literal`, a type variable. `parts` are the
    types that it is made of: the members of a union, what stands in the brackets, a bound."""

    hint: Hint
    parts: tuple[Value, ...] = field(default=(), compare=False)


@dataclass(eq=False, slots=True)
class ModuleValue:
    """A module of the program."""

    module: Module


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import binds, not looked up yet: a member of a module, or the module itself."""

    module: str
    name: str | None


@dataclass(eq=False, slots=True)
class FunctionValue:
    """A Python function object: one for each time that its definition runs."""

    definition: nodes.FunctionDef | nodes.Lambda
    scope: Scope
    name: str
    qualname: str
    defaults: dict[str, Value]
    wraps: Value | None = None
    """What `functools.wraps` says that it stands for."""
    annotations: Value | None = None
    """What was assigned to `__annotations__`."""
    marks: list[Value] = field(default_factory=list)
    """What pytest was told of it."""


@dataclass(eq=False, slots=True)
class ClassValue:
    """A class of the program: its type, what its body bound, and its bases."""

    cls: Cls
    scope: Scope
    bases: tuple[Value, ...]
    annotated: dict[str, nodes.Annotation] = field(default_factory=dict)
    parametrised: dict[str, ClassValue] = field(default_factory=dict)
    """What plum's `@parametric` made of it, by parameter."""
    metaclass: Value | None = None
    members: dict[str, Instance] = field(default_factory=dict)
    """Of an enumeration, those that were asked for."""
    by_value: bool = False
    """Whether a decorator gave it an `__eq__` that compares the fields."""
    perhaps_pytree: bool = False
    """Whether JAX may have been told of it."""
    order: list[ClassValue] | None = None
    """In which attributes are looked up, once that was asked; `class_lookup.mro` gives it."""
    marks: list[Value] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the program. `exact` is false where it may be of a subclass."""

    cls: ClassValue
    attributes: dict[str, Value]
    exact: bool = True
    serial: int = field(default_factory=SERIALS.__next__)


@dataclass(eq=False, slots=True)
class Bound:
    """A method bound to its receiver; a new object at each access."""

    function: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Super:
    """`super()` in a method of `cls`."""

    cls: ClassValue
    receiver: Value


@dataclass(frozen=True, slots=True)
class BoundBuiltin:
    """A method of something that the run knows by itself: `dispatch.multi`, `f.clear_cache`."""

    receiver: Value
    name: str


@dataclass(eq=False, slots=True)
class ExitStack:
    """A `contextlib.ExitStack`, and what it does at the end."""

    leaving: list[Callable[[], object]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Manager:
    """A context manager that the run knows by itself: to enter it gives a value, and what leaving
    it does."""

    enter: Callable[[Place], tuple[Value, Callable[[], object]]]
    held: tuple[Value, ...] = ()
    hands_on: bool = False
    """Whether a function that it decorates is given what entering it gives."""
    entered: list[Callable[[], object]] = field(default_factory=list)
    """How it is left, where that is not a `with` statement's business."""


@dataclass(eq=False, slots=True)
class Managed:
    """A function that a context manager decorates: it is entered for each call."""

    target: Value
    manager: Value


@dataclass(eq=False, slots=True)
class Builtin:
    """A function that the run has in place of another library's, with the attributes of it."""

    work: Callable[[Arguments, Place], Value]
    members: dict[str, Value] = field(default_factory=dict)
    held: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What a decorator of the standard library makes of a function in a class body."""

    kind: Literal["staticmethod", "classmethod", "property", "cached_property", "partialmethod"]
    value: Value


@dataclass(frozen=True, slots=True)
class DispatcherValue:
    """A plum `Dispatcher`, by where it was made."""

    id: str


@dataclass(frozen=True, slots=True)
class PlumFunction:
    """A dispatched function. `open`: methods of it may exist that the sources do not show."""

    id: FunctionId
    open: bool = False


PLUM = "plum's own"
"""The dispatcher of the functions that plum itself defines."""

CONVERT = FunctionId(PLUM, None, "convert")
PROMOTE = FunctionId(PLUM, None, "promote")


@dataclass(frozen=True, slots=True)
class Registrar:
    """What takes a method: a dispatcher, or a function (`f.dispatch`), with what was given."""

    onto: DispatcherValue | PlumFunction
    precedence: Value | None = None
    signatures: tuple[Value, ...] | None = None
    abstract: bool = False


@dataclass(frozen=True, slots=True)
class SignatureValue:
    """A `plum.Signature(...)` written out."""

    types: tuple[Value, ...]
    varargs: Value | None
    precedence: int | None


@dataclass(eq=False, slots=True)
class Jitted:
    """A callable that jit made of `target`. What it caches is keyed on the target. `plain`: it
    runs over no axes but the first ones (`pmap`)."""

    target: Value
    row: Row
    statics: Statics
    plain: bool = True


@dataclass(eq=False, slots=True)
class Wrapper:
    """What a transform, or a decorator that nothing is known of, made of `target`.

    `row` says how it calls its target; without a row it is taken to call it as it is called.
    """

    target: Value
    row: Row | None
    rules: list[tuple[str, Value]] = field(default_factory=list)
    """Derivatives, each with the method that it was given to (`defjvp` and the like)."""
    plain: bool = False
    """Whether the transform was given nothing but its target."""


@dataclass(eq=False, slots=True)
class Partial:
    """`functools.partial`: a function with its first arguments."""

    function: Value
    positional: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(eq=False, slots=True)
class Memoised:
    """A function under `functools.lru_cache`: the same arguments give the same object."""

    target: Value
    results: dict[Hashable, Value] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Generator:
    """A generator, a coroutine, a `map`: nothing of it has run yet. `suspension` runs what is the
    generator of a function from one `yield` to the next."""

    work: Callable[[], Value]
    held: tuple[Value, ...]
    result: Value | None = None
    suspension: Suspension | None = None


@dataclass(eq=False, slots=True)
class Lowered:
    """What `.lower(...)` or `.trace(...)` gave for the trace entry, if there is one."""

    entry: int | None


@dataclass(eq=False, slots=True)
class Compiled:
    """What `.lower(...).compile()` gave: frozen for good."""

    entry: int


@dataclass(eq=False, slots=True)
class SequenceValue:
    """A tuple, list or set of which the members are known. `complete`: all of them."""

    kind: Literal["tuple", "list", "set"]
    items: list[Value]
    complete: bool = True
    uniform: bool = False
    """Whether the members that are not known are of the kind of those that are."""
    repeated: bool = False
    """Whether these stand for more of their kind, each for many."""
    serial: int = field(default_factory=SERIALS.__next__)


@dataclass(eq=False, slots=True)
class MappingValue:
    """A dict; `others` are the values under keys that are not known. `factory` is what a
    `defaultdict` calls for a key that is not there."""

    items: dict[Hashable, Value]
    others: list[Value] = field(default_factory=list)
    factory: Value | None = None
    serial: int = field(default_factory=SERIALS.__next__)


def keyword_items(keywords: Mapping[str, Value], others: Iterable[Value] = ()) -> MappingValue:
    """The dict that `**keywords` is inside of a function."""
    found = MappingValue({}, list(others))
    for name, value in keywords.items():
        found.items[name] = value
    return found


def namespace(names: dict[str, Value], serial: int) -> MappingValue:
    """Names as a dict that shows them and writes to them: `globals()`, `x.__dict__`."""
    return MappingValue(names, serial=serial)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Union:
    """One of several, by the branch that ran."""

    alternatives: tuple[Value, ...]


Value: TypeAlias = (
    Top
    | Typed
    | Symbol
    | HintValue
    | ModuleValue
    | Imported
    | FunctionValue
    | ClassValue
    | Instance
    | Bound
    | Super
    | BoundBuiltin
    | ExitStack
    | Manager
    | Managed
    | Builtin
    | Descriptor
    | DispatcherValue
    | PlumFunction
    | Registrar
    | SignatureValue
    | Jitted
    | Wrapper
    | Partial
    | Memoised
    | Generator
    | Lowered
    | Compiled
    | SequenceValue
    | MappingValue
    | Union
    | LibraryValue
)


@dataclass(slots=True)
class Arguments:
    """The arguments of a call. `open`: there are more positional ones than are known;
    `open_keywords`: more keywords."""

    positional: list[Value]
    keywords: dict[str, Value] = field(default_factory=dict)
    open: bool = False
    open_keywords: bool = False

    def values(self) -> list[Value]:
        """All arguments, those by keyword last."""
        return [*self.positional, *self.keywords.values()]

    def get(self, position: int, *names: str) -> Value | None:
        """The argument at a position or under one of the names."""
        if position < len(self.positional):
            return self.positional[position]
        for name in names:
            if name in self.keywords:
                return self.keywords[name]
        return None

    def after(self, count: int, *, without: tuple[str, ...] = ()) -> Arguments:
        """The arguments that are left when the first `count` are taken away."""
        keywords = {k: v for k, v in self.keywords.items() if k not in without}
        return Arguments(self.positional[count:], keywords, self.open, self.open_keywords)


def join(values: Iterable[Value]) -> Value:
    """What a name stands for when one of `values` was bound to it."""
    found: list[Value] = []
    for value in values:
        for one in value.alternatives if isinstance(value, Union) else (value,):
            if one not in found:
                found.append(one)
        if len(found) > MOST_ALTERNATIVES:
            return TOP
    if not found:
        return TOP
    return found[0] if len(found) == 1 else Union(tuple(found))


def array(traced: bool = False) -> Typed:
    """An array of which no shape and no dtype is known; `traced`: a tracer."""
    return Typed(ArrayArg(traced))


def scalar(name: str, value: object = None) -> Typed:
    """A Python scalar of the builtin type `name`."""
    return Typed(ScalarArg(BUILTIN[f"builtins.{name}"], value))


NONE = scalar("NoneType")

ELLIPSIS = Symbol("builtins.Ellipsis")
WHOLE = Symbol("builtins.slice of everything")
"""`:` in a subscript."""

SLICE = Symbol("builtins.slice")
"""`a:b` in a subscript."""
