"""Attributes and calls of everything that the abstract run knows."""

from __future__ import annotations

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
from plum_jit_lint.static.run.machine import Run
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
    Super,
    Symbol,
    Value,
    Wrapper,
    array,
    join,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg

SAME_ARRAY = {"T", "mT", "real", "imag", "at", "value"}
"""Attributes of an array that are arrays, or are subscripted like one."""

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
            match found:
                case None:
                    return UNKNOWN
                case Descriptor("staticmethod", inner):
                    return inner
                case Descriptor("classmethod", inner):
                    return Bound(inner, value)
            return found
        case Super(cls, receiver):
            for base in cls.bases:
                if isinstance(base, ClassValue):
                    found = class_attribute(base, name)
                    if found is not None:
                        return bind(run, found, receiver, place)
            return UNKNOWN
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
        case Data(ArrayArg()) if name in NUMBERS_OF_ARRAY:
            return scalar("int")
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
        return bind(run, found, instance, place)
    return functions.annotated_field(run, instance.cls, name) or UNKNOWN


def class_attribute(cls: ClassValue, name: str) -> Value | None:
    """What a class or one of its bases defines under a name, unbound."""
    if name in cls.scope.names:
        return cls.scope.names[name]
    for base in cls.bases:
        if isinstance(base, ClassValue):
            found = class_attribute(base, name)
            if found is not None:
                return found
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
            owner.attributes[name] = value
        case ClassValue():
            owner.scope.names[name] = value
        case ModuleValue(module):
            module.scope.names[name] = value
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


# -- calls -----------------------------------------------------------------------------------


def call(run: Run, callee: Value, arguments: Arguments, place: Place) -> Value:
    """`callee(arguments)`, called at `place`."""
    match callee:
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
        case Memoised(target, result):
            if result is None:
                callee.result = result = call(run, target, arguments, place)
            return result
        case DispatcherValue() | Registrar():
            return registering.call_registrar(run, callee, arguments, place)
        case Operation(receiver, name):
            return _operate(run, receiver, name, arguments, place)
        case Compiled():
            return tracing.use_compiled(run, callee, place)
        case OneOf(alternatives):
            results: list[Value] = []
            for conditions, one in zip(run.arms(len(alternatives)), alternatives, strict=True):
                with run.under(*conditions):
                    results.append(call(run, one, arguments, place))
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
            return _items_method(receiver, name, arguments)
        case DictItems():
            return _dict_method(receiver, name, arguments)
        case Memoised() if name == "cache_clear":
            receiver.result = None
    return UNKNOWN


def _items_method(items: Items, name: str, arguments: Arguments) -> Value:
    first = arguments.get(0)
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


def _dict_method(mapping: DictItems, name: str, arguments: Arguments) -> Value:
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
