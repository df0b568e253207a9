"""What pytest's marks say: which tests run, with which values, and what they ask for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from plum_jit_lint.knowledge import pytest
from plum_jit_lint.limits import MOST_PARAMETER_SETS
from plum_jit_lint.static.interpreter import containers, literals
from plum_jit_lint.static.interpreter.values import (
    TOP,
    ClassValue,
    FunctionValue,
    Partial,
    SequenceValue,
    Symbol,
    Value,
)
from plum_jit_lint.static.modules import Module


def marks_of(module: Module, function: FunctionValue, cls: ClassValue | None) -> list[Partial]:
    """The marks of a test, of its class and of its module, the nearest first."""
    given: list[Value] = [*function.marks]
    for name, scope in (("marks", cls), ("pytestmark", cls and cls.scope)):
        if isinstance(scope, ClassValue):
            given.extend(scope.marks)
        elif scope is not None and name in scope.names:
            given.extend(_several(scope.names[name]))
    given.extend(_several(module.scope.own("pytestmark")))
    return [_mark(one) for one in given]


def _several(value: Value | None) -> list[Value]:
    if value is None:
        return []
    return list(value.items) if isinstance(value, SequenceValue) else [value]


def _mark(value: Value) -> Partial:
    return value if isinstance(value, Partial) else Partial(value, (), {})


def name_of(mark: Partial) -> str:
    """`skipif` of `pytest.mark.skipif(...)`."""
    path = mark.function.path if isinstance(mark.function, Symbol) else ""
    return path.rpartition(".")[2]


def runs(marks: list[Partial]) -> bool | None:
    """Whether a test with these marks runs; `None` where that is not known."""
    answer: bool | None = True
    for mark in marks:
        skips = _skips(mark)
        if skips:
            return False
        if skips is None:
            answer = None
    return answer


def _skips(mark: Partial) -> bool | None:
    name = name_of(mark)
    condition = mark.positional[0] if mark.positional else mark.keywords.get("condition")
    known = None if condition is None else literals.truth(condition)
    if name == "skip":
        return True
    if name in ("skipif", "skipIf"):
        # A condition in a string is evaluated by pytest.
        text = None if condition is None else literals.literal(condition)
        return None if isinstance(text, str) else known
    if name == "skipUnless":
        return None if known is None else not known
    if name == "xfail" and "run" in mark.keywords:
        runs = literals.truth(mark.keywords["run"])
        return False if runs else (known if condition is not None else True)
    return False


def used_fixtures(marks: list[Partial]) -> list[str]:
    """The fixtures that `usefixtures` asks for, in pytest's order."""
    names = [
        literals.literal(one)
        for mark in reversed(marks)
        if name_of(mark) == "usefixtures"
        for one in mark.positional
    ]
    return [name for name in names if isinstance(name, str)]


def rounds(marks: list[Partial], fixtures: list[tuple[str, Value]]) -> Iterator[dict[str, Value]]:
    """The values of the parameters in each round of a test. `fixtures` are those that it uses
    which have `params`; their value is what `request.param` is."""
    axes = [_axis(mark) for mark in marks if name_of(mark) == "parametrize"]
    for name, params in fixtures:
        known = containers.members(params)
        axes.append([{name: _plain(one)} for one in known] if known else [{name: TOP}])
    product = itertools.product(*axes)
    for combined in itertools.islice(product, MOST_PARAMETER_SETS):
        yield {name: value for part in combined for name, value in part.items()}


def _axis(mark: Partial) -> list[dict[str, Value]]:
    given = dict(zip(("argnames", "argvalues"), mark.positional, strict=False)) | mark.keywords
    written = given.get("argnames", TOP)
    text = literals.literal(written)
    if isinstance(text, str):
        names = [name.strip() for name in text.split(",") if name.strip()]
    else:
        names = [str(literals.literal(one)) for one in _several(written)]
    values = given.get("argvalues")
    known = None if values is None else containers.members(values)
    if known is None or "indirect" in given:
        return [dict.fromkeys(names, TOP)]
    return [row for one in known if (row := _row(names, one)) is not None]


def _row(names: list[str], value: Value) -> dict[str, Value] | None:
    """One set of values, `None` where its own marks skip it."""
    if isinstance(value, Partial) and value.function == Symbol(pytest.PARAM):
        marks = [_mark(one) for one in _several(value.keywords.get("marks"))]
        if runs(marks) is False:
            return None
        parts: list[Value] = list(value.positional)
    elif len(names) == 1:
        parts = [value]
    else:
        parts = list(value.items) if isinstance(value, SequenceValue) else []
    if len(parts) != len(names):
        return dict.fromkeys(names, TOP)
    return dict(zip(names, parts, strict=True))


def _plain(value: Value) -> Value:
    is_param = isinstance(value, Partial) and value.function == Symbol(pytest.PARAM)
    return value.positional[0] if is_param and value.positional else value  # type: ignore[union-attr]
