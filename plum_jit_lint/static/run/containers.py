"""Tuples, lists, sets and dicts of which the members are known: items, slices, methods."""

from __future__ import annotations

from collections.abc import Sequence

from plum_jit_lint.findings import Place
from plum_jit_lint.static.run import attributes, calls, operators
from plum_jit_lint.static.run.machine import Run
from plum_jit_lint.static.run.values import (
    UNKNOWN,
    Arguments,
    Data,
    DictItems,
    Instance,
    Items,
    Value,
    array,
    join,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg

MOST_ITERATIONS = 20
"""Members of a loop over a known sequence that are run one by one."""


def sliced(value: Value) -> Value:
    """`value[a:b]`: some of the members."""
    match value:
        case Items():
            return Items(value.kind, list(value.items), complete=False, alike=True)
        case Data(ArrayArg(traced)):
            return array(traced)
    return UNKNOWN


def item_of(run: Run, value: Value, index: Sequence[Value], place: Place) -> Value:
    """`value[index]`."""
    key = operators.literal(index[0]) if len(index) == 1 else None
    match value:
        case Data(ArrayArg(traced)):
            return array(traced)
        case Items() if isinstance(key, int) and -len(value.items) <= key < len(value.items):
            return value.items[key] if value.complete else join(value.items)
        case Items():
            return join(value.items) if value.complete or value.alike else UNKNOWN
        case DictItems() if isinstance(key, str | int) and key in value.items:
            return value.items[key]
        case DictItems():
            return join([*value.items.values(), *value.others])
        case Instance():
            method = attributes.class_attribute(value.cls, "__getitem__")
            if method is not None:
                bound = attributes.bind(run, method, value, place)
                return calls.call(run, bound, Arguments(list(index[:1])), place)
    return UNKNOWN


def members(value: Value) -> list[Value] | None:
    """What a loop over a value goes through, `None` where that is not known."""
    match value:
        case Items() if value.complete:
            distinct = value.items
            if len(distinct) > MOST_ITERATIONS:
                distinct = list({id(one): one for one in value.items}.values())
            return distinct if len(distinct) <= MOST_ITERATIONS else None
        case DictItems() if not value.others and len(value.items) <= MOST_ITERATIONS:
            kinds = {str: "str", int: "int"}
            return [scalar(kinds[type(key)], key) for key in value.items]
    return None


def element(value: Value) -> Value:
    """One member of something that is looped over."""
    match value:
        case Items():
            return join(value.items) if value.complete or value.alike else UNKNOWN
        case Data(ArrayArg(traced)):
            return array(traced)
    return UNKNOWN


def call_items(run: Run, items: Items, name: str, arguments: Arguments) -> Value:
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


def call_dict(run: Run, mapping: DictItems, name: str, arguments: Arguments) -> Value:
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
        run.released(Items("list", values))
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
