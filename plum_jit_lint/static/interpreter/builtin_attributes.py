"""Attributes of what the abstract run knows by itself: functions, wrappers, arrays, containers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import arrays, exceptions, paths
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.library_values import ArrayUpdater, FunctionTable, PathValue
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Bound,
    BoundBuiltin,
    Builtin,
    DispatcherValue,
    ExitStack,
    FunctionValue,
    Generator,
    Jitted,
    Lowered,
    Managed,
    Manager,
    MappingValue,
    Memoised,
    Partial,
    PlumFunction,
    Registrar,
    SequenceValue,
    Typed,
    Value,
    Wrapper,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg


def _method(run: Run, value: Value, name: str, place: Place) -> Value:
    return BoundBuiltin(value, name)


def _function(run: Run, value: FunctionValue, name: str, place: Place) -> Value:
    match name:
        case "__call__":
            return value
        case "__func__" | "__wrapped__":
            return value.wraps or value
        case "__name__":
            return scalar("str", value.name)
        case "__qualname__":
            return scalar("str", value.qualname)
    return TOP


def _plum_function(run: Run, value: PlumFunction, name: str, place: Place) -> Value:
    if name == "__call__":
        return value
    return Registrar(value) if name == "dispatch" else BoundBuiltin(value, name)


def _transformed(run: Run, value: Jitted | Wrapper, name: str, place: Place) -> Value:
    if name == "__call__":
        return value
    return value.target if name == "__wrapped__" else BoundBuiltin(value, name)


def _managed(run: Run, value: Managed, name: str, place: Place) -> Value:
    return value.target if name == "__wrapped__" else TOP


def _bound(run: Run, value: Bound, name: str, place: Place) -> Value:
    if name == "__call__":
        return value
    if isinstance(value.function, PlumFunction):
        return run.get_attribute(value.function, name, place)
    if name == "__func__":
        return value.function
    return value.receiver if name == "__self__" else BoundBuiltin(value, name)


def _builtin(run: Run, value: Builtin, name: str, place: Place) -> Value:
    return value.members.get(name, TOP)


def _dispatcher(run: Run, value: DispatcherValue, name: str, place: Place) -> Value:
    return FunctionTable(value.id) if name == "functions" else BoundBuiltin(value, name)


def _typed(run: Run, value: Typed, name: str, place: Place) -> Value:
    match value.argument:
        case ArrayArg() as array:
            return _of_array(value, array, name)
        case ScalarArg(_, int() | float() as known) if not hasattr(known, name):
            # `x.ndim` of a number that is none by its annotation only, but written out.
            raise Raised(exceptions.error("AttributeError"))
    if value == NONE and not hasattr(None, name):
        exceptions.fail(run, "AttributeError")
    return BoundBuiltin(value, name)


def _of_array(value: Typed, array: ArrayArg, name: str) -> Value:
    if name == "value":
        return value
    if name == "at":
        return ArrayUpdater(value)
    known = arrays.attribute(array, name)
    return BoundBuiltin(value, name) if known is None else known


def _path(run: Run, value: PathValue, name: str, place: Place) -> Value:
    return paths.attribute(value, name)


# A handler takes the one type that it stands under.
HANDLERS: Mapping[type, Callable[[Run, Any, str, Place], Value]] = {
    FunctionValue: _function,
    PlumFunction: _plum_function,
    Jitted: _transformed,
    Wrapper: _transformed,
    Managed: _managed,
    Bound: _bound,
    Builtin: _builtin,
    DispatcherValue: _dispatcher,
    Typed: _typed,
    PathValue: _path,
    ArrayUpdater: _method,
    ExitStack: _method,
    Generator: _method,
    Lowered: _method,
    Manager: _method,
    SequenceValue: _method,
    MappingValue: _method,
    Memoised: _method,
    Partial: _method,
}
