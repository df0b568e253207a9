"""Operators: on arrays and numbers, on types, and through special methods."""

from __future__ import annotations

import operator as operator_module
from collections.abc import Callable, Hashable
from typing import Any

from plum_jit_lint import limits
from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import standard
from plum_jit_lint.static.interpreter import (
    arrays,
    attributes,
    class_lookup,
    exceptions,
    known_values,
    literals,
    paths,
)
from plum_jit_lint.static.interpreter.annotation_values import union_type
from plum_jit_lint.static.interpreter.literals import literal, truth
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Instance,
    MappingValue,
    SequenceValue,
    Symbol,
    Top,
    Typed,
    Union,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import ScalarArg

NUMBERS = ("bool", "int", "float", "complex")


SPECIAL = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}


def binary(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value:
    """`left operator right`, through the special methods of the program's classes."""
    for attempt in ATTEMPTS:
        found = attempt(run, operator, left, right, place)
        if found is not None:
            return found
    return arithmetic(operator, left, right)


def _of_types(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    return union_type([left, right], "union") if operator == "|" else None


def _of_paths(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    return paths.joined(left, right) if operator == "/" else None


def _of_instances(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    """Through `__add__` of the left or `__radd__` of the right."""
    name = SPECIAL.get(operator)
    if name is None:
        return None
    for receiver, argument, special in (
        (left, right, f"__{name}__"),
        (right, left, f"__r{name}__"),
    ):
        if isinstance(receiver, Instance):
            result = by_method(run, receiver, special, Arguments([argument]), place)
            if result is not None:
                return result
    return None


def _identity(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    """`is`, and `==` of members of enumerations, which is the same."""
    sides = [one for one in (left, right) if isinstance(one, Instance)]
    members = len(sides) == 2 and all(class_lookup.is_enum(one.cls) for one in sides)
    if members and operator in ("is", "is not", "==", "!="):
        return scalar("bool", (left is right) == (operator in ("is", "==")))
    if operator not in ("is", "is not"):
        return None
    if left == NONE and right == NONE:
        return scalar("bool", operator == "is")
    if NONE in (left, right) and not any(isinstance(v, Top | Union) for v in (left, right)):
        return scalar("bool", operator == "is not")
    return scalar("bool")


def _membership(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    if operator not in ("in", "not in"):
        return None
    if by_method(run, right, "__contains__", Arguments([left]), place) is not None:
        return scalar("bool")
    return scalar("bool", _is_in(left, right, operator == "in"))


def _of_containers(
    run: Run, operator: str, left: Value, right: Value, place: Place
) -> Value | None:
    """Repeating a sequence, joining two sequences or two dicts."""
    match left, right:
        case SequenceValue(), _ if operator == "*" and isinstance(times := literal(right), int):
            items, complete = list(left.items), left.complete
            if times > limits.MOST_ITERATIONS or times * len(items) > limits.MOST_ITERATIONS:
                return SequenceValue(left.kind, items, complete, uniform=True, repeated=True)
            return SequenceValue(left.kind, items * times, complete, left.uniform, left.repeated)
        case MappingValue(), MappingValue() if operator == "|":
            joined = {**left.items, **right.items}
            return known_values.shortened(MappingValue(joined, [*left.others, *right.others]))
        case SequenceValue(), SequenceValue() if operator in ("|", "+"):
            both = [*left.items, *right.items]
            return known_values.sequence(left.kind, both, left.complete and right.complete)
    return None


def _of_versions(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    if left == Symbol(standard.VERSION) and isinstance(right, SequenceValue):
        return scalar("bool", _python_is(operator, right))
    return None


def _of_constants(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value | None:
    counts = run.now.uncounted and isinstance(literal(left), int | float)
    if counts and operator not in known_values.COMPARISONS:
        return None
    found = known_values.computed(operator, left, right)
    if isinstance(found, type):
        exceptions.fail(run, found.__name__)
        return None
    return found


ATTEMPTS = (
    _of_types,
    _of_paths,
    _of_instances,
    _identity,
    _membership,
    _of_containers,
    _of_versions,
    _of_constants,
)
"""What may know the result of an operator, the first that does."""


def in_place(run: Run, operator: str, left: Value, right: Value, place: Place) -> Value:
    """`left operator= right`: by `__iadd__` and its kin, else as `left operator right`."""
    name = SPECIAL.get(operator.removesuffix("="))
    if name and isinstance(left, Instance):
        result = by_method(run, left, f"__i{name}__", Arguments([right]), place)
        if result is not None:
            return result
    return binary(run, operator, left, right, place)


def by_method(
    run: Run, value: Value, name: str, arguments: Arguments, place: Place
) -> Value | None:
    """What the special method of an object gives, `None` where it has none."""
    method = attributes.special(run, value, name, place)
    return None if method is None else run.call(method, arguments, place)


def truth_in(run: Run, value: Value, place: Place) -> bool | None:
    """Whether a value counts as true; `__bool__` or else `__len__` of an object is called."""
    if isinstance(value, Instance):
        for name in ("__bool__", "__len__"):
            result = by_method(run, value, name, Arguments([]), place)
            if result is not None:
                return truth(result)
    return truth(value)


ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator_module.lt,
    "<=": operator_module.le,
    ">": operator_module.gt,
    ">=": operator_module.ge,
}


def _is_in(left: Value, right: Value, wanted: bool) -> bool | None:
    key = literals.key_of(left)
    keys: list[Hashable] | None = None
    if isinstance(right, SequenceValue) and right.complete:
        keys = [literals.key_of(one) for one in right.items]
    elif isinstance(right, MappingValue) and not right.others:
        keys = list(right.items)
    if key is None or keys is None or None in keys:
        return None
    return (key in keys) == wanted


def _python_is(operator: str, version: SequenceValue) -> bool | None:
    """A comparison of `sys.version_info` with a version that every Python in use is beyond."""
    parts = tuple(part for part in map(literal, version.items) if isinstance(part, int))
    if parts <= (3, 10) and operator in ORDER:
        return ORDER[operator]((3, 11), parts)
    return None


UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


def unary(run: Run, operator: str, operand: Value, place: Place) -> Value | None:
    """A unary operator through the special method of a class of the program."""
    if isinstance(operand, Instance) and operator in UNARY:
        return by_method(run, operand, UNARY[operator], Arguments([]), place)
    return None


def arithmetic(operator: str, left: Value, right: Value) -> Value:
    """The type of an operation on arrays and numbers."""
    sides = [side.argument for side in (left, right) if isinstance(side, Typed)]
    array = arrays.operated(operator, left, right)
    if array is not None:
        return array
    if operator in ("<", "<=", ">", ">=", "==", "!="):
        return scalar("bool") if len(sides) == 2 else TOP
    names = [s.cls.name.removeprefix("builtins.") for s in sides if isinstance(s, ScalarArg)]
    if len(names) == 2 and all(name in NUMBERS for name in names):
        highest = max(*names, "int", key=NUMBERS.index)
        return scalar("float" if operator == "/" and highest == "int" else highest)
    if names == ["str", "str"] and operator == "+":
        return scalar("str")
    return TOP
