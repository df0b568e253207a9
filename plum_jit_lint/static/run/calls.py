"""Attributes and calls of everything that the abstract run knows."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeVar

from plum_jit_lint.findings import Place
from plum_jit_lint.static.run import (
    choices,
    functions,
    library,
    operators,
    plum_calls,
    registering,
    standard_calls,
    tracing,
    transforms,
)
from plum_jit_lint.static.run.inspection import fingerprint
from plum_jit_lint.static.run.machine import Raised, Run
from plum_jit_lint.static.run.values import (
    UNKNOWN,
    Arguments,
    Bound,
    ClassValue,
    Compiled,
    Data,
    Descriptor,
    DictItems,
    DispatcherValue,
    Func,
    Instance,
    Items,
    Jitted,
    Lowered,
    Memoised,
    ModuleValue,
    OneOf,
    Operation,
    Partial,
    PlumFunction,
    Registrar,
    Scope,
    Super,
    Symbol,
    Value,
    Wrapper,
    array,
    join,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg

K = TypeVar("K")

SAME_ARRAY = {"at", "value"}
"""Attributes of an array that are the array, or are subscripted like it."""

OTHER_ARRAY = {"T", "mT", "real", "imag"}
"""Attributes of an array that are arrays of another shape or dtype."""

NUMBERS_OF_ARRAY = {"ndim", "size", "itemsize", "nbytes"}


# -- attributes ------------------------------------------------------------------------------


def attribute(run: Run, value: Value, name: str, place: Place) -> Value:
    """`value.name`."""
    match value:
        case OneOf(alternatives):
            return join([attribute(run, one, name, place) for one in alternatives])
        case Symbol(path):
            return library.symbol(run.program.dispatchers, f"{path}.{name}")
        case ModuleValue(module):
            lazy = module.lazy(name)
            if lazy is not None:
                return call(run, lazy, Arguments([scalar("str", name)]), place)
            return module.member(name)
        case Instance():
            return _instance_attribute(run, value, name, place)
        case ClassValue():
            found = class_attribute(value, name)
            if is_enum(value) and found is not None and not isinstance(found, Func | Descriptor):
                return Instance(value, {"value": found, "name": scalar("str", name)})
            match found:
                case None:
                    return UNKNOWN
                case Descriptor("staticmethod", inner):
                    return inner
                case Descriptor("classmethod", inner):
                    return Bound(inner, value)
            return found
        case Super(cls, receiver):
            if name == "__new__":
                return Symbol("builtins.object.__new__")
            order = functions.mro(receiver.cls if isinstance(receiver, Instance) else cls)
            after = order[order.index(cls) + 1 :] if cls in order else []
            for one in after:
                if name in one.scope.names:
                    return bind(run, one.scope.names[name], receiver, place)
            return UNKNOWN
        case Func() | PlumFunction() | Jitted() | Wrapper() | Bound() if name == "__call__":
            return value
        case PlumFunction():
            return Registrar(value) if name == "dispatch" else Operation(value, name)
        case Bound(function=PlumFunction() as function):
            return attribute(run, function, name, place)
        case Jitted() | Wrapper() if name == "__wrapped__":
            return value.target
        case Func() if name in ("__func__", "__wrapped__"):
            return value.wraps or value
        case Bound() if name == "__func__":
            return value.function
        case Bound() if name == "__self__":
            return value.receiver
        case Data(ArrayArg()) if name in SAME_ARRAY:
            return value
        case Data(ArrayArg(traced)) if name in OTHER_ARRAY:
            return array(traced)
        case Data(ArrayArg(_, shape)) if name in NUMBERS_OF_ARRAY:
            known = len(shape) if name == "ndim" and shape is not None else None
            return scalar("int", known)
        case Data(ArrayArg(_, shape)) if name == "shape":
            if shape is not None:
                return Items("tuple", [scalar("int", size) for size in shape])
            return Items("tuple", [scalar("int")], complete=False, alike=True)
        case Data(ArrayArg()) if name in ("shape", "dtype", "sharding", "device", "weak_type"):
            return UNKNOWN
        case (
            DispatcherValue()
            | Jitted()
            | Lowered()
            | Items()
            | DictItems()
            | Memoised()
            | Data()
            | Bound()
            | Partial()
            | Wrapper()
        ):
            return Operation(value, name)
    return UNKNOWN


def _instance_attribute(run: Run, instance: Instance, name: str, place: Place) -> Value:
    if name in instance.attributes:
        return instance.attributes[name]
    if name == "__class__":
        return instance.cls
    found = class_attribute(instance.cls, name)
    if found is not None:
        if isinstance(found, Descriptor) and found.kind == "cached_property":
            made = call(run, found.value, Arguments([instance]), place)
            instance.attributes[name] = made
            return made
        if not instance.exact:
            found = join([found, *overridden(run, instance.cls, name)])
        return bind(run, found, instance, place)
    field = functions.annotated_field(run, instance.cls, name)
    if field is not None:
        return field
    lookup = class_attribute(instance.cls, "__getattr__")
    if lookup is not None and not name.startswith("__"):
        bound = Bound(lookup, instance)
        return call(run, bound, Arguments([scalar("str", name)]), place)
    return UNKNOWN


def overridden(run: Run, cls: ClassValue, name: str) -> list[Value]:
    """What the known subclasses of a class make of a method: an object may be of one of them."""
    return [
        other.scope.names[name]
        for other in run.program.classes
        if other is not cls and name in other.scope.names and cls in functions.mro(other)
    ]


def is_enum(cls: ClassValue) -> bool:
    """Whether the attributes of a class are its members."""
    return any(
        isinstance(base, Symbol) and base.path.startswith("enum.")
        for one in functions.mro(cls)
        for base in one.bases
    )


def class_attribute(cls: ClassValue, name: str) -> Value | None:
    """What a class or one of its bases defines under a name, unbound."""
    for one in functions.mro(cls):
        if name in one.scope.names:
            return one.scope.names[name]
    return None


def bind(run: Run, found: Value, receiver: Value, place: Place) -> Value:
    """What an attribute of a class is when it is taken from an instance."""
    match found:
        case Func() | PlumFunction() | Jitted() | Wrapper() | Memoised():
            return Bound(found, receiver)
        case Descriptor("staticmethod", inner):
            return inner
        case Descriptor("classmethod", inner):
            return Bound(inner, receiver.cls if isinstance(receiver, Instance) else receiver)
        case Descriptor("property", inner):
            return call(run, inner, Arguments([receiver]), place)
        case OneOf(alternatives):
            return join([bind(run, one, receiver, place) for one in alternatives])
    return found


def set_attribute(run: Run, owner: Value, name: str, value: Value) -> None:
    """`owner.name = value`."""
    match owner:
        case Instance():
            write(run, owner.serial, owner.attributes, name, value)
        case ClassValue():
            write(run, owner.scope.serial, owner.scope.names, name, value)
        case ModuleValue(module):
            write(run, module.scope.serial, module.scope.names, name, value, module.scope)
        case Func() if name == "__name__":
            text = operators.literal(value)
            if isinstance(text, str):
                owner.name = text
        case Func() if name == "__annotations__":
            owner.annotations = value
        case Func() if name == "__qualname__":
            text = operators.literal(value)
            if isinstance(text, str):
                owner.qualname = text


def write(
    run: Run,
    serial: int,
    names: dict[K, Value],
    name: K,
    value: Value,
    scope: Scope | None = None,
) -> None:
    """Writes to something that other arms see too: there the old value may stay."""
    run.changed()
    old = names.get(name)
    if old is not None and run.is_weak(serial, scope):
        value = join([old, value])
    names[name] = value


# -- calls -----------------------------------------------------------------------------------


def call(run: Run, callee: Value, arguments: Arguments, place: Place) -> Value:
    """`callee(arguments)`, called at `place`."""
    match callee:
        case Operation(Func() as function, "contextmanager"):
            return Operation(
                Partial(function, tuple(arguments.positional), arguments.keywords), "manager"
            )
        case Func():
            return functions.call_function(run, callee, arguments, place)
        case Bound(function, receiver):
            positional = [receiver, *arguments.positional]
            inner = Arguments(
                positional, arguments.keywords, arguments.open, arguments.open_keywords
            )
            return call(run, function, inner, place)
        case Symbol(path):
            return library.call(run, path, arguments, place)
        case PlumFunction():
            return choices.call_dispatched(run, callee, arguments, place)
        case Jitted():
            return tracing.call_jitted(run, callee, arguments, place)
        case Wrapper():
            for rule in callee.rules if run.differentiating else ():
                transforms.may_call(run, Arguments([rule]), place)
            return transforms.call_wrapper(run, callee, arguments, place)
        case Partial(function, positional, keywords):
            inner = Arguments(
                [*positional, *arguments.positional],
                {**keywords, **arguments.keywords},
                arguments.open,
                arguments.open_keywords,
            )
            return call(run, function, inner, place)
        case ClassValue():
            return functions.construct(run, callee, arguments, place)
        case Instance():
            method = class_attribute(callee.cls, "__call__")
            if method is None:
                return UNKNOWN
            return call(run, bind(run, method, callee, place), arguments, place)
        case Memoised(target, known):
            key = (tuple(map(fingerprint, arguments.values())), tuple(arguments.keywords))
            if key not in known:
                known[key] = call(run, target, arguments, place)
            return known[key]
        case DispatcherValue() | Registrar():
            return registering.call_registrar(run, callee, arguments, place)
        case Operation(receiver, name):
            return _operate(run, receiver, name, arguments, place)
        case Compiled():
            return tracing.use_compiled(run, callee, place)
        case OneOf(alternatives):
            results: list[Value] = []
            for conditions, one in zip(run.arms(len(alternatives)), alternatives, strict=True):
                with run.under(*conditions), suppress(Raised):
                    results.append(call(run, one, arguments, place))
            if not results:
                raise Raised
            return join(results)
        case Descriptor("staticmethod", inner):
            return call(run, inner, arguments, place)
    transforms.may_call(run, arguments, place)
    return UNKNOWN


def _operate(run: Run, receiver: Value, name: str, arguments: Arguments, place: Place) -> Value:
    """A call of a method of something that the run knows by itself."""
    first = arguments.get(0)
    if name == "wraps" and isinstance(first, Func):
        first.wraps = receiver
        return first
    if isinstance(receiver, Wrapper):
        if first is not None and name.startswith("def"):
            receiver.rules.extend(arguments.positional)
            return first
        return UNKNOWN
    if isinstance(receiver, Partial):
        # A thread: it runs when it is started.
        return call(run, receiver, Arguments([]), place) if name == "start" else UNKNOWN
    if isinstance(receiver, Data) and first is not None and name in ("submit", "map"):
        if name == "submit":
            return call(run, first, arguments.after(1), place)
        return functions.expand(run, library.call(run, "builtins.map", arguments, place))
    if name == "exported" and isinstance(receiver, Jitted):
        return tracing.operate(run, receiver, "lower", arguments, place)
    if name == "attach" and isinstance(receiver, DictItems) and first is not None:
        return standard_calls.attached(run, receiver, first, place)
    if name == "conversion" and isinstance(receiver, Items) and first is not None:
        plum_calls.register_conversion(run, receiver.items[0], receiver.items[1], first, place)
        return first
    match receiver:
        case DispatcherValue() | PlumFunction():
            return registering.operate(run, receiver, name, arguments, place)
        case Jitted() | Lowered():
            return tracing.operate(run, receiver, name, arguments, place)
        case Data(ArrayArg(traced)):
            if name == "item":
                return UNKNOWN
            return array(traced)
        case Items():
            return _items_method(run, receiver, name, arguments)
        case DictItems():
            return _dict_method(run, receiver, name, arguments)
        case Memoised() if name == "cache_clear":
            receiver.results.clear()
    return UNKNOWN


def _items_method(run: Run, items: Items, name: str, arguments: Arguments) -> Value:
    first = arguments.get(0)
    if name not in ("index", "count", "copy"):
        run.changed()
    if run.is_weak(items.serial):
        items.complete = False
        items.alike = True
    if name == "append" and first is not None:
        items.items.append(first)
    elif name in ("extend", "add", "insert", "remove", "pop", "clear", "sort", "reverse"):
        if name in ("extend", "update") and isinstance(first, Items):
            items.items.extend(first.items)
            items.complete = items.complete and first.complete
        elif name == "add" and first is not None:
            items.items.append(first)
        elif name == "pop":
            return join(items.items) if items.items else UNKNOWN
        else:
            items.complete = False
    return UNKNOWN


def _dict_method(run: Run, mapping: DictItems, name: str, arguments: Arguments) -> Value:
    values = [*mapping.items.values(), *mapping.others]
    first, second = arguments.get(0), arguments.get(1)
    key = operators.literal(first) if first is not None else None
    if name in ("get", "pop", "setdefault"):
        if isinstance(key, str | int) and key in mapping.items:
            return mapping.items[key]
        if name == "setdefault" and second is not None:
            if isinstance(key, str | int):
                mapping.items[key] = second
            else:
                mapping.others.append(second)
        return join([*values, *([second] if second is not None else [])])
    if name in ("clear", "popitem", "pop", "setdefault", "update"):
        run.changed()
    if name in ("clear", "popitem"):
        mapping.items.clear()
        mapping.others.clear()
    if name == "values":
        return Items("list", values, not mapping.others)
    if name == "keys":
        known = [scalar("str" if isinstance(k, str) else "int", k) for k in mapping.items]
        return Items("list", list(known), not mapping.others)
    if name == "items":
        pairs: list[Value] = [
            Items("tuple", [scalar("str" if isinstance(k, str) else "int", k), v])
            for k, v in mapping.items.items()
        ]
        return Items("list", pairs, not mapping.others)
    if name == "update" and isinstance(first, DictItems):
        mapping.items.update(first.items)
        mapping.others.extend(first.others)
    return UNKNOWN
