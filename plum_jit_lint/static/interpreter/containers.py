"""Tuples, lists, sets and dicts of which the members are known: items, slices, methods."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from plum_jit_lint.events import FunctionId
from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge.standard import LOADED_MODULES
from plum_jit_lint.limits import MOST_ITERATIONS, MOST_MEMBERS
from plum_jit_lint.static.interpreter import (
    arrays,
    attributes,
    class_lookup,
    exceptions,
    iteration,
    known_values,
    literals,
    loaded_modules,
    operators,
)
from plum_jit_lint.static.interpreter.class_lookup import as_tuple, is_named_tuple
from plum_jit_lint.static.interpreter.library_values import ArrayUpdater, FunctionTable
from plum_jit_lint.static.interpreter.literals import key_of, of_key
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    SLICE,
    TOP,
    WHOLE,
    Arguments,
    ClassValue,
    Imported,
    Instance,
    MappingValue,
    ModuleValue,
    PlumFunction,
    SequenceValue,
    Symbol,
    Typed,
    Union,
    Value,
    join,
    scalar,
)
from plum_jit_lint.static.types.hints import BUILTIN, ArrayArg, InstanceArg

SYS_MODULES = Symbol(LOADED_MODULES)


def item_of(run: Run, value: Value, index: Sequence[Value], place: Place) -> Value:
    """`value[index]`."""
    handler = ITEMS.get(type(value))
    return TOP if handler is None else handler(run, value, index, place)


def _key(index: Sequence[Value]) -> Hashable | None:
    return key_of(index[0]) if len(index) == 1 else key_of(SequenceValue("tuple", list(index)))


def _of_array(run: Run, value: Typed, index: Sequence[Value], place: Place) -> Value:
    array = value.argument
    return arrays.indexed(array, index) if isinstance(array, ArrayArg) else TOP


def _of_sequence(run: Run, value: SequenceValue, index: Sequence[Value], place: Place) -> Value:
    if list(index) in ([SLICE], [WHOLE]):
        whole = index[0] == WHOLE and value.complete
        return SequenceValue(value.kind, list(value.items), complete=whole, uniform=True)
    key = _key(index)
    exact = value.complete and not value.repeated
    if isinstance(key, int) and -len(value.items) <= key < len(value.items):
        return value.items[key] if exact else join(value.items)
    if isinstance(key, int) and exact and value.kind != "set":
        exceptions.fail(run, "IndexError")
    return join(value.items) if value.complete or value.uniform else TOP


def _of_mapping(run: Run, value: MappingValue, index: Sequence[Value], place: Place) -> Value:
    key = _key(index)
    if key in value.items:
        return _looked_up(run, value.items[key])
    if value.factory is not None and key is not None:
        made = run.call(value.factory, Arguments([]), place)
        attributes.write(run, value.serial, value.items, key, made)
        return made
    if key is not None and not value.others:
        exceptions.fail(run, "KeyError")
    return join([*(_looked_up(run, one) for one in value.items.values()), *value.others])


def _of_symbol(run: Run, value: Symbol, index: Sequence[Value], place: Place) -> Value:
    key = _key(index)
    found = (
        loaded_modules.loaded(run, key) if value == SYS_MODULES and isinstance(key, str) else None
    )
    return TOP if found is None else ModuleValue(found)


def _of_function_table(
    run: Run, value: FunctionTable, index: Sequence[Value], place: Place
) -> Value:
    key = _key(index)
    return PlumFunction(FunctionId(value.dispatcher, None, key)) if isinstance(key, str) else TOP


def _of_instance(run: Run, value: Instance, index: Sequence[Value], place: Place) -> Value:
    if is_named_tuple(value.cls):
        return item_of(run, as_tuple(value), index, place)
    return _by_getitem(run, value, index, place)


def _of_class(run: Run, value: ClassValue, index: Sequence[Value], place: Place) -> Value:
    key = _key(index)
    if class_lookup.is_enum(value) and isinstance(key, str):
        return run.get_attribute(value, key, place)
    return _by_getitem(run, value, index, place)


def _by_getitem(run: Run, value: Value, index: Sequence[Value], place: Place) -> Value:
    given = Arguments([_as_index(index)])
    return operators.by_method(run, value, "__getitem__", given, place) or TOP


def _of_union(run: Run, value: Union, index: Sequence[Value], place: Place) -> Value:
    return join([item_of(run, one, index, place) for one in value.alternatives])


# A handler takes the one type that it stands under.
ITEMS: Mapping[type, Callable[[Run, Any, Sequence[Value], Place], Value]] = {
    Typed: _of_array,
    # `x.at[i]` is used as `x.at` is.
    ArrayUpdater: lambda run, value, index, place: value,
    SequenceValue: _of_sequence,
    MappingValue: _of_mapping,
    Symbol: _of_symbol,
    FunctionTable: _of_function_table,
    Instance: _of_instance,
    ClassValue: _of_class,
    Union: _of_union,
}


def _looked_up(run: Run, value: Value) -> Value:
    """`globals()` may hold an import that nothing has asked for yet."""
    return run.now.scope.module.imported(value) if isinstance(value, Imported) else value


def store(run: Run, container: Value, index: Sequence[Value], value: Value, place: Place) -> None:
    """`container[index] = value`."""
    key = _key(index)
    match container:
        case Symbol() if (
            container == SYS_MODULES and isinstance(key, str) and isinstance(value, ModuleValue)
        ):
            loaded_modules.load(run, key, value.module)
        case MappingValue() if key is not None:
            attributes.write(run, container.serial, container.items, key, value)
        case MappingValue():
            run.changed()
            container.others.append(value)
        case SequenceValue("list", items) if isinstance(key, int) and -len(items) <= key < len(
            items
        ):
            run.changed()
            old = [items[key]] if run.now.is_weak(container.serial) else []
            items[key] = join([*old, value])
        case SequenceValue():
            run.changed()
            container.items.append(value)
            container.complete = False
        case Instance() | ClassValue():
            pair = Arguments([_as_index(index), value])
            operators.by_method(run, container, "__setitem__", pair, place)


def _as_index(index: Sequence[Value]) -> Value:
    """What `x[a, b]` hands to `__getitem__`: one value, or a tuple of several."""
    parts = [SLICE_VALUE if one in (SLICE, WHOLE) else one for one in index]
    return parts[0] if len(parts) == 1 else SequenceValue("tuple", parts)


SLICE_VALUE = Typed(InstanceArg(BUILTIN["builtins.slice"], True))


def delete(run: Run, container: Value, index: Sequence[Value], place: Place) -> None:
    """`del container[index]`."""
    key = key_of(index[0]) if len(index) == 1 else None
    match container:
        case Symbol() if container == SYS_MODULES and isinstance(key, str):
            loaded_modules.unload(run, key)
        case MappingValue() if key in container.items and not run.now.is_weak(container.serial):
            run.changed()
            del container.items[key]
        case SequenceValue("list", items) if isinstance(key, int) and -len(items) <= key < len(
            items
        ):
            run.changed()
            if container.complete and not run.now.is_weak(container.serial):
                del items[key]
            else:
                container.complete = False
                container.uniform = True
        case Instance() | ClassValue():
            operators.by_method(run, container, "__delitem__", Arguments([_as_index(index)]), place)


def members(value: Value) -> list[Value] | None:
    """What a loop over a value goes through, `None` where that is not known."""
    match value:
        case SequenceValue() if value.complete:
            distinct = value.items
            if len(distinct) > MOST_ITERATIONS:
                distinct = list({id(one): one for one in value.items}.values())
            return distinct if len(distinct) <= MOST_ITERATIONS else None
        case MappingValue() if not value.others and len(value.items) <= MOST_ITERATIONS:
            return [of_key(key) for key in value.items]
    return None


def element(value: Value) -> Value:
    """One member of something that is looped over."""
    match value:
        case SequenceValue():
            return join(value.items) if value.complete or value.uniform else TOP
        case Typed(ArrayArg()):
            return arrays.without_axis(value)
    return TOP


# -- methods ---------------------------------------------------------------------------------


def call_items(
    run: Run, items: SequenceValue, name: str, arguments: Arguments, place: Place
) -> Value:
    """A method of a tuple, list or set."""
    first, second = arguments.get(0), arguments.get(1)
    if name in ("index", "count"):
        return scalar("int")
    if name in ("copy", "union"):
        others = [one for one in arguments.positional if isinstance(one, SequenceValue)]
        return known_values.sequence(
            items.kind,
            [*items.items, *(member for one in others for member in one.items)],
            items.complete and all(one.complete for one in others),
            items.uniform,
        )
    run.changed()
    if run.now.is_weak(items.serial):
        items.complete = False
        items.uniform = True
    if name in ("append", "add", "appendleft") and first is not None:
        items.items.insert(0 if name == "appendleft" else len(items.items), first)
    elif name == "insert" and second is not None:
        position = None if first is None else literals.literal(first)
        items.items.insert(known_values.position(position), second)
    elif name in ("extend", "update") and first is not None:
        _extend(items, iteration.expand(run, first))
    elif name in ("pop", "popleft") and items.items:
        position = -1 if first is None else literals.literal(first)
        if name == "popleft":
            position = 0
        known = items.complete and items.kind != "set" and isinstance(position, int)
        if known and -len(items.items) <= position < len(items.items):  # type: ignore[operator]
            return items.items.pop(position)  # type: ignore[arg-type]
        items.complete = False
        return join(items.items)
    elif name == "clear":
        items.items.clear()
    elif name == "reverse":
        items.items.reverse()
    elif name == "sort":
        call_key(run, items, arguments, place)
    elif name in ("remove", "discard"):
        _remove(items, first)
    if len(items.items) > MOST_MEMBERS:
        # They stand for their kind, the latest among them.
        del items.items[MOST_MEMBERS - 1 : -1]
        items.complete, items.uniform = False, True
    return NONE


def _extend(items: SequenceValue, more: Value) -> None:
    known = members(more)
    if known is None:
        items.items.extend(more.items if isinstance(more, SequenceValue) else ())
        items.complete = False
    else:
        items.items.extend(known)
    if len(items.items) > MOST_MEMBERS:
        del items.items[MOST_MEMBERS:]
        items.complete = False
        items.uniform = True


def _remove(items: SequenceValue, gone: Value | None) -> None:
    key = key_of(gone)
    keys = [key_of(one) for one in items.items]
    if items.complete and key is not None and None not in keys and key in keys:
        del items.items[keys.index(key)]
    else:
        items.complete = False
        items.uniform = True


def call_key(run: Run, iterable: Value, arguments: Arguments, place: Place) -> None:
    """`key=...` of `sorted`, `max`, `list.sort` is called with each member."""
    key = arguments.keywords.get("key")
    if key is None or key == NONE:
        return
    known = members(iterable)
    if known is None:
        with run.under((run.branch_ids.new(), 0)):
            run.call(key, Arguments([element(iterable)]), place)
    for member in known or ():
        run.call(key, Arguments([member]), place)


def call_dict(
    run: Run, mapping: MappingValue, name: str, arguments: Arguments, place: Place
) -> Value:
    """A method of a dict."""
    values = [*mapping.items.values(), *mapping.others]
    first, second = arguments.get(0), arguments.get(1)
    key = key_of(first)
    if name in ("get", "pop", "setdefault"):
        if key in mapping.items:
            found = mapping.items[key]
            if name == "pop" and not run.now.is_weak(mapping.serial):
                run.changed()
                del mapping.items[key]
            return found
        if name == "setdefault" and second is not None:
            run.changed()
            if key is not None:
                mapping.items[key] = second
            else:
                mapping.others.append(second)
        default = second or (NONE if name == "get" else None)
        if key is not None and not mapping.others and default is not None:
            return default
        return join([*values, *([default] if default is not None else [])])
    if name == "copy":
        return MappingValue(dict(mapping.items), list(mapping.others), mapping.factory)
    if name in ("clear", "popitem"):
        run.changed()
        mapping.items.clear()
        mapping.others.clear()
        return join(values) if name == "popitem" else NONE
    if name == "values":
        return SequenceValue("list", values, not mapping.others, uniform=True)
    if name == "keys":
        return SequenceValue("list", [of_key(key) for key in mapping.items], not mapping.others)
    if name == "items":
        pairs: list[Value] = [
            SequenceValue("tuple", [of_key(k), v]) for k, v in mapping.items.items()
        ]
        pairs.extend(SequenceValue("tuple", [TOP, v]) for v in mapping.others)
        return SequenceValue("list", pairs, not mapping.others, uniform=True)
    if name == "update":
        update(run, mapping, arguments)
        return NONE
    return TOP


def update(run: Run, mapping: MappingValue, arguments: Arguments) -> None:
    """`mapping.update(other, **keywords)`."""
    run.changed()
    other = arguments.get(0)
    given: dict[Hashable, Value] = {}
    if isinstance(other, MappingValue):
        given.update(other.items)
        mapping.others.extend(other.others)
        known_values.shortened(mapping)
    elif other is not None:
        pairs = members(iteration.expand(run, other)) or [TOP]
        for pair in pairs:
            parts = (
                pair.items if isinstance(pair, SequenceValue) and len(pair.items) == 2 else [TOP]
            )
            key = key_of(parts[0])
            if key is None:
                mapping.others.append(parts[-1])
            else:
                given[key] = parts[-1]
    for name, value in arguments.keywords.items():
        given[name] = value
    for key, value in given.items():
        attributes.write(run, mapping.serial, mapping.items, key, value)
    if arguments.open_keywords:
        mapping.others.append(TOP)
