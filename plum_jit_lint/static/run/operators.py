"""Operators: on arrays and numbers, on types, and through special methods."""

from __future__ import annotations

from plum_jit_lint.findings import Place
from plum_jit_lint.static.run import calls
from plum_jit_lint.static.run.annotations import union_type
from plum_jit_lint.static.run.machine import Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Data,
    Instance,
    OneOf,
    Symbol,
    Unknown,
    Value,
    array,
    scalar,
)
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg

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
    if operator == "|":
        union = union_type([left, right], "union")
        if union is not None:
            return union
    name = SPECIAL.get(operator)
    for receiver, argument, special in (
        (left, right, f"__{name}__"),
        (right, left, f"__r{name}__"),
    ):
        if name and isinstance(receiver, Instance):
            method = calls.class_attribute(receiver.cls, special)
            if method is not None:
                bound = calls.bind(run, method, receiver, place)
                return calls.call(run, bound, Arguments([argument]), place)
    if operator in ("is", "is not"):
        return _identity(operator, left, right)
    if operator in ("in", "not in"):
        return scalar("bool")
    if operator in ("==", "!=") and (literal(left) is not None and literal(right) is not None):
        return scalar("bool", (literal(left) == literal(right)) == (operator == "=="))
    return arithmetic(operator, left, right)


def _identity(operator: str, left: Value, right: Value) -> Value:
    if left == NONE and right == NONE:
        return scalar("bool", operator == "is")
    if NONE in (left, right) and not any(isinstance(v, Unknown | OneOf) for v in (left, right)):
        return scalar("bool", operator == "is not")
    return scalar("bool")


def arithmetic(operator: str, left: Value, right: Value) -> Value:
    """The type of an operation on arrays and numbers."""
    sides = [side.argument for side in (left, right) if isinstance(side, Data)]
    for side in sides:
        if isinstance(side, ArrayArg):
            traced = any(isinstance(s, ArrayArg) and s.traced for s in sides)
            return array(traced)
    if operator in ("<", "<=", ">", ">=", "==", "!="):
        return scalar("bool") if len(sides) == 2 else UNKNOWN
    names = [s.cls.name.removeprefix("builtins.") for s in sides if isinstance(s, ScalarArg)]
    if len(names) == 2 and all(name in NUMBERS for name in names):
        highest = max(*names, "int", key=NUMBERS.index)
        return scalar("float" if operator == "/" and highest == "int" else highest)
    if names == ["str", "str"] and operator == "+":
        return scalar("str")
    return UNKNOWN


def truth(value: Value) -> bool | None:
    """Whether a value counts as true, where that is evident."""
    match value:
        case Data(ScalarArg(_, known)) if known is not None:
            return bool(known)
        case Symbol("typing.TYPE_CHECKING" | "typing_extensions.TYPE_CHECKING"):
            return False
    return False if value == NONE else None


def literal(value: Value) -> object:
    """The Python value of a known constant, `None` for everything else."""
    if isinstance(value, Data) and isinstance(value.argument, ScalarArg):
        return value.argument.value
    return None
