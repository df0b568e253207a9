"""What the static observer says about types, held against plum, beartype and jax."""

import collections.abc
import enum
import fractions
import importlib
import itertools
import pathlib
import random
from typing import Annotated, Any, Literal, NamedTuple, Union

import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest
from beartype.roar import BeartypeDoorException
from plum import Dispatcher
from plum._bear import is_bearable
from plum._type import _type_hint_eq, _type_hint_le

from plum_jit_lint.static.types.hints import (
    ANY,
    ARRAY,
    BUILTIN,
    CONCRETE,
    OBJECT,
    REVERSIBLE,
    UNIONS,
    AnyHint,
    ArrayArg,
    ClassArg,
    Cls,
    FunctionArg,
    InstanceArg,
    JaxtypedHint,
    LiteralHint,
    OpaqueHint,
    ScalarArg,
    TupleArg,
    TypeHint,
    UnionHint,
    UnknownArg,
    describe,
)
from plum_jit_lint.static.types.oracle import (
    StaticOracle,
    admits_tracer,
    convertible_from_tracer,
    traceable,
)

ORACLE = StaticOracle()


def real_class(name):
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


class Shape:
    pass


class Circle(Shape):
    pass


class Length(float):
    pass


class Pair(NamedTuple):
    left: int


class Wrapped(fractions.Fraction):
    """A project class whose base the sources do not tell."""


SHAPE = Cls("app.Shape")
CIRCLE = Cls("app.Circle", (SHAPE,))
LENGTH = Cls("app.Length", (BUILTIN["builtins.float"],))
PAIR = Cls("app.Pair", (BUILTIN["builtins.tuple"],))
FOREIGN = Cls("units.Quantity", opaque=True)
WRAPPED = Cls("app.Wrapped", (FOREIGN,))
DUCK = Cls("app.Duck", hooked=True)

INT, FLOAT, BOOL, STR = (BUILTIN[f"builtins.{name}"] for name in ("int", "float", "bool", "str"))
NONE = BUILTIN["types.NoneType"]
TRACED = ArrayArg(traced=True)


def union(*members):
    return UnionHint(members)


CLASSES = [(cls, real_class(name)) for name, cls in BUILTIN.items() if name == cls.name]

PROJECT = [
    (SHAPE, Shape),
    (CIRCLE, Circle),
    (LENGTH, Length),
    (PAIR, Pair),
    (WRAPPED, Wrapped),
    (FOREIGN, fractions.Fraction),
]

VEC, VEC2 = jaxtyping.Float[jax.Array, "n"], jaxtyping.Float[jax.Array, "n"]

LIST, TUPLE = BUILTIN["builtins.list"], BUILTIN["builtins.tuple"]
ITERABLE, SEQUENCE = (BUILTIN[f"collections.abc.{name}"] for name in ("Iterable", "Sequence"))


def holding(text, within, *items, repeated=True):
    return OpaqueHint(text, within, items, repeated)


HOLDING = [
    (holding("list[int]", LIST, INT), list[int]),
    (holding("list[bool]", LIST, BOOL), list[bool]),
    (holding("list[Any]", LIST, ANY), list[Any]),
    (holding("tuple[int, ...]", TUPLE, INT), tuple[int, ...]),
    (holding("tuple[Any, ...]", TUPLE, ANY), tuple[Any, ...]),
    (holding("tuple[int]", TUPLE, INT, repeated=False), tuple[int]),
    (holding("tuple[int, str]", TUPLE, INT, STR, repeated=False), tuple[int, str]),
    (holding("Sequence[int]", SEQUENCE, INT), collections.abc.Sequence[int]),
    (holding("Iterable[int]", ITERABLE, INT), collections.abc.Iterable[int]),
    (holding("Iterable[Any]", ITERABLE, ANY), collections.abc.Iterable[Any]),
]
"""Containers of which the types of the members are known."""

TERMS = [
    *CLASSES,
    *PROJECT,
    (ANY, Any),
    (LiteralHint((1,)), Literal[1]),
    (LiteralHint((True,)), Literal[True]),
    (LiteralHint((1, 2)), Literal[1, 2]),
    (LiteralHint(("a",)), Literal["a"]),
    (LiteralHint((None,)), Literal[None]),
    (LiteralHint(("a", 1)), Literal["a", 1]),
    (TypeHint(), type),
    (TypeHint(ANY), type[Any]),
    (TypeHint(INT), type[int]),
    (TypeHint(BOOL), type[bool]),
    (TypeHint(union(INT, STR)), type[int | str]),
    (TypeHint(SHAPE), type[Shape]),
    (TypeHint(CIRCLE), type[Circle]),
    (TypeHint(ARRAY), type[jax.Array]),
    (JaxtypedHint("Float", ARRAY, "n", 1), VEC),
    (JaxtypedHint("Float", ARRAY, "n", 2), VEC2),
    (JaxtypedHint("Float", ARRAY, "n"), jaxtyping.Float[jax.Array, "n"]),
    (JaxtypedHint("Int", ARRAY, "2 3"), jaxtyping.Int[jax.Array, "2 3"]),
    (JaxtypedHint("Shaped", ANY, "..."), jaxtyping.Shaped[Any, "..."]),
    (
        JaxtypedHint("Float", BUILTIN["numpy.ndarray"], "n"),
        jaxtyping.Float[np.ndarray, "n"],
    ),
    (OpaqueHint("list[int]", BUILTIN["builtins.list"]), list[int]),
    (OpaqueHint("list[Any]", BUILTIN["builtins.list"]), list[Any]),
    (OpaqueHint("tuple[int, ...]", BUILTIN["builtins.tuple"]), tuple[int, ...]),
    *HOLDING,
    (OpaqueHint("Annotated[int, 1]", INT), Annotated[int, 1]),
    (
        OpaqueHint("Callable[[int], int]", BUILTIN["collections.abc.Callable"]),
        collections.abc.Callable[[int], int],
    ),
    (OpaqueHint("fractions.Fraction"), fractions.Fraction),
    (UNIONS["jax.typing.ArrayLike"], jax.typing.ArrayLike),
    (UNIONS["jaxtyping.Scalar"], jaxtyping.Scalar),
]

VALUES = [
    (ScalarArg(INT, 1), 1),
    (ScalarArg(INT, 2), 2),
    (ScalarArg(INT), 2),
    (ScalarArg(BOOL, True), True),
    (ScalarArg(BOOL), True),
    (ScalarArg(FLOAT, 1.0), 1.0),
    (ScalarArg(BUILTIN["builtins.complex"], 1j), 1j),
    (ScalarArg(STR, "a"), "a"),
    (ScalarArg(STR), "b"),
    (ScalarArg(BUILTIN["builtins.bytes"], b"a"), b"a"),
    (ScalarArg(NONE), None),
    *(
        (ScalarArg(BUILTIN[f"numpy.{name}"]), getattr(np, name)(1))
        for name in ("float64", "float32", "int64", "uint8", "bool_", "complex128")
    ),
    (InstanceArg(BUILTIN["numpy.ndarray"], exact=False), np.ones(3, "float32")),
    (InstanceArg(SHAPE, exact=True), Shape()),
    (InstanceArg(SHAPE, exact=False), Shape()),
    (InstanceArg(SHAPE, exact=False), Circle()),
    (InstanceArg(CIRCLE, exact=True), Circle()),
    (InstanceArg(LENGTH, exact=False), Length(1)),
    (InstanceArg(WRAPPED, exact=True), Wrapped()),
    (InstanceArg(FOREIGN, exact=False), fractions.Fraction(1)),
    (InstanceArg(OBJECT, exact=False), 1),
    (InstanceArg(FLOAT, exact=False), np.float64(1)),
    (InstanceArg(STR, exact=False), np.str_("a")),
    (InstanceArg(INT, exact=False), True),
    (InstanceArg(BUILTIN["numbers.Number"], exact=False), np.int32(1)),
    (InstanceArg(BUILTIN["numbers.Number"], exact=False), 1),
    (InstanceArg(BUILTIN["collections.abc.Iterable"], exact=False), "a"),
    (InstanceArg(BUILTIN["enum.IntEnum"], exact=False), enum.IntEnum("E", "a").a),
    (InstanceArg(BUILTIN["pathlib.Path"], exact=False), pathlib.Path()),
    (InstanceArg(ARRAY, exact=False), jnp.ones(3)),
    (ClassArg(INT), int),
    (ClassArg(BOOL), bool),
    (ClassArg(CIRCLE), Circle),
    (ClassArg(ARRAY), jax.Array),
    (ClassArg(None), enum.IntEnum),
    (FunctionArg(), real_class),
    (FunctionArg(), len),
    (FunctionArg(), jax.jit(real_class)),
    (TupleArg("tuple", (ScalarArg(INT, 1),)), (1,)),
    (TupleArg("list"), []),
    (TupleArg("dict"), {}),
    (UnknownArg(), 1),
    (UnknownArg(), []),
]

OF_MEMBERS = [
    (TupleArg("tuple"), ()),
    (TupleArg("tuple", (ScalarArg(INT, 1), ScalarArg(STR, "a"))), (1, "a")),
    (TupleArg("tuple", (ScalarArg(STR, "a"), ScalarArg(INT, 1))), ("a", 1)),
    (TupleArg("list", (ScalarArg(INT, 1), ScalarArg(INT, 2))), [1, 2]),
    (TupleArg("list", (ScalarArg(STR, "a"),)), ["a"]),
    (TupleArg("list", (UnknownArg(),)), ["a"]),
    (TupleArg("dict"), {"a": 1}),
    (InstanceArg(LIST, exact=True), ["a"]),
    (InstanceArg(TUPLE, exact=True), ("a",)),
    (InstanceArg(SEQUENCE, exact=False), ["a"]),
    (InstanceArg(PAIR, exact=True, items=(ScalarArg(INT, 1),)), Pair(1)),
    (InstanceArg(PAIR, exact=True, items=(ScalarArg(STR, "a"),)), Pair("a")),
]

ARRAYS = [
    jnp.ones(()),
    jnp.ones(3),
    jnp.ones((2, 3)),
    jnp.ones((2, 2), "int32"),
    jnp.ones((1, 3), "uint8"),
    jnp.ones(3, "bool"),
    jnp.ones(3, "complex64"),
    jnp.ones((2, 3, 3), "bfloat16"),
]


def agrees(said, question, *arguments):
    """Whether the answer is right or left open; some questions plum itself cannot answer."""
    if said is None:
        return True
    try:
        return question(*arguments) is said
    except (BeartypeDoorException, TypeError):
        return True


def random_unions(rng, count):
    """Pairs of a union of hints and the real one; jaxtyping's classes take no `|`.

    Without Hashable: abstract classes count as Hashable and what they stand for need not, so
    that beartype's order of unions with it depends on which members it drops first.
    """
    terms = [term for term in TERMS if term[0] != BUILTIN["collections.abc.Hashable"]]
    for _ in range(count):
        chosen = rng.sample(terms, rng.choice((2, 2, 3)))
        yield UnionHint(tuple(hint for hint, _ in chosen)), Union[tuple(r for _, r in chosen)]  # noqa: UP007


def test_the_table_of_classes_is_complete():
    for (a, real_a), (b, real_b) in itertools.product(CLASSES, repeat=2):
        if {a, b} == {OBJECT, BUILTIN["collections.abc.Hashable"]}:
            continue
        if (a, b) == (CONCRETE, REVERSIBLE) or (b, a) == (CONCRETE, REVERSIBLE):
            # An array is reversible since jax 0.12.
            continue
        assert ORACLE.below(a, b) is _type_hint_le(real_a, real_b), (a, b)
        assert ORACLE.equal(a, b) is _type_hint_eq(real_a, real_b), (a, b)


def test_the_names_in_typing_are_the_same_classes():
    for name, cls in BUILTIN.items():
        if name.startswith("typing."):
            assert real_class(name).__origin__ is real_class(cls.name)


def test_order_of_hints():
    terms = TERMS[len(CLASSES) :] + [t for t in CLASSES if "numpy" not in t[0].name]
    for (a, real_a), (b, real_b) in itertools.product(terms, repeat=2):
        assert agrees(ORACLE.below(a, b), _type_hint_le, real_a, real_b), (a, b)
        assert agrees(ORACLE.equal(a, b), _type_hint_eq, real_a, real_b), (a, b)


@pytest.mark.parametrize("seed", range(5))
def test_order_of_random_unions(seed):
    rng = random.Random(seed)
    unions = list(random_unions(rng, 60))
    for (a, real_a), (b, real_b) in itertools.product(unions, unions[:30] + rng.sample(TERMS, 20)):
        assert agrees(ORACLE.below(a, b), _type_hint_le, real_a, real_b), (a, b)
        assert agrees(ORACLE.below(b, a), _type_hint_le, real_b, real_a), (b, a)
        assert agrees(ORACLE.equal(a, b), _type_hint_eq, real_a, real_b), (a, b)


def test_values_against_hints():
    for (hint, real), (argument, value) in itertools.product(TERMS, [*VALUES, *OF_MEMBERS]):
        assert agrees(ORACLE.admits(hint, argument), is_bearable, value, real), (hint, argument)


@pytest.mark.parametrize("seed", range(5))
def test_values_against_random_unions(seed):
    rng = random.Random(seed)
    for hint, real in random_unions(rng, 60):
        for argument, value in [*VALUES, *OF_MEMBERS]:
            assert agrees(ORACLE.admits(hint, argument), is_bearable, value, real), (hint, argument)


def with_tracers(check):
    """Calls `check(argument, array)` with arrays, and with tracers of them."""
    for array in ARRAYS:
        for shape, dtype in itertools.product((None, array.shape), (None, str(array.dtype))):
            check(ArrayArg(False, shape, dtype), array)
            traced = ArrayArg(True, shape, dtype)
            jax.eval_shape(lambda x, traced=traced: check(traced, x), array)


def test_arrays_against_hints():
    def check(argument, array):
        for hint, real in TERMS:
            assert agrees(ORACLE.admits(hint, argument), is_bearable, array, real), (hint, argument)
        both = ORACLE.admits(JaxtypedHint("Float", ARRAY, "..."), argument)
        if argument.dtype is not None:
            assert both is not None

    with_tracers(check)


SPECS = (
    *("", "...", "n", "n m", "n n", "2 3", "2 n", "... n", "... n n", "*batch 3", "n *rest"),
    *("_ 3", "#n 3", "#2 3", "rows=2 cols=3", "... 4", "*_", "a b c", "_a _a", "3"),
)
DTYPES = (
    *("Float", "Int", "UInt", "Integer", "Real", "Complex", "Inexact", "Num", "Bool", "Shaped"),
    *("Key", "Float32", "BFloat16", "UInt8", "Int32", "Complex64"),
)


def test_jaxtyping():
    annotations = {
        (dtype, spec): getattr(jaxtyping, dtype)[jax.Array, spec]
        for dtype, spec in itertools.product(DTYPES, SPECS)
    }

    def check(argument, array):
        for (dtype, spec), real in annotations.items():
            said = ORACLE.admits(JaxtypedHint(dtype, ARRAY, spec), argument)
            assert agrees(said, is_bearable, array, real), (dtype, spec, argument)
            if argument.shape is not None and argument.dtype is not None:
                assert said is not None, (dtype, spec, argument)

    with_tracers(check)


def test_jaxtyping_that_cannot_be_told():
    argument = ArrayArg(True, (3, 3), "float32")
    for hint in (
        JaxtypedHint("Float", ARRAY, "n n+1"),
        JaxtypedHint("Float", ARRAY, "?n n"),
        JaxtypedHint("Mine", ARRAY, "..."),
    ):
        assert ORACLE.admits(hint, argument) is None
    assert ORACLE.admits(JaxtypedHint("Float", ARRAY, "n"), TRACED) is None


@pytest.mark.parametrize(
    ("a", "b", "below"),
    [
        (BOOL, INT, True),
        (INT, FLOAT, False),
        (INT, union(STR, INT), True),
        (union(INT, STR), INT, False),
        (CIRCLE, SHAPE, True),
        (SHAPE, CIRCLE, False),
        (CIRCLE, ARRAY, False),
        (ARRAY, CIRCLE, False),
        (INT, ANY, True),
        (ANY, OBJECT, False),
        (OBJECT, ANY, True),
        (OBJECT, FOREIGN, False),
        (WRAPPED, FOREIGN, True),
        (FOREIGN, WRAPPED, False),
        (WRAPPED, INT, None),
        (FOREIGN, ARRAY, None),
        (ARRAY, FOREIGN, None),
        (CIRCLE, DUCK, None),
        (CIRCLE, BUILTIN["collections.abc.Iterable"], None),
        (CIRCLE, BUILTIN["numbers.Number"], False),
        (TypeHint(CIRCLE), TypeHint(SHAPE), True),
        (LiteralHint(("a",)), STR, True),
        (JaxtypedHint("Float", ARRAY, "n"), INT, False),
        (JaxtypedHint("Float", ARRAY, "n"), ARRAY, False),
        (OpaqueHint("list[int]", BUILTIN["builtins.list"]), INT, False),
        (OpaqueHint("Mystery"), OpaqueHint("Mystery"), True),
        (OpaqueHint("Mystery"), OpaqueHint("Other"), None),
    ],
)
def test_evident_order(a, b, below):
    assert ORACLE.below(a, b) is below


@pytest.mark.parametrize(
    ("hint", "admitted"),
    [
        (ARRAY, True),
        (OBJECT, True),
        (ANY, True),
        (UNIONS["jax.typing.ArrayLike"], True),
        (union(INT, ARRAY), True),
        (union(OpaqueHint("Mystery"), ARRAY), True),
        (BUILTIN["collections.abc.Iterable"], True),
        (INT, False),
        (BUILTIN["numpy.ndarray"], False),
        (BUILTIN["numpy.float32"], False),
        (BUILTIN["numbers.Number"], False),
        (BUILTIN["collections.abc.Callable"], False),
        (BUILTIN["collections.abc.Hashable"], False),
        (NONE, False),
        (TypeHint(ARRAY), False),
        (SHAPE, False),
        (WRAPPED, False),
        (OpaqueHint("list[int]", BUILTIN["builtins.list"]), False),
        (JaxtypedHint("Float", BUILTIN["numpy.ndarray"], "n"), False),
        (JaxtypedHint("Shaped", ARRAY, "..."), True),
        (FOREIGN, None),
        (DUCK, None),
        (OpaqueHint("Mystery"), None),
    ],
)
def test_evident_tracers(hint, admitted):
    assert admits_tracer(hint) is admitted


@pytest.mark.parametrize(
    ("hint", "argument", "admitted"),
    [
        (FLOAT, ScalarArg(INT), False),
        (SHAPE, InstanceArg(CIRCLE, exact=True), True),
        (CIRCLE, InstanceArg(SHAPE, exact=True), False),
        (CIRCLE, InstanceArg(SHAPE, exact=False), None),
        (INT, InstanceArg(SHAPE, exact=False), False),
        (INT, InstanceArg(WRAPPED, exact=True), None),
        (ARRAY, InstanceArg(ARRAY, exact=False), True),
        (LiteralHint(("a",)), ScalarArg(STR, "b"), False),
        (LiteralHint(("a",)), ScalarArg(STR), None),
        (TypeHint(SHAPE), ClassArg(CIRCLE), True),
        (BUILTIN["collections.abc.Callable"], FunctionArg(), True),
        (INT, FunctionArg(), False),
        (BUILTIN["builtins.tuple"], TupleArg("tuple"), True),
        (union(INT, OBJECT), UnknownArg(), True),
        (INT, UnknownArg(), None),
    ],
)
def test_evident_values(hint, argument, admitted):
    assert ORACLE.admits(hint, argument) is admitted


def test_traceable():
    values = [value for _, value in VALUES if not isinstance(value, Shape | Wrapped)]
    values += [b"a", {1}, frozenset(), slice(1), range(3), bytearray(b"a"), memoryview(b"a"), jnp]
    values += [np.datetime64("2020"), np.timedelta64(1), ARRAYS[0], fractions.Fraction(1)]
    for value in values:
        try:
            jax.jit(lambda x: None)(value)
        except TypeError:
            taken = False
        else:
            taken = True
        for cls, real in CLASSES:
            if type(value) is real:
                assert traceable(cls) is taken, value
    assert traceable(union(STR, TypeHint(INT))) is False
    assert traceable(union(STR, ARRAY)) is True
    assert traceable(LiteralHint(("a", "b"))) is False
    assert traceable(LiteralHint((1,))) is True
    assert traceable(JaxtypedHint("Float", ARRAY, "n")) is True
    assert traceable(OpaqueHint("Callable[[], int]", BUILTIN["collections.abc.Callable"])) is False
    for hint in (ANY, OBJECT, SHAPE, FOREIGN, OpaqueHint("Mystery"), BUILTIN["enum.Enum"]):
        assert traceable(hint) is None


@pytest.mark.filterwarnings("ignore:Could not resolve the type hint")
def test_conversion_from_a_tracer():
    for hint, real in TERMS:
        said = convertible_from_tracer(hint)
        if said is None:
            continue

        def method(x):
            return x

        method.__annotations__["return"] = real
        function = Dispatcher()(method)
        try:
            jax.eval_shape(lambda x, f=function: f(x), jnp.ones(()))
        except TypeError:
            converted = False
        else:
            converted = True
        assert said is converted, hint
    assert convertible_from_tracer(FLOAT) is False
    assert convertible_from_tracer(SHAPE) is False
    assert convertible_from_tracer(ANY) is True
    assert convertible_from_tracer(OBJECT) is True
    assert convertible_from_tracer(BUILTIN["builtins.tuple"]) is True


def test_describe():
    assert describe(union(INT, ARRAY, NONE)) == "int | Array | None"
    assert describe(LiteralHint(("a", 1))) == "Literal['a', 1]"
    assert describe(TypeHint(CIRCLE)) == "type[Circle]"
    assert describe(JaxtypedHint("Float", ARRAY, "n 3")) == 'Float[Array, "n 3"]'
    assert describe(AnyHint()) == "Any"
    assert describe(ArrayArg(True, (3,), "float32")) == "Array"
    assert describe(ScalarArg(INT, 3)) == "int"
    assert describe(UnknownArg()) == "?"
