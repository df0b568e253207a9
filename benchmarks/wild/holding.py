"""What a call was made of, without keeping alive what the program lets go of.

A trace goes when the function that was traced goes, so a call that is remembered must hold its
functions weakly, and be able to make a wrapper anew: `jax.jit(f)(x)` twice reads one trace,
though each wrapper is gone after its call.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable
from typing import Any

Held = Callable[[], Any]


class GoneError(Exception):
    """What was called is not there any more."""


class Program:
    """Which code and objects are the program's own."""

    folder = "?"
    modules: set[str] = {"__main__"}  # noqa: RUF012

    @classmethod
    def has_code(cls, value: Any) -> bool:
        return isinstance(value, types.FunctionType) and value.__code__.co_filename.startswith(
            cls.folder
        )

    @classmethod
    def has_class(cls, kind: type) -> bool:
        import sys

        module = sys.modules.get(kind.__module__)
        if kind.__module__ == "__main__":
            return True
        return str(getattr(module, "__file__", "")).startswith(cls.folder)


def is_dispatched(value: Any) -> bool:
    from plum import Function

    return isinstance(value, Function)


def is_jitted(value: Any) -> bool:
    return type(value).__name__ in ("PjitFunction", "_JitWrapper")


def is_bound_method(value: Any) -> bool:
    """Python's own, or that of an `equinox.Module`: both are made anew by each `obj.method`."""
    return isinstance(value, types.MethodType) or type(value).__name__ == "BoundMethod"


class Recipes:
    """How a callable was made by JAX or functools."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Held]] = {}

    def note(self, made: Any, again: Held) -> None:
        try:
            self._known[id(made)] = (weakref.ref(made), again)
        except TypeError:
            return

    def of(self, made: Any) -> Held | None:
        ref, again = self._known.get(id(made), (lambda: None, None))
        return again if ref() is made else None


def hold(value: Any, recipes: Recipes) -> Held:
    """A function that gives `value` again, or raises `GoneError`."""
    import jax

    if is_bound_method(value):
        kind, owner = type(value), hold(value.__self__, recipes)
        function = hold(value.__func__, recipes)
        return lambda: kind(function(), owner())
    if type(value) in (list, tuple):
        kind, items = type(value), [hold(item, recipes) for item in value]
        return lambda: kind(item() for item in items)
    if type(value) is dict:
        pairs = {key: hold(item, recipes) for key, item in value.items()}
        return lambda: {key: item() for key, item in pairs.items()}
    if (
        not callable(value)
        or isinstance(value, (type, jax.Array))
        or Program.has_class(type(value))
    ):
        return lambda: value
    try:
        ref = weakref.ref(value)
    except TypeError:
        return lambda: value
    recipe = recipes.of(value)
    if isinstance(value, functools.partial):
        recipe = _partial(value, recipes)

    def again() -> Any:
        still = ref()
        if still is not None:
            return still
        if recipe is None:
            raise GoneError
        return recipe()

    return again


def _partial(value: functools.partial[Any], recipes: Recipes) -> Held:
    parts = hold([value.func, list(value.args), dict(value.keywords)], recipes)

    def again() -> Any:
        function, positional, named = parts()
        return functools.partial(function, *positional, **named)

    return again


INNER = ("__func__", "__wrapped__", "_fun", "_f", "fn", "func", "_cached", "method", "fun")


def targets(value: Any, seen: set[int] | None = None) -> list[Any]:
    """The program's functions and dispatched functions that are traced when `value` is called."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return []
    seen.add(id(value))
    if is_dispatched(value) or Program.has_code(value):
        return [value]
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in targets(item, seen)]
    if isinstance(value, dict):
        return [found for item in value.values() for found in targets(item, seen)]
    if isinstance(value, functools.partial):
        return targets([value.func, *value.args, value.keywords], seen)
    if isinstance(value, type) or not callable(value):
        return []
    if isinstance(value, types.BuiltinMethodType):
        return targets(value.__self__, seen) if is_jitted(value.__self__) else []
    found = []
    for name in INNER:
        inner = getattr(value, name, None)
        if callable(inner):
            found += targets(inner, seen)
    if Program.has_class(type(value)):
        found += targets(raw_call(type(value)), seen)
    if isinstance(value, types.FunctionType) and not found:
        for cell in value.__closure__ or ():
            try:
                inner = cell.cell_contents
            except ValueError:
                continue
            if callable(inner):
                found += targets(inner, seen)
    return found


def raw_call(kind: type) -> Any:
    """The `__call__` of a class as it stands there, equinox's wrapper of methods taken off."""
    for base in kind.__mro__:
        if "__call__" in vars(base):
            found = vars(base)["__call__"]
            return getattr(found, "method", found)
    return None
