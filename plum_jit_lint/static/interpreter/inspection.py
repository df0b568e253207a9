"""Questions about values: as arguments, by what they wrap, and whether they are still held."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from plum_jit_lint.events import FunctionId
from plum_jit_lint.knowledge import standard
from plum_jit_lint.limits import (
    DEEPEST_VALUE,
    LATEST,
    MOST_OF_A_CALL,
    MOST_OF_A_TREE,
    MOST_WRAPPERS,
)
from plum_jit_lint.static.interpreter import class_lookup
from plum_jit_lint.static.interpreter.library_values import (
    Attrgetter,
    ContextManagerFunction,
    ConversionDecorator,
    ExportedFunction,
    FieldValue,
    FixtureValue,
    Itemgetter,
    Methodcaller,
    PathValue,
    Sequential,
    Suppress,
    WrapsDecorator,
)
from plum_jit_lint.static.interpreter.values import (
    Bound,
    BoundBuiltin,
    Builtin,
    ClassValue,
    Descriptor,
    ExitStack,
    FunctionValue,
    Generator,
    HintValue,
    Instance,
    Jitted,
    Managed,
    Manager,
    MappingValue,
    Memoised,
    Partial,
    PlumFunction,
    Scope,
    SequenceValue,
    Super,
    Symbol,
    Typed,
    Union,
    Value,
    Wrapper,
)
from plum_jit_lint.static.types.hints import (
    BUILTIN,
    Argument,
    ClassArg,
    Cls,
    FunctionArg,
    InstanceArg,
    TupleArg,
    UnknownArg,
)


def argument_of(value: Value, depth: int = DEEPEST_VALUE, room: int = MOST_OF_A_TREE) -> Argument:
    """The value as an argument of a dispatch. Of a container the members share the `room`."""

    def members(items: Sequence[Value]) -> tuple[Argument, ...]:
        each = room // max(1, len(items))
        return tuple(argument_of(item, depth - 1, each) for item in items)

    match value:
        case Typed(argument):
            return argument
        case Instance() if depth and class_lookup.is_named_tuple(value.cls):
            items = members(class_lookup.as_tuple(value).items)
            return InstanceArg(value.cls.cls, value.exact, items)
        case Instance():
            return InstanceArg(value.cls.cls, value.exact)
        case SequenceValue("tuple" | "list" as kind, items) if (
            value.complete and depth and len(items) <= room
        ):
            return TupleArg(kind, members(items))
        case MappingValue():
            return TupleArg("dict")
        case ClassValue():
            return ClassArg(value.cls)
        case HintValue():
            return ClassArg(None)
        case Symbol(path) if path in BUILTIN:
            return ClassArg(BUILTIN[path])
        case (
            FunctionValue()
            | Bound()
            | PlumFunction()
            | Jitted()
            | Wrapper()
            | Partial()
            | Memoised()
        ):
            return FunctionArg()
        case Managed() | Builtin():
            return FunctionArg()
        case PathValue():
            return InstanceArg(Cls(standard.PATH, opaque=True), False)
        case Union(alternatives):
            arguments = {argument_of(one, depth, room) for one in alternatives}
            return arguments.pop() if len(arguments) == 1 else UnknownArg()
    return UnknownArg()


def abstract_key(value: Value, depth: int = DEEPEST_VALUE, room: int = MOST_OF_A_CALL) -> Hashable:
    """What decides how a call with this value goes: its type, and for functions which it is. The
    parts of a value share the `room`; without any left, a value is like no other."""
    if depth == 0:
        return type(value).__name__

    def inner(values: Collection[Value]) -> tuple[Hashable, ...]:
        each = room // max(1, len(values))
        if not each:
            return (object(),)
        return tuple(abstract_key(one, depth - 1, each) for one in values)

    match value:
        case Typed(argument):
            return argument
        case Instance():
            names = tuple(value.attributes)
            return (value.cls.cls, value.exact, names, inner(value.attributes.values()))
        case SequenceValue():
            return (value.kind, value.complete, inner(value.items))
        case MappingValue():
            latest = value.others[-LATEST:]
            return (
                tuple(value.items),
                inner(value.items.values()),
                len(value.others),
                *inner(latest),
            )
        case Bound():
            return inner((value.function, value.receiver))
        case Partial():
            return inner((value.function, *value.positional, *value.keywords.values()))
        case Union(alternatives):
            return inner(alternatives)
    return value


def name_of(value: Value) -> str | None:
    """The `__name__` of a callable, as far as wrappers hand it on."""
    found: str | None = None
    for under in layers(value):
        if isinstance(under, PlumFunction):
            return under.id.name
        if isinstance(under, FunctionValue):
            found = under.name
    return found


def function_under(value: Value) -> FunctionValue | None:
    """The Python function that a callable wraps, as `inspect` would follow `__wrapped__`."""
    *_, last = layers(value)
    return last if isinstance(last, FunctionValue) else None


def layers(value: Value) -> Iterator[Value]:
    """A callable and what it wraps, the innermost last."""
    under: Value | None = value
    for _ in range(MOST_WRAPPERS):
        if under is None:
            return
        yield under
        under = _wrapped(under)


def _wrapped(value: Value) -> Value | None:
    if isinstance(value, Jitted | Wrapper | Memoised | Managed):
        return value.target
    if isinstance(value, FunctionValue):
        return value.wraps
    if isinstance(value, Bound):
        return value.function
    return value.value if isinstance(value, Descriptor) else None


def dispatched_under(value: Value) -> FunctionId | None:
    """The dispatched function that a traced callable is, through the wrappers of the design."""
    match value:
        case PlumFunction(function):
            return function
        case Jitted() | Wrapper() | Memoised():
            return dispatched_under(value.target)
        case Partial() | Bound():
            return dispatched_under(value.function)
    return None


def _held_by_function(value: FunctionValue) -> Sequence[Scope | Value | None]:
    if value.scope.kind == "module":
        return (*value.defaults.values(), value.wraps)
    return (*value.defaults.values(), value.wraps, value.scope)


def _held_by_scope(scope: Scope) -> Sequence[Scope | Value | None]:
    around = scope.parent
    if around is None or around.kind == "module":
        return tuple(scope.names.values())
    return (*scope.names.values(), around)


# A handler takes the one type that it stands under.
_HELD_BY: Mapping[type, Callable[[Any], Iterable[Scope | Value | None]]] = {
    Scope: _held_by_scope,
    FunctionValue: _held_by_function,
    ClassValue: lambda value: (*value.bases, value.scope),
    Instance: lambda value: (value.cls, *value.attributes.values()),
    Bound: lambda value: (value.function, value.receiver),
    BoundBuiltin: lambda value: (value.receiver,),
    Super: lambda value: (value.receiver,),
    Descriptor: lambda value: (value.value,),
    Jitted: lambda value: (value.target,),
    Wrapper: lambda value: (value.target,),
    Memoised: lambda value: (value.target, *value.results.values()),
    Managed: lambda value: (value.target, value.manager),
    Partial: lambda value: (value.function, *value.positional, *value.keywords.values()),
    Generator: lambda value: value.held,
    Manager: lambda value: value.held,
    Builtin: lambda value: value.held,
    SequenceValue: lambda value: value.items,
    MappingValue: lambda value: (*value.items.values(), *value.others),
    Union: lambda value: value.alternatives,
    WrapsDecorator: lambda value: (value.wrapped,),
    ContextManagerFunction: lambda value: (value.function,),
    FixtureValue: lambda value: (value.function,),
    ExportedFunction: lambda value: (value.function,),
    Suppress: lambda value: (value.classes,),
    Attrgetter: lambda value: value.names,
    Itemgetter: lambda value: value.keys,
    Methodcaller: lambda value: (value.name, *value.positional, *value.keywords.values()),
    FieldValue: lambda value: value.options.values(),
    ConversionDecorator: lambda value: (value.of, value.to),
    Sequential: lambda value: (value.layers,),
    # What it calls at the end is not known as values, but it is something that can be written to.
    ExitStack: lambda value: (),
}


def walk(scopes: Iterable[Scope], values: Iterable[Value]) -> Iterator[Scope | Value]:
    """What `scopes` and `values` hold, through any number of others, themselves included: each
    scope and each value once, but for values that can hold nothing, which are left out. The names
    around a function are part of it, but for those of its module, which `scopes` has."""
    held_by = _HELD_BY.get
    seen: set[int] = set()
    pending: list[Scope | Value | None] = [*scopes, *values]
    while pending:
        found = pending.pop()
        # Most of what is held holds nothing, and big programs hold it a million times over.
        if found is None or (held := held_by(type(found))) is None or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        pending.extend(held(found))


def all_reachable(roots: Iterable[Value]) -> set[int]:
    """The `id`s of the values that `roots` hold, of those that can hold others."""
    return {id(found) for found in walk((), roots)}
