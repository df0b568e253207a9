"""Attributes and items that are replaced for a while: pytest's `monkeypatch`, `unittest.mock`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import imports, literals, loaded_modules
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Builtin,
    ClassValue,
    Instance,
    Managed,
    Manager,
    MappingValue,
    ModuleValue,
    SequenceValue,
    Symbol,
    Value,
    Wrapper,
)

Undo = Callable[[], object]

DEFAULT = Symbol("unittest.mock.DEFAULT")


# -- one name ----------------------------------------------------------------------------------


def replace(run: Run, owner: Value, name: Hashable, value: Value | None) -> Undo:
    """Binds an attribute or an item to another value, or to none; what is returned binds it to
    what it was."""
    if owner == Symbol("sys.modules") and isinstance(name, str):
        return _replace_module(run, name, value)
    found = _names_of(run, owner, name)
    if found is None:
        return lambda: None
    names, key = found
    old = names.get(key)

    def put(new: Value | None) -> None:
        run.changed()
        if new is None:
            names.pop(key, None)
        else:
            names[key] = new

    put(value)
    return lambda: put(old)


def _names_of(run: Run, owner: Value, name: Hashable) -> tuple[dict[Any, Value], Hashable] | None:
    """Where something keeps what is bound to a name, and what it has for the name."""
    match owner:
        case Instance():
            return owner.attributes, name
        case ClassValue():
            return owner.scope.names, name
        case ModuleValue(module):
            loaded_modules.look_imports_up(run, module)
            return module.scope.names, name
        case MappingValue():
            return owner.items, name
        case Symbol(path):
            return run.state.replaced, f"{path}.{name}"
    return None


def _replace_module(run: Run, name: str, value: Value | None) -> Undo:
    before = loaded_modules.loaded(run, name)
    if value is None:
        loaded_modules.unload(run, name)
    elif isinstance(value, ModuleValue):
        loaded_modules.load(run, name, value.module)
    else:
        return lambda: None

    def back() -> None:
        if before is None:
            loaded_modules.unload(run, name)
        else:
            loaded_modules.load(run, name, before)

    return back


def _owner_and_name(run: Run, dotted: str, place: Place) -> tuple[Value, str]:
    """What `"package.module.Class.name"` names: the modules in it are imported."""
    path, _, name = dotted.rpartition(".")
    first, *rest = path.split(".")
    where = first
    owner = imports.run_module(run, run.now.scope, first, place)
    for part in rest:
        where = f"{where}.{part}"
        if isinstance(owner, ModuleValue) and owner.module.scope.own(part) is None:
            owner = imports.run_module(run, run.now.scope, where, place)
        else:
            owner = run.get_attribute(owner, part, place)
    return owner, name


def _text(value: Value | None) -> str | None:
    text = None if value is None else literals.literal(value)
    return text if isinstance(text, str) else None


# -- monkeypatch -------------------------------------------------------------------------------


def monkeypatch(run: Run) -> tuple[Builtin, Undo]:
    """pytest's `monkeypatch`, and what undoes all that was done with it."""
    done: list[Undo] = []

    def undo() -> None:
        while done:
            done.pop()()

    def set_attribute(arguments: Arguments, place: Place) -> Value:
        owner, name, value = (arguments.get(i, n) for i, n in enumerate(_SET))
        dotted = _text(owner)
        if dotted is not None and value is None:
            owner, found = _owner_and_name(run, dotted, place)
            done.append(replace(run, owner, found, name or TOP))
        elif owner is not None and (text := _text(name)) is not None:
            done.append(replace(run, owner, text, value or TOP))
        return NONE

    def delete_attribute(arguments: Arguments, place: Place) -> Value:
        owner, name = arguments.get(0, "target"), _text(arguments.get(1, "name"))
        dotted = _text(owner)
        if dotted is not None:
            owner, name = _owner_and_name(run, dotted, place)
        if owner is not None and name is not None:
            done.append(replace(run, owner, name, None))
        return NONE

    def set_item(arguments: Arguments, place: Place) -> Value:
        owner, key = arguments.get(0, "dic"), literals.key_of(arguments.get(1, "name"))
        if owner is not None and key is not None:
            done.append(replace(run, owner, key, arguments.get(2, "value") or TOP))
        return NONE

    def delete_item(arguments: Arguments, place: Place) -> Value:
        owner, key = arguments.get(0, "dic"), literals.key_of(arguments.get(1, "name"))
        if owner is not None and key is not None:
            done.append(replace(run, owner, key, None))
        return NONE

    def undo_all(arguments: Arguments, place: Place) -> Value:
        undo()
        return NONE

    def context(arguments: Arguments, place: Place) -> Value:
        return monkeypatch_context(run, arguments, place)

    members: dict[str, Value] = {
        "setattr": Builtin(set_attribute),
        "delattr": Builtin(delete_attribute),
        "setitem": Builtin(set_item),
        "delitem": Builtin(delete_item),
        "undo": Builtin(undo_all),
        "context": Builtin(context),
    }
    return Builtin(lambda arguments, place: TOP, members), undo


_SET = ("target", "name", "value")


def monkeypatch_context(run: Run, arguments: Arguments, place: Place) -> Value:
    """`monkeypatch.context()`: another one, undone when its block is left."""
    return Manager(lambda place: monkeypatch(run))


# -- unittest.mock -----------------------------------------------------------------------------


def _new(run: Run, given: Value | None, options: Mapping[str, Value], place: Place) -> Value:
    """What a patched name is bound to: a mock that may call something, where nothing is given."""
    if given is not None and given != DEFAULT:
        return given
    if "new_callable" in options:
        return run.call(options["new_callable"], Arguments([]), place)
    called = options.get("wraps") or options.get("side_effect")
    return TOP if called is None else Wrapper(called, None)


def _patching(
    run: Run, target: Callable[[Place], tuple[Value, str]], new: Value | None, options: Arguments
) -> Manager:
    def entering(place: Place) -> tuple[Value, Undo]:
        owner, name = target(place)
        value = _new(run, new, options.keywords, place)
        return value, replace(run, owner, name, value)

    return Manager(entering, tuple(options.values()), hands_on=new is None)


def _patch(run: Run, arguments: Arguments, place: Place) -> Value:
    dotted = _text(arguments.get(0, "target"))
    if dotted is None or "." not in dotted:
        return TOP
    target = dotted
    return _patching(
        run,
        lambda place: _owner_and_name(run, target, place),
        arguments.get(1, "new"),
        arguments,
    )


def _patch_object(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name = arguments.get(0, "target"), _text(arguments.get(1, "attribute"))
    if owner is None or name is None:
        return TOP
    owner, attribute = owner, name
    return _patching(run, lambda place: (owner, attribute), arguments.get(2, "new"), arguments)


def _patch_dict(run: Run, arguments: Arguments, place: Place) -> Value:
    given, more = arguments.get(0, "in_dict"), arguments.get(1, "values")
    clear = arguments.get(2, "clear")

    def entering(place: Place) -> tuple[Value, Undo]:
        owner = _object(run, given, place)
        undone: list[Undo] = []
        if isinstance(owner, MappingValue) and clear is not None and literals.truth(clear):
            undone += [replace(run, owner, key, None) for key in list(owner.items)]
        undone += [replace(run, owner, k, v) for k, v in _items(more, arguments.keywords)]
        if isinstance(owner, MappingValue):
            # What was put in by other means goes as well.
            before = dict(owner.items)
            undone.insert(0, lambda: _only(run, owner, before))
        return owner, lambda: _all(undone)

    return Manager(entering, tuple(arguments.values()))


def _only(run: Run, mapping: MappingValue, keys: Mapping[Hashable, Value]) -> None:
    run.changed()
    for key in list(mapping.items):
        if key not in keys:
            del mapping.items[key]


def _items(more: Value | None, keywords: Mapping[str, Value]) -> Iterator[tuple[Hashable, Value]]:
    if isinstance(more, MappingValue):
        yield from more.items.items()
    elif isinstance(more, SequenceValue):
        for pair in more.items:
            key = literals.key_of(pair.items[0]) if isinstance(pair, SequenceValue) else None
            if isinstance(pair, SequenceValue) and len(pair.items) == 2 and key is not None:
                yield key, pair.items[1]
    yield from ((k, v) for k, v in keywords.items() if k not in ("in_dict", "values", "clear"))


def _patch_multiple(run: Run, arguments: Arguments, place: Place) -> Value:
    target = arguments.get(0, "target")
    options = {k: v for k, v in arguments.keywords.items() if k not in _OPTIONS}

    def entering(place: Place) -> tuple[Value, Undo]:
        owner = _object(run, target, place)
        new = {name: _new(run, value, arguments.keywords, place) for name, value in options.items()}
        undone = [replace(run, owner, name, value) for name, value in new.items()]
        handed = MappingValue({})
        handed.items.update((k, v) for k, v in new.items() if options[k] == DEFAULT)
        return handed, lambda: _all(undone)

    return Manager(entering, tuple(arguments.values()))


_OPTIONS = ("target", "spec", "create", "spec_set", "autospec", "new_callable")


def _object(run: Run, given: Value | None, place: Place) -> Value:
    """What is patched: an object, or the dotted name of one."""
    dotted = _text(given)
    if dotted is None:
        return given or TOP
    if "." not in dotted:
        return imports.run_module(run, run.now.scope, dotted, place)
    owner, name = _owner_and_name(run, dotted, place)
    found = run.get_attribute(owner, name, place)
    if found == TOP or isinstance(found, Symbol):
        module = imports.run_module(run, run.now.scope, dotted, place)
        found = module if isinstance(module, ModuleValue) else found
    return found


def _all(undone: list[Undo]) -> None:
    while undone:
        undone.pop()()


def _stop_all(run: Run, arguments: Arguments, place: Place) -> Value:
    while run.state.started:
        manager = run.state.started.pop()
        while manager.entered:
            manager.entered.pop()()
    return NONE


def decorate_tests(cls: ClassValue, manager: Manager) -> ClassValue:
    """A patch decorates the tests of a class."""
    for name, value in cls.scope.names.items():
        if name.startswith("test"):
            cls.scope.names[name] = Managed(value, manager)
    return cls


# -- pytest-mock -------------------------------------------------------------------------------


def mocker(run: Run) -> tuple[Builtin, Undo]:
    """pytest-mock's `mocker`, and what undoes all that was done with it."""
    done: list[Undo] = []

    def started(handler: Callable[[Run, Arguments, Place], Value]) -> Builtin:
        def work(arguments: Arguments, place: Place) -> Value:
            manager = handler(run, arguments, place)
            if not isinstance(manager, Manager):
                return TOP
            value, undo = manager.enter(place)
            done.append(undo)
            return value

        return Builtin(work)

    def stop(arguments: Arguments, place: Place) -> Value:
        _all(done)
        return NONE

    patch = started(_patch)
    for name in ("object", "dict", "multiple"):
        patch.members[name] = started(HANDLERS[f"unittest.mock.patch.{name}"])
    members: dict[str, Value] = {"patch": patch, "stopall": Builtin(stop)}
    return Builtin(lambda arguments, place: TOP, members), lambda: _all(done)


HANDLERS: Mapping[str, Callable[[Run, Arguments, Place], Value]] = {
    "pytest.MonkeyPatch": lambda run, arguments, place: monkeypatch(run)[0],
    "pytest.MonkeyPatch.context": monkeypatch_context,
    **{
        f"unittest.mock.patch{name}": handler
        for name, handler in {
            "": _patch,
            ".object": _patch_object,
            ".dict": _patch_dict,
            ".multiple": _patch_multiple,
            ".stopall": _stop_all,
        }.items()
    },
}
