"""Looking at objects and making them: `getattr`, `type`, `isinstance`, descriptors, fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.run import (
    attributes,
    operators,
)
from plum_jit_lint.static.run.annotations import hint_of
from plum_jit_lint.static.run.inspection import argument_of
from plum_jit_lint.static.run.machine import Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ClassValue,
    Descriptor,
    Instance,
    Items,
    Operation,
    Scope,
    Value,
    keyword_items,
    scalar,
)
from plum_jit_lint.static.types.answers import any_of
from plum_jit_lint.static.types.hints import Cls


def _descriptor(kind: str) -> Callable[[Run, Arguments, Place], Value]:
    def make(run: Run, arguments: Arguments, place: Place) -> Value:
        inner = arguments.get(0)
        return UNKNOWN if inner is None else Descriptor(kind, inner)  # type: ignore[arg-type]

    return make


def _new(run: Run, arguments: Arguments, place: Place) -> Value:
    cls = arguments.get(0)
    return Instance(cls, {}) if isinstance(cls, ClassValue) else UNKNOWN


def _setattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name, value = (arguments.get(i) for i in range(3))
    text = None if name is None else operators.literal(name)
    if owner is not None and value is not None and isinstance(text, str):
        attributes.set_attribute(run, owner, text, value)
    return NONE


def _getattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    text = None if name is None else operators.literal(name)
    if owner is not None and isinstance(text, str):
        return attributes.attribute(run, owner, text, place)
    return UNKNOWN


def _type(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    return given.cls if isinstance(given, Instance) else UNKNOWN


def _isinstance(run: Run, arguments: Arguments, place: Place) -> Value:
    value, cls = arguments.get(0), arguments.get(1)
    if value is None or cls is None:
        return scalar("bool")
    several = cls.items if isinstance(cls, Items) and cls.complete else [cls]
    given = argument_of(value)
    answers = [run.oracle.admits(hint_of(one, "a class"), given) for one in several]
    return scalar("bool", any_of(answers))


def _replaced(run: Run, arguments: Arguments, place: Place) -> Value:
    """`dataclasses.replace(x, ...)`: another object of the same class."""
    given = arguments.get(0, "obj")
    if isinstance(given, Instance):
        return Instance(given.cls, {**given.attributes, **arguments.keywords}, given.exact)
    return UNKNOWN


def _field(run: Run, arguments: Arguments, place: Place) -> Value:
    return Operation(keyword_items(arguments.keywords), "field")


def _namespace(run: Run, arguments: Arguments, place: Place) -> Value:
    """`types.SimpleNamespace(...)` and the like: an object with any attributes."""
    scope = Scope(run.scopes[-1].module, "class")
    cls = ClassValue(Cls("types.SimpleNamespace", opaque=True), scope, ())
    return Instance(cls, dict(arguments.keywords))


HANDLERS: Mapping[str, Callable[[Run, Arguments, Place], Value]] = {
    "builtins.isinstance": _isinstance,
    "dataclasses.replace": _replaced,
    "dataclasses.field": _field,
    "equinox.field": _field,
    "types.SimpleNamespace": _namespace,
    "types.ModuleType": _namespace,
    "builtins.staticmethod": _descriptor("staticmethod"),
    "builtins.classmethod": _descriptor("classmethod"),
    "builtins.property": _descriptor("property"),
    "functools.cached_property": _descriptor("cached_property"),
    "builtins.object.__new__": _new,
    "builtins.setattr": _setattr,
    "builtins.getattr": _getattr,
    "builtins.type": _type,
}
