"""What a run can write to, so that all of it can be put back: names, attributes, containers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from plum_jit_lint.static.interpreter.inspection import children
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
    seen: set[int] = set()
    pending = list(values)
    kept: list[object] = []

    def enter(scope: Scope | None) -> None:
        while scope is not None and id(scope) not in seen:
            seen.add(id(scope))
            undo.append(_of_scope(scope))
            pending.extend(scope.names.values())
            scope = scope.parent

    for scope in scopes:
        enter(scope)
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        # What is made on the way must not take the number of what is gone.
        kept.append(value)
        if isinstance(value, FunctionValue | ClassValue):
            enter(value.scope)
        one = _of_value(value)
        if one is not None:
            undo.append(one)
        pending.extend(children(value))

    def restore() -> None:
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


def _of_scope(scope: Scope) -> Undo:
    names, declared = scope.names, dict(scope.declared)
    bound = _of_dict(names)

    def restore() -> None:
        scope.names, scope.declared = names, dict(declared)
        bound()

    return restore


def _of_dict(found: dict[K, V]) -> Undo:
    before = dict(found)

    def restore() -> None:
        found.clear()
        found.update(before)

    return restore


def _of_value(value: Value) -> Undo | None:
    match value:
        case Instance():
            return _of_dict(value.attributes)
        case SequenceValue():
            return _of_items(value)
        case MappingValue():
            return _of_mapping(value)
        case FunctionValue():
            return _of_fields(value, "name", "qualname", "wraps", "annotations")
        case ClassValue():
            return _of_fields(value, "cls", "perhaps_pytree")
        case Memoised():
            return _of_dict(value.results)
        case Generator():
            return _of_generator(value)
        case Manager():
            return _of_list(value.entered)
        case ExitStack():
            return _of_list(value.leaving)
        case Wrapper():
            return _of_list(value.rules)
    return None


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
