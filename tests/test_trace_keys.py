"""Whether a call finds a trace that is kept: surely, surely not, or not known."""

from __future__ import annotations

from typing import cast

import pytest

from plum_jit_lint.static.interpreter.trace_keys import (
    Node,
    Part,
    Static,
    aval_of,
    same_key,
    static_aval_of,
)
from plum_jit_lint.static.interpreter.values import (
    ClassValue,
    Instance,
    Scope,
    SequenceValue,
    Symbol,
    Value,
    scalar,
)
from plum_jit_lint.static.modules import Module
from plum_jit_lint.static.types.hints import (
    ArrayArg,
    Cls,
    InstanceArg,
    ScalarArg,
    TupleArg,
    UnknownArg,
)
from plum_jit_lint.syntax.nodes import Annotation, Name

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


MODULE = cast(Module, None)
"""No key asks for it."""

FIELDS = {"low": Annotation(Name((0, 0, 0, 0), "int"), False, "int")}
LOW = scalar("int", 1)


def a_class(*bases: Value, by_value: bool = False) -> ClassValue:
    return ClassValue(Cls("app.Limits"), Scope(MODULE, "class"), bases, FIELDS, by_value=by_value)


@pytest.mark.parametrize("base", ["abc.ABC", "typing.Generic", "typing.Protocol"])
def test_a_base_that_brings_no_comparing_leaves_objects_compared_by_identity(base: str) -> None:
    limits = Instance(a_class(Symbol(base)), {"low": LOW})
    assert static_aval_of(limits) == Static(limits)


def test_a_static_argument_that_may_be_anything_is_not_told_by_what_is_known_of_it() -> None:
    by_value = a_class(by_value=True)
    known = static_aval_of(Instance(by_value, {"low": LOW}))
    assert isinstance(known, Node)
    # Of a class below, which may compare in another way.
    assert static_aval_of(Instance(by_value, {"low": LOW}, exact=False)) == UnknownArg()
    assert static_aval_of(Instance(a_class(), {}, exact=False)) == UnknownArg()
    # There may be more members.
    unknown = Instance(a_class(Symbol("library.Thing")), {})
    assert isinstance(static_aval_of(SequenceValue("tuple", [unknown])), Node)
    assert static_aval_of(SequenceValue("tuple", [unknown], complete=False)) == UnknownArg()


def test_what_holds_itself_is_looked_into_for_a_while() -> None:
    endless = SequenceValue("list", [])
    endless.items.append(endless)
    assert isinstance(aval_of(endless), Node)
    linked = Instance(a_class(by_value=True), {})
    linked.attributes["low"] = linked
    assert isinstance(static_aval_of(linked), Node)
    linked.attributes["low"] = SequenceValue("tuple", [linked])
    assert isinstance(static_aval_of(linked), Node)
