"""Attributes: what they stand for on everything that the abstract run knows, and writing them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import jax
from plum_jit_lint.static.interpreter import (
    annotation_values,
    builtin_attributes,
    class_lookup,
    literals,
    loaded_modules,
    qualified_names,
    settings,
)
from plum_jit_lint.static.interpreter.class_lookup import (
    class_attribute,
    enum_member,
    is_abstract,
    is_enum,
    is_protocol,
    meta_attribute,
    protocol_members,
)
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.library_values import ContextManagerFunction
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Bound,
    BoundBuiltin,
    ClassValue,
    Descriptor,
    FunctionValue,
    Instance,
    Jitted,
    Managed,
    Memoised,
    ModuleValue,
    Partial,
    PlumFunction,
    Scope,
    Super,
    Symbol,
    Union,
    Value,
    Wrapper,
    join,
    namespace,
    scalar,
)
from plum_jit_lint.static.types.hints import HAVING
from plum_jit_lint.static.types.oracle import StaticOracle

K = TypeVar("K")


def attribute(run: Run, value: Value, name: str, place: Place) -> Value:
    """`value.name`."""
    handler = ATTRIBUTES.get(type(value))
    return TOP if handler is None else handler(run, value, name, place)


def _union_attribute(run: Run, value: Union, name: str, place: Place) -> Value:
    found: list[Value] = []
    for one in value.alternatives:
        with suppress(Raised):
            found.append(run.get_attribute(one, name, place))
    if not found:
        raise Raised
    return join(found)


def _symbol_attribute(run: Run, value: Symbol, name: str, place: Place) -> Value:
    full = f"{value.path}.{name}"
    if full == jax.DISABLE_JIT_FLAG:
        return scalar("bool", settings.jit_off(run))
    return run.state.replaced.get(full) or qualified_names.symbol(run.program.dispatchers, full)


def _module_attribute(run: Run, value: ModuleValue, name: str, place: Place) -> Value:
    lazy = value.module.lazy(name)
    if lazy is not None:
        return run.call(lazy, Arguments([scalar("str", name)]), place)
    return value.module.member(name)


def _class_attribute(run: Run, value: ClassValue, name: str, place: Place) -> Value:
    if name == "__dict__":
        return namespace(value.scope.names, value.scope.serial)
    if name in ("__name__", "__qualname__"):
        text = value.cls.name if name == "__qualname__" else value.cls.name.rpartition(".")[2]
        return scalar("str", text)
    found = class_attribute(value, name)
    if found is None:
        return _of_metaclass(run, value, name, place)
    if is_enum(value) and not isinstance(found, FunctionValue | Descriptor):
        return enum_member(value, name, found)
    match found:
        case Descriptor("staticmethod", inner):
            return inner
        case Descriptor("classmethod", inner):
            return Bound(inner, value)
        case Instance():
            return descriptor_get(run, found, NONE, value, place)
    return found


def _super_attribute(run: Run, value: Super, name: str, place: Place) -> Value:
    cls, receiver = value.cls, value.receiver
    if name == "__new__":
        return Symbol("builtins.object.__new__")
    order = class_lookup.mro(receiver.cls if isinstance(receiver, Instance) else cls)
    if isinstance(receiver, ClassValue) and cls in class_lookup.mro(receiver):
        order = class_lookup.mro(receiver)
    after = order[order.index(cls) + 1 :] if cls in order else []
    for one in after:
        if name in one.scope.names:
            return run.bind(one.scope.names[name], receiver, place)
    if name in ("__setattr__", "__getattribute__"):
        return Partial(Symbol(f"builtins.object.{name}"), (receiver,), {})
    if name == "__call__" and isinstance(receiver, ClassValue):
        return Partial(Symbol("builtins.type.__call__"), (receiver,), {})
    return TOP


def _instance_attribute(run: Run, instance: Instance, name: str, place: Place) -> Value:
    if name in instance.attributes:
        return instance.attributes[name]
    if name == "__dict__":
        return namespace(instance.attributes, instance.serial)
    if name == "__class__":
        return instance.cls
    found = class_attribute(instance.cls, name)
    if found is not None:
        if isinstance(found, Descriptor) and found.kind == "cached_property":
            made = run.call(found.value, Arguments([instance]), place)
            instance.attributes[name] = made
            return made
        if not instance.exact:
            found = join([found, *overridden(run, instance.cls, name)])
        return run.bind(found, instance, place)
    field = annotated_field(run, instance.cls, name)
    if field is not None:
        return field
    lookup = class_attribute(instance.cls, "__getattr__")
    if lookup is not None and not name.startswith("__"):
        bound = Bound(lookup, instance)
        return run.call(bound, Arguments([scalar("str", name)]), place)
    return TOP


# A handler takes the one type that it stands under.
ATTRIBUTES: Mapping[type, Callable[[Run, Any, str, Place], Value]] = {
    **builtin_attributes.HANDLERS,
    Union: _union_attribute,
    Symbol: _symbol_attribute,
    ModuleValue: _module_attribute,
    Instance: _instance_attribute,
    ClassValue: _class_attribute,
    Super: _super_attribute,
}


def overridden(run: Run, cls: ClassValue, name: str) -> list[Value]:
    """What the known subclasses of a class make of a method: an object may be of one of them.
    A protocol stands for every class that has what it asks for."""
    wanted = protocol_members(cls)
    return [
        other.scope.names[name]
        for other in run.classes()
        if name in other.scope.names
        and other is not cls
        and (cls in class_lookup.mro(other) or (wanted and not is_protocol(other)))
        and all(class_attribute(other, one) or one in other.annotated for one in wanted)
    ]


COMMON = {
    *(name for kind in (list, dict, str, set, int, float, complex) for name in dir(kind)),
    *("all", "any", "argmax", "argmin", "astype", "clip", "cumsum", "dot", "flatten", "item"),
    *("max", "mean", "min", "prod", "ravel", "reshape", "round", "squeeze", "std", "sum"),
    *("swapaxes", "take", "tolist", "trace", "transpose", "var", "view", "read", "write", "close"),
}
"""Methods that arrays, containers and files have, whatever classes of the program have too."""


def of_anything(run: Run, name: str) -> Value:
    """The method `name` of an object of which nothing is known: followed where one class of the
    program, and no other, defines it."""
    if name.startswith("__") or name in COMMON:
        return TOP
    known = {
        cls.cls.name: cls
        for cls in run.classes()
        if name in cls.scope.names and not is_protocol(cls)
    }
    if len(known) != 1:
        return TOP
    (cls,) = known.values()
    found = cls.scope.names[name]
    if not isinstance(found, FunctionValue | PlumFunction | Jitted | Wrapper):
        return TOP
    return Union((Bound(found, Instance(cls, {}, exact=False)), TOP))


def special(run: Run, value: Value, name: str, place: Place) -> Value | None:
    """The special method of an object, found on its class, that of a class on its metaclass."""
    if isinstance(value, Instance):
        found = class_attribute(value.cls, name)
        return None if found is None else run.bind(found, value, place)
    if not isinstance(value, ClassValue):
        return None
    if name in ("__class_getitem__", "__init_subclass__"):
        found = class_attribute(value, name)
        found = found.value if isinstance(found, Descriptor) else found
        return None if found is None else Bound(found, value)
    found = meta_attribute(value, name)
    return None if found is None else run.bind(found, value, place)


def bind(run: Run, found: Value, receiver: Value, place: Place) -> Value:
    """What an attribute of a class is when it is taken from an instance."""
    match found:
        case FunctionValue() | PlumFunction() | ContextManagerFunction():
            return Bound(found, receiver)
        case Jitted() | Wrapper() | Memoised() | Managed():
            return Bound(found, receiver)
        case Descriptor("staticmethod", inner):
            return inner
        case Descriptor("classmethod", inner):
            return Bound(inner, receiver.cls if isinstance(receiver, Instance) else receiver)
        case Descriptor("partialmethod", Partial(function, positional, keywords)):
            return Partial(Bound(function, receiver), positional, keywords)
        case Descriptor("property", inner):
            return run.call(inner, Arguments([receiver]), place)
        case Union(alternatives):
            return join([run.bind(one, receiver, place) for one in alternatives])
        case Instance():
            cls = receiver.cls if isinstance(receiver, Instance) else receiver
            return descriptor_get(run, found, receiver, cls, place)
    return found


def descriptor_get(run: Run, found: Instance, receiver: Value, owner: Value, place: Place) -> Value:
    """What a descriptor of the program gives when it is taken from an object or a class."""
    get = class_attribute(found.cls, "__get__")
    if get is None:
        return found
    return run.call(run.bind(get, found, place), Arguments([receiver, owner]), place)


def _of_metaclass(run: Run, cls: ClassValue, name: str, place: Place) -> Value:
    """What a class takes from its metaclass; an abstract class can `register` others."""
    found = meta_attribute(cls, name)
    if found is not None:
        return run.bind(found, cls, place)
    if name == "register" and is_abstract(cls):
        return BoundBuiltin(cls, "register")
    lookup = meta_attribute(cls, "__getattr__")
    if lookup is not None and not name.startswith("__"):
        return run.call(lookup, Arguments([cls, scalar("str", name)]), place)
    return TOP


def set_attribute(run: Run, owner: Value, name: str, value: Value, place: Place) -> None:
    """`owner.name = value`."""
    match owner:
        case Instance():
            described = class_attribute(owner.cls, name)
            if isinstance(described, Instance):
                method = special(run, described, "__set__", place)
                if method is not None:
                    run.call(method, Arguments([owner, value]), place)
                    return
            write(run, owner.serial, owner.attributes, name, value)
        case ClassValue():
            if name in HAVING:
                owner.cls = dataclasses.replace(owner.cls, methods=None)
                run.state.oracle = StaticOracle()
            write(run, owner.scope.serial, owner.scope.names, name, value)
        case ModuleValue(module):
            loaded_modules.look_imports_up(run, module)
            write(run, module.scope.serial, module.scope.names, name, value, module.scope)
        case Symbol(path):
            full = f"{path}.{name}"
            run.state.replaced.setdefault(
                full, qualified_names.symbol(run.program.dispatchers, full)
            )
            write(run, 0, run.state.replaced, full, value)
        case FunctionValue() if name == "__name__":
            text = literals.literal(value)
            if isinstance(text, str):
                owner.name = text
        case FunctionValue() if name == "__annotations__":
            owner.annotations = value
        case FunctionValue() if name == "__qualname__":
            text = literals.literal(value)
            if isinstance(text, str):
                owner.qualname = text


def unbind(run: Run, owner: Value, name: str) -> None:
    """`del owner.name`."""
    match owner:
        case Instance():
            serial, names = owner.serial, owner.attributes
        case ClassValue():
            serial, names = owner.scope.serial, owner.scope.names
        case ModuleValue(module):
            loaded_modules.look_imports_up(run, module)
            serial, names = module.scope.serial, module.scope.names
        case _:
            return
    if not run.now.is_weak(serial):
        run.changed()
        names.pop(name, None)


def write(
    run: Run,
    serial: int,
    names: dict[K, Value],
    name: K,
    value: Value,
    scope: Scope | None = None,
) -> None:
    """Writes to something that other branches see too: there the old value may stay."""
    run.changed()
    old = names.get(name)
    if old is not None and run.now.is_weak(serial, scope):
        value = join([old, value])
    names[name] = value


def annotated_field(run: Run, cls: ClassValue, name: str) -> Value | None:
    """What the annotation of a field tells of it."""
    for one in class_lookup.mro(cls):
        if name in one.annotated:
            return annotation_values.typed(run, one.scope, one.annotated[name])
    return None
