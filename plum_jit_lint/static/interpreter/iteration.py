"""What a loop goes through: the members of a value, and what a generator yields."""

from __future__ import annotations

from plum_jit_lint.findings import Place
from plum_jit_lint.limits import ALIKE
from plum_jit_lint.static.interpreter import class_lookup
from plum_jit_lint.static.interpreter.definitions import definition_place
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    FunctionValue,
    Generator,
    Instance,
    SequenceValue,
    Value,
    scalar,
)


def expand(run: Run, value: Value) -> Value:
    """What is looped over: the body of a generator runs now, once."""
    if isinstance(value, Instance) and class_lookup.is_named_tuple(value.cls):
        return class_lookup.as_tuple(value)
    if isinstance(value, Instance):
        return _iterated(run, value)
    if isinstance(value, ClassValue) and class_lookup.is_enum(value):
        return SequenceValue("list", class_lookup.enum_members(value))
    if not isinstance(value, Generator):
        return value
    if value.result is None:
        value.result = TOP
        begun = value.suspension is not None and value.suspension.begun
        value.result = value.suspension.rest() if begun else value.work()  # type: ignore[union-attr]
    return value.result


def _iterated(run: Run, value: Instance) -> Value:
    """What a loop over an object of the program goes through: by `__iter__`, by `__next__` or
    by `__getitem__`; of the last two the first members."""
    found = class_lookup.class_attribute(value.cls, "__iter__")
    if found is not None:
        home = Place(value.cls.scope.module.path, 1, 1, 1, 1)
        place = run.now.stack[-1] if run.now.stack else home
        place = definition_place(found) if isinstance(found, FunctionValue) else place
        given = run.call(run.bind(found, value, place), Arguments([]), place)
        if not isinstance(given, Instance):
            return expand(run, given)
        value = given
    for name in ("__next__", "__getitem__"):
        method = class_lookup.class_attribute(value.cls, name)
        if isinstance(method, FunctionValue):
            return SequenceValue(
                "list", _first_members(run, value, method), complete=False, uniform=True
            )
    return value


def _first_members(run: Run, value: Instance, method: FunctionValue) -> list[Value]:
    place = definition_place(method)
    found: list[Value] = []
    for number in range(ALIKE):
        index = [scalar("int", number)] if method.name == "__getitem__" else []
        try:
            found.append(run.call(method, Arguments([value, *index]), place))
        except Raised:
            break
    return found
