"""Calls that make numbers and texts, and those that hand on to a special method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    operators,
)
from plum_jit_lint.static.interpreter.class_lookup import class_of
from plum_jit_lint.static.interpreter.known_values import of_python, python_value
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Instance,
    Typed,
    Value,
    scalar,
)
from plum_jit_lint.static.models.common import Handler, same
from plum_jit_lint.static.types.hints import BUILTIN, SCALARS, InstanceArg, ScalarArg


def _bool(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    return scalar("bool", given is not None and operators.truth_in(run, given, place))


CALLED_BY: dict[str, str] = {
    **{
        f"builtins.{name}": f"__{name}__"
        for name in ("abs", "round", "divmod", "pow", "len", "reversed", "hash", "repr", "str")
    },
    **{
        f"builtins.{name}": f"__{name}__"
        for name in ("int", "float", "complex", "bool", "bytes", "format", "iter", "next", "dir")
    },
    **{f"math.{name}": f"__{name}__" for name in ("trunc", "floor", "ceil")},
    "operator.index": "__index__",
    "operator.length_hint": "__length_hint__",
    "builtins.aiter": "__aiter__",
    "builtins.anext": "__anext__",
    "os.fspath": "__fspath__",
    "copy.copy": "__copy__",
    "copy.deepcopy": "__deepcopy__",
    **{
        f"operator.{name}": f"__{name.rstrip('_')}__"
        for name in (*operators.SPECIAL.values(), "and_", "or_", "neg", "pos", "invert", "getitem")
    },
    "operator.contains": "__contains__",
    "operator.setitem": "__setitem__",
    "operator.delitem": "__delitem__",
}
"""Functions that hand on to a special method of what they are given."""


def by_special(run: Run, path: str, arguments: Arguments, place: Place) -> Value | None:
    """A call of such a function with an object of the program that has the method."""
    name = CALLED_BY.get(path)
    given = arguments.get(0)
    if name is None or not isinstance(given, Instance):
        return None
    return operators.by_method(run, given, name, arguments.after(1), place)


CONVERSIONS: Mapping[str, Callable[[Any], Any]] = {
    "builtins.int": int,
    "builtins.float": float,
    "builtins.str": str,
    "builtins.abs": abs,
}


def converted(path: str, arguments: Arguments) -> Value | type[Exception] | None:
    """What `int(x)` and the like give for a known value, or the exception that they raise."""
    convert = CONVERSIONS.get(path)
    if convert is None or len(arguments.positional) != 1 or arguments.keywords or arguments.open:
        return None
    given = python_value(arguments.positional[0])
    if not isinstance(given, bool | int | float | str):
        return None
    try:
        return of_python(convert(given))
    except (TypeError, ValueError) as error:
        return type(error)
    except OverflowError:
        return None


HANDLERS: Mapping[str, Handler] = {
    "builtins.abs": same,
    "builtins.bool": _bool,
}


def result(path: str, arguments: Arguments) -> Value | None:
    """What another builtin returns, `None` for what is none."""
    if not path.startswith("builtins."):
        return None
    name = path.rpartition(".")[2]
    if path in BUILTIN:
        return Typed(ScalarArg(BUILTIN[path])) if name in SCALARS else TOP
    return Typed(InstanceArg(class_of(path), True)) if name[:1].isupper() else TOP
