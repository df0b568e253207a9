"""Values of which Python's own value is known, and computing with them."""

from __future__ import annotations

import operator as operator_module
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from plum_jit_lint.limits import (
    DEEPEST_KNOWN,
    LARGEST_KNOWN,
    LONGEST_KNOWN,
    MOST_ITERATIONS,
    MOST_MEMBERS,
    MOST_OF_A_TREE,
)
from plum_jit_lint.static.interpreter.values import (
    NONE,
    Arguments,
    MappingValue,
    SequenceValue,
    Typed,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import ScalarArg


class NotKnown:
    """What is given where Python's value is not known: `None` is a value."""


NOT_KNOWN: Final = NotKnown()


def python_value(
    value: Value | None, depth: int = DEEPEST_KNOWN, room: int = MOST_OF_A_TREE
) -> object:
    """The number, text, truth value, `None`, or tuple or list of those, that a value is. The
    members share the `room`."""
    match value:
        case _ if value == NONE:
            return None
        case Typed(ScalarArg(_, known)) if known is not None:
            return known
        case SequenceValue("tuple" | "list" as kind, items) if (
            value.complete and depth and not value.repeated and len(items) <= room
        ):
            each = room // max(1, len(items))
            parts = [python_value(one, depth - 1, each) for one in items]
            if any(part is NOT_KNOWN for part in parts):
                return NOT_KNOWN
            return tuple(parts) if kind == "tuple" else parts
    return NOT_KNOWN


def of_python(found: object) -> Value | None:
    """The value that stands for what Python has computed; `None` for what is not kept."""
    match found:
        case None:
            return NONE
        case bool() | int() | float():
            return scalar(type(found).__name__, found) if abs(found) < LARGEST_KNOWN else None
        case str() if len(found) <= LONGEST_KNOWN:
            return scalar("str", found)
        case tuple() | list() if len(found) <= LONGEST_KNOWN:
            parts = [of_python(one) for one in found]
            known = [part for part in parts if part is not None]
            kind = "tuple" if isinstance(found, tuple) else "list"
            return SequenceValue(kind, known) if len(known) == len(parts) else None  # type: ignore[arg-type]
    return None


def formatted(parts: Sequence[Value]) -> Value:
    """A formatted string of these."""
    texts = [python_value(one) for one in parts]
    known = [text for text in texts if isinstance(text, str)]
    if len(known) < len(texts) or sum(map(len, known)) > LONGEST_KNOWN:
        return scalar("str")
    return scalar("str", "".join(known))


def sequence(
    kind: Literal["tuple", "list", "set"],
    items: list[Value],
    complete: bool = True,
    uniform: bool = False,
    repeated: bool = False,
) -> SequenceValue:
    """A sequence that was put together of others. Of what is too long some stand for their kind."""
    if len(items) > MOST_MEMBERS:
        return SequenceValue(kind, items[:MOST_MEMBERS], False, uniform=True, repeated=repeated)
    return SequenceValue(kind, items, complete, uniform, repeated)


def shortened(mapping: MappingValue) -> MappingValue:
    """The dict itself; of values under too many unknown keys the latest are left."""
    del mapping.others[:-MOST_MEMBERS]
    return mapping


def position(known: object) -> int:
    """Where `insert` puts something: any place beyond the ends is an end."""
    return max(-MOST_MEMBERS, min(MOST_MEMBERS, known)) if isinstance(known, int) else 0


def numbers(bounds: Sequence[int]) -> Sequence[int] | type[Exception] | None:
    """The numbers of `range(*bounds)`, `None` where they are many; or what it raises."""
    try:
        found = range(*bounds)
    except (ValueError, TypeError) as error:
        return type(error)
    # A range of more numbers than a machine counts has no `len`.
    return found if not found[MOST_ITERATIONS:] else None


OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator_module.add,
    "-": operator_module.sub,
    "*": operator_module.mul,
    "/": operator_module.truediv,
    "//": operator_module.floordiv,
    "%": operator_module.mod,
    "&": operator_module.and_,
    "|": operator_module.or_,
    "^": operator_module.xor,
    "==": operator_module.eq,
    "!=": operator_module.ne,
    "<": operator_module.lt,
    "<=": operator_module.le,
    ">": operator_module.gt,
    ">=": operator_module.ge,
}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def computed(operator: str, left: Value, right: Value) -> Value | type[Exception] | None:
    """What an operator gives for known operands, or the exception that it raises. `None` where
    that is not known; containers are only compared, since another one is another object."""
    compute = OPERATORS.get(operator)
    if compute is None:
        return None
    a, b = python_value(left), python_value(right)
    if a is NOT_KNOWN or b is NOT_KNOWN:
        return None
    if operator not in COMPARISONS:
        if not isinstance(a, int | float | str) or not isinstance(b, int | float | str):
            return None
        if operator == "*" and isinstance(a, str) | isinstance(b, str):
            return None
        if operator == "%" and isinstance(a, str):
            return None
    try:
        return of_python(compute(a, b))
    except (ZeroDivisionError, TypeError) as error:
        return type(error)
    except (ArithmeticError, ValueError):
        return None


METHODS = {
    *("startswith", "endswith", "lower", "upper", "strip", "lstrip", "rstrip", "title", "split"),
    *("rsplit", "partition", "rpartition", "replace", "removeprefix", "removesuffix", "count"),
    *("find", "rfind", "isdigit", "isidentifier", "isalpha", "isupper", "islower", "capitalize"),
    *("join", "casefold", "splitlines"),
}


def of_text(text: str, name: str, arguments: Arguments) -> Value | None:
    """What a method of a known text gives for known arguments."""
    given = [python_value(one) for one in arguments.positional]
    closed = not (arguments.open or arguments.keywords or arguments.open_keywords)
    if name not in METHODS or not closed or any(one is NOT_KNOWN for one in given):
        return None
    try:
        return of_python(getattr(text, name)(*given))
    except (TypeError, ValueError):
        return None
