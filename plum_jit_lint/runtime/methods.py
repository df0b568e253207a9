"""Methods of a dispatched function: what is under their decorators, what makes two of them the
same, and how they are told to a reader."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Hashable
from typing import Any

from plum import Function

from plum_jit_lint.events import FunctionId, Method
from plum_jit_lint.limits import DEEPEST_CAPTURE, MOST_WRAPPERS_OF_METHOD
from plum_jit_lint.runtime.frames import definition_place, path_of

_SCALARS = (bool, int, float, complex, str, bytes, type(None))


def function_id(function: Function, number: int) -> FunctionId:
    """A dispatched function as events name it. Every function object is one of its own: plum
    makes one for a dispatcher (and class) and name."""
    owner = getattr(function, "_owner_name", None)
    return FunctionId(f"#{number}", owner, function.__name__)


def under(method: Any) -> types.FunctionType | None:
    """The Python function below what decorators made of it."""
    for _ in range(MOST_WRAPPERS_OF_METHOD):
        if isinstance(method, types.FunctionType):
            body = _conversion_body(method)
            inner = body if body is not None else getattr(method, "__wrapped__", None)
            if inner is None:
                return method
        elif isinstance(method, functools.partial):
            inner = method.func
        else:
            inner = getattr(method, "__wrapped__", None) or getattr(method, "__func__", None)
        if inner is None or isinstance(inner, Function):
            return method if isinstance(method, types.FunctionType) else None
        method = inner
    return None


def _conversion_body(method: types.FunctionType) -> Any:
    """The user's function in what `plum.add_conversion_method` registers around it."""
    if method.__module__ != "plum._promotion" or not method.__closure__:
        return None
    cells = dict(zip(method.__code__.co_freevars, method.__closure__, strict=True))
    try:
        return cells["f"].cell_contents if "f" in cells else None
    except ValueError:
        return None


def identity(method: Any) -> Hashable:
    """What makes two registered methods the same one: the definition, and what it captures.

    The same definition that runs again is no other method.
    """
    function = under(method)
    return id(method) if function is None else _fingerprint(function, DEEPEST_CAPTURE)


def _fingerprint(value: Any, depth: int) -> Hashable:
    if type(value) in _SCALARS:
        return (type(value), value)
    if isinstance(value, types.FunctionType) and depth:
        code = value.__code__
        defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
        captured = [*defaults, *_contents(value)]
        return (
            # A script that is imported as well goes by two spellings of its path.
            path_of(code),
            code.co_firstlineno,
            code.co_qualname,
            code.co_code,
            tuple(_fingerprint(one, depth - 1) for one in captured),
        )
    return id(value)


def _contents(function: types.FunctionType) -> list[Any]:
    found = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            found.append(None)
    return found


def made_anew(function: Any) -> bool:
    """Whether a traced function was made for one call only and lives on all the same.

    `equinox.filter_checkpoint` makes a function at each call, and `jax.checkpoint` keeps the
    first thing that it made of one by a reference that goes round: the trace stays in the cache,
    where nobody finds it again.
    """
    if isinstance(function, types.FunctionType) and function.__module__.startswith("jax."):
        names = function.__code__.co_freevars
        inner = dict(zip(names, _contents(function), strict=True)).get("fun")
        function = getattr(inner, "__wrapped__", inner)
    qualname = str(getattr(function, "__qualname__", ""))
    module = str(getattr(function, "__module__", ""))
    return module.startswith("equinox.") and qualname.startswith("_CheckpointWrapper.__call__.")


def describe(function: FunctionId, method: Callable[..., Any], types_: tuple[Any, ...]) -> Method:
    """A method as a message names it: `f(a: Array, *args)`, with its place."""
    body = under(method)
    place = None if body is None else definition_place(body.__code__)
    names = _parameter_names(method)
    shown = []
    for position, hint in enumerate(types_):
        name = names[position] if position < len(names) else f"arg{position}"
        shown.append(name if _is_anything(hint) else f"{name}: {hint_text(hint)}")
    return Method(f"{function}({', '.join(shown)})", place, identity(method))


def _parameter_names(method: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(method).parameters)
    except (TypeError, ValueError):
        return []


def _is_anything(hint: Any) -> bool:
    return hint is Any


def hint_text(hint: Any) -> str:
    """A type as a reader would write it."""
    if isinstance(hint, type) and not isinstance(hint, types.GenericAlias):
        return hint.__name__.rpartition(".")[2]
    return str(hint).replace("typing.", "")
