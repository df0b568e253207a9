"""Values that the source writes out, as Python's own objects and back."""

from __future__ import annotations

from collections.abc import Hashable

from plum_jit_lint.knowledge import standard
from plum_jit_lint.limits import DEEPEST_VALUE, MOST_OF_A_TREE
from plum_jit_lint.static.interpreter import class_lookup
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    ClassValue,
    FunctionValue,
    Instance,
    Jitted,
    MappingValue,
    PlumFunction,
    SequenceValue,
    Symbol,
    Typed,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import ScalarArg


def literal(value: Value) -> object:
    """The Python value of a known constant, `None` for everything else."""
    if isinstance(value, Typed) and isinstance(value.argument, ScalarArg):
        return value.argument.value
    return None


def truth(value: Value) -> bool | None:
    """Whether a value counts as true, where that is evident."""
    match value:
        case Typed(ScalarArg(_, found)) if found is not None:
            return bool(found)
        case Symbol(path) if path in standard.TYPE_CHECKING:
            return False
        case Symbol(path) if path.endswith((".__version__", ".__name__")):
            return True
        case SequenceValue(items=items) if value.complete or items:
            return bool(items)
        case MappingValue(items, others) if items or not others:
            return bool(items)
        case FunctionValue() | ClassValue() | PlumFunction() | Jitted():
            return True
    return False if value == NONE else None


def key_of(
    value: Value | None, depth: int = DEEPEST_VALUE, room: int = MOST_OF_A_TREE
) -> Hashable | None:
    """A value as the key of a dict: a constant, a class or function, a tuple of those, whose
    members share the `room`."""
    match value:
        case ClassValue() | Symbol() | FunctionValue() | PlumFunction() | Jitted():
            return value
        case Instance() if class_lookup.is_enum(value.cls):
            return value
        case SequenceValue("tuple", items) if value.complete:
            if not depth or len(items) > room:
                return None
            each = room // max(1, len(items))
            parts = tuple(key_of(one, depth - 1, each) for one in items)
            return None if None in parts else parts
    known = None if value is None else literal(value)
    return known if isinstance(known, str | int) else None


def of_key(key: Hashable) -> Value:
    """The value that a key of a dict stands for."""
    if isinstance(key, tuple):
        return SequenceValue("tuple", [of_key(part) for part in key])
    if isinstance(key, bool | int | str):
        return scalar(type(key).__name__, key)
    known = ClassValue | Symbol | FunctionValue | PlumFunction | Jitted | Instance
    return key if isinstance(key, known) else TOP
