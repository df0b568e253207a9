"""What a run can write to, so that all of it can be put back: names, attributes, containers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from plum_jit_lint.static.interpreter.inspection import walk
from plum_jit_lint.static.interpreter.values import (
    ClassValue,
    ExitStack,
    FunctionValue,
    Generator,
    Instance,
    Manager,
    MappingValue,
    Memoised,
    Scope,
    SequenceValue,
    Value,
    Wrapper,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

K = TypeVar("K")
V = TypeVar("V")

Undo = Callable[[], None]


def remember(scopes: Iterable[Scope], values: Iterable[Value]) -> Undo:
    """Notes what `scopes`, `values` and all that they hold are now; what is returned puts it back,
    as often as it is called. Objects that are made later are nobody's by then."""
    undo: list[Undo] = []
    # These two are nearly all that there is: a call for each of them would be felt.
    bound: list[tuple[Scope, dict[str, Value], dict[str, Value]]] = []
    functions: list[tuple[FunctionValue, str, str, Value | None, Value | None]] = []
    for found in walk(scopes, values):
        if isinstance(found, FunctionValue):
            functions.append((found, found.name, found.qualname, found.wraps, found.annotations))
        elif isinstance(found, Scope):
            bound.append((found, found.names, dict(found.names)))
            if found.declared:
                undo.append(_of_dict(found.declared))
        elif (note := _NOTED.get(type(found))) is not None:
            undo.append(note(found))

    def restore() -> None:
        for scope, names, before in bound:
            scope.names = names
            names.clear()
            names.update(before)
        for value, name, qualname, wraps, signature in functions:
            value.name, value.qualname = name, qualname
            value.wraps, value.annotations = wraps, signature
        for one in undo:
            one()

    return restore


def remember_fields(known: DataclassInstance) -> Undo:
    """Notes what all fields are, and what the lists, dicts and sets in them hold; what is returned
    puts it back, as often as it is called."""
    undo = [_of_field(known, one.name) for one in fields(known)]

    def restore() -> None:
        for one in undo:
            one()

    return restore


def _of_field(known: DataclassInstance, name: str) -> Undo:
    value = getattr(known, name)
    contents: Undo | None = None
    if isinstance(value, dict):
        contents = _of_dict(value)
    elif isinstance(value, list):
        contents = _of_list(value)
    elif isinstance(value, set):
        contents = _of_set(value)

    def restore() -> None:
        setattr(known, name, value)
        if contents is not None:
            contents()

    return restore


def _of_set(found: set[V]) -> Undo:
    before = set(found)

    def restore() -> None:
        found.clear()
        found.update(before)

    return restore


def _of_dict(found: dict[K, V]) -> Undo:
    before = dict(found)

    def restore() -> None:
        found.clear()
        found.update(before)

    return restore


def _of_list(found: list[V]) -> Undo:
    before = list(found)

    def restore() -> None:
        found[:] = before

    return restore


def _of_generator(value: Generator) -> Undo:
    result = _of_fields(value, "result")
    if value.suspension is None:
        return result
    suspended = value.suspension.remember()

    def restore() -> None:
        result()
        suspended()

    return restore


def _of_items(value: SequenceValue) -> Undo:
    items, flags = list(value.items), _of_fields(value, "complete", "uniform")

    def restore() -> None:
        value.items[:] = items
        flags()

    return restore


def _of_mapping(value: MappingValue) -> Undo:
    items, others = _of_dict(value.items), list(value.others)

    def restore() -> None:
        items()
        value.others[:] = others

    return restore


def _of_fields(value: object, *names: str) -> Undo:
    before = {name: getattr(value, name) for name in names}

    def restore() -> None:
        for name, one in before.items():
            setattr(value, name, one)

    return restore


# A handler takes the one type that it stands under.
_NOTED: Mapping[type, Callable[[Any], Undo]] = {
    Instance: lambda value: _of_dict(value.attributes),
    SequenceValue: _of_items,
    MappingValue: _of_mapping,
    ClassValue: lambda value: _of_fields(value, "cls", "perhaps_pytree"),
    Memoised: lambda value: _of_dict(value.results),
    Generator: _of_generator,
    Manager: lambda value: _of_list(value.entered),
    ExitStack: lambda value: _of_list(value.leaving),
    Wrapper: lambda value: _of_list(value.rules),
}
