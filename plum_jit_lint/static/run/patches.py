"""Patched attributes, which a test puts back at its end, and modules that run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from plum_jit_lint.findings import Place
from plum_jit_lint.static.run import attributes, operators
from plum_jit_lint.static.run.machine import Raised, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ModuleValue,
    Symbol,
    Value,
)

MONKEYPATCH = Symbol("pytest.monkeypatch")
"""What the fixture of that name is."""


def _target(run: Run, arguments: Arguments, place: Place) -> tuple[Value, str, Value | None] | None:
    """The owner, the name and the value of `setattr(owner, "name", value)` or
    `setattr("module.name", value)`."""
    owner, name, value = (arguments.get(i, n) for i, n in enumerate(("target", "name", "value")))
    dotted = None if owner is None else operators.literal(owner)
    if isinstance(dotted, str):
        path, _, last = dotted.rpartition(".")
        module: Value = run.scopes[-1].module.load(path) if path else UNKNOWN
        return (module, last, name) if isinstance(module, ModuleValue) else None
    text = None if name is None else operators.literal(name)
    return (owner, text, value) if owner is not None and isinstance(text, str) else None


def _setattr(run: Run, arguments: Arguments, place: Place) -> Value:
    found = _target(run, arguments, place)
    owner, name, value = found if found is not None else (UNKNOWN, "", None)
    if value is not None:
        old: Value = UNKNOWN
        with suppress(Raised):
            old = attributes.attribute(run, owner, name, place)
        attributes.set_attribute(run, owner, name, value, place)
        run.undo.append(lambda: attributes.set_attribute(run, owner, name, old, place))
    return NONE


def put_back(run: Run) -> None:
    """A test is over: what it patched is as before. What was traced meanwhile is kept by JAX."""
    while run.undo:
        run.undo.pop()()


def _reload(run: Run, arguments: Arguments, place: Place) -> Value:
    module = arguments.get(0, "module")
    if isinstance(module, ModuleValue):
        run.run_again(module.module, place)
    return module or UNKNOWN


def _unload(run: Run, arguments: Arguments, place: Place) -> Value:
    name = arguments.get(0)
    text = None if name is None else operators.literal(name)
    if isinstance(text, str):
        run.unloaded.add(text)
    return UNKNOWN


HANDLERS: Mapping[str, Callable[[Run, Arguments, Place], Value]] = {
    "pytest.monkeypatch.setattr": _setattr,
    "importlib.reload": _reload,
    "sys.modules.pop": _unload,
}
