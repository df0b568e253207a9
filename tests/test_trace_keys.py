"""Whether a call finds a trace that is kept: surely, surely not, or not known."""

from __future__ import annotations

import pytest

from plum_jit_lint.static.interpreter.trace_keys import Node, Part, Static, same_key
from plum_jit_lint.static.types.hints import (
    ArrayArg,
    Cls,
    InstanceArg,
    ScalarArg,
    TupleArg,
    UnknownArg,
)

INT = Cls("builtins.int")
SHAPE = Cls("app.Shape")
CIRCLE = Cls("app.Circle", bases=(SHAPE,))
SQUARE = Cls("app.Square")
ELSEWHERE = Cls("library.Thing", opaque=True)

row, column = ArrayArg(False, (3,), "float32"), ArrayArg(False, (3, 1), "float32")
listed = Node(TupleArg("list"), ((0, row),))
longer = Node(TupleArg("list"), ((0, row), (1, row)))
circle = Node(InstanceArg(CIRCLE, True), (("radius", row),))
bare_circle = Node(InstanceArg(CIRCLE, True), ())


@pytest.mark.parametrize(
    ("kept", "given", "found"),
    [
        (Static(("int", 1)), Static(("int", 1)), True),
        (Static(("int", 1)), Static(("int", 2)), False),
        # What is not known may be that very value; an array or an object is not.
        (Static(("int", 1)), UnknownArg(), None),
        (Static(("int", 1)), ScalarArg(INT), None),
        (Static(("int", 1)), row, False),
        (Static(("int", 1)), InstanceArg(CIRCLE, True), False),
        (ScalarArg(INT, 1), ScalarArg(INT, 1), True),
        (ScalarArg(INT, 1), ScalarArg(INT, 2), False),
        (ScalarArg(INT, 1), ScalarArg(INT), None),
        (ScalarArg(INT, 1), ScalarArg(Cls("builtins.float"), 1), False),
        (listed, listed, True),
        (listed, longer, False),
        (listed, Node(TupleArg("tuple"), ((0, row),)), False),
        (listed, Node(TupleArg("list"), ((0, column),)), False),
        (listed, TupleArg("list"), None),
        (listed, row, False),
        (circle, circle, True),
        # A field that is not known to be set may be.
        (circle, bare_circle, None),
        (circle, Node(InstanceArg(SQUARE, True), (("radius", row),)), False),
        (circle, Node(InstanceArg(CIRCLE, True), (("radius", column),)), False),
        (InstanceArg(CIRCLE, True), InstanceArg(CIRCLE, False), None),
        (InstanceArg(CIRCLE, False), InstanceArg(CIRCLE, False), True),
        # What is of a class or below is perhaps the class below, and never the one above.
        (InstanceArg(SHAPE, False), InstanceArg(CIRCLE, True), None),
        (InstanceArg(SHAPE, True), InstanceArg(CIRCLE, False), False),
        (InstanceArg(SHAPE, True), InstanceArg(CIRCLE, True), False),
        (InstanceArg(SQUARE, False), InstanceArg(CIRCLE, True), False),
        (InstanceArg(SQUARE, False), InstanceArg(CIRCLE, False), None),
        (InstanceArg(ELSEWHERE, False), InstanceArg(CIRCLE, True), None),
        (UnknownArg(), row, None),
        (UnknownArg(), UnknownArg(), True),
        (row, row, True),
        (row, column, False),
        (row, ArrayArg(False, (4,), "float32"), False),
        (row, ArrayArg(False, (3,), "int32"), False),
        (row, ArrayArg(False, (3,), None), None),
        (row, ArrayArg(False, None, "float32"), None),
        (row, ArrayArg(False, (None,), "float32"), None),
        (ArrayArg(False, (3, None)), ArrayArg(False, (4, None)), False),
        (ArrayArg(False, (3, None)), ArrayArg(False, (3, 2)), None),
        (ArrayArg(False, None, None), ArrayArg(False, None, None), True),
    ],
)
def test_whether_one_argument_finds_the_trace_of_another(
    kept: Part, given: Part, found: bool | None
) -> None:
    assert same_key(((0, kept),), ((0, given),)) is found
    assert same_key(((0, given),), ((0, kept),)) is found


def test_arguments_are_compared_by_their_positions_and_names() -> None:
    assert same_key(((0, row), ("by", row)), ((0, row), ("by", row))) is True
    assert same_key(((0, row), ("by", row)), ((0, row), ("to", row))) is False
    assert same_key(((0, row),), ((0, row), (1, row))) is False
    assert same_key(((0, row), (1, UnknownArg())), ((0, column), (1, row))) is False
