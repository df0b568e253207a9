"""plum's order of methods, held against plum itself."""

import itertools
import numbers
import random
from dataclasses import dataclass, field, replace
from functools import cache
from types import FunctionType
from typing import Any, Literal

import pytest
from plum import AmbiguousLookupError, NotFoundLookupError
from plum import Signature as PlumSignature
from plum._bear import is_bearable
from plum._function import Function
from plum._type import _type_hint_eq, _type_hint_le

from plum_jit_lint.dispatch.resolution import (
    Nothing,
    Registration,
    Signature,
    changes,
    outcomes,
    with_defaults,
)


@dataclass
class TableOracle:
    """Types as names: `order` holds the pairs that are below each other, `None` in `unknown`."""

    order: set[tuple[str, str]]
    unknown: set[tuple[str, str]] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def below(self, a, b):
        if (a, b) in self.unknown:
            self.asked.append((a, b))
            return None
        return a == b or (a, b) in self.order

    def equal(self, a, b):
        return None if (a, b) in self.unknown or (b, a) in self.unknown else a == b

    def admits(self, hint, argument):
        return self.below(argument, hint)


SHAPES = {
    ("circle", "shape"),
    *((name, "object") for name in ("circle", "shape", "int", "?")),
}


def method(name, *types, varargs=None, precedence=0, present=True):
    return Registration((Signature(types, varargs, precedence),), name, present)


def test_the_more_specific_method_wins():
    table = [method("any", "object"), method("circle", "circle"), method("shape", "shape")]
    oracle = TableOracle(SHAPES)
    assert outcomes(table, ("circle",), oracle) == {"circle"}
    assert outcomes(table, ("shape",), oracle) == {"shape"}
    assert outcomes(table, ("int",), oracle) == {"any"}


def test_no_method_and_more_than_one():
    table = [method("left", "shape", "circle"), method("right", "circle", "shape")]
    oracle = TableOracle(SHAPES)
    assert outcomes(table, ("int", "int"), oracle) == {Nothing.NONE}
    assert outcomes(table, ("circle",), oracle) == {Nothing.NONE}
    assert outcomes(table, ("circle", "circle"), oracle) == {Nothing.AMBIGUOUS}
    preferred = [method("left", "shape", "circle", precedence=1), table[1]]
    assert outcomes(preferred, ("circle", "circle"), oracle) == {"left"}


def test_a_redefinition_keeps_its_place_in_the_table():
    oracle = TableOracle(SHAPES)
    table = [
        method("any", "object"),
        method("first", "shape"),
        method("preferred", "shape", precedence=1),
    ]
    assert outcomes(table, ("shape",), oracle) == {"preferred"}
    assert outcomes([*table, method("again", "shape")], ("shape",), oracle) == {"preferred"}
    assert outcomes([*table[:2], method("again", "shape")], ("shape",), oracle) == {"again"}


def test_defaults_and_variable_arguments():
    oracle = TableOracle(SHAPES)
    signature = Signature(("shape", "int"), "object")
    assert with_defaults(signature, 1) == (signature, Signature(("shape",)))
    table = [
        Registration(with_defaults(signature, 2), "defaults"),
        method("rest", varargs="object"),
    ]
    assert outcomes(table, (), oracle) == {"defaults"}
    assert outcomes(table, ("circle", "int", "int"), oracle) == {"defaults"}
    assert outcomes(table, ("int", "int", "int"), oracle) == {"rest"}


def test_only_questions_that_matter_are_asked():
    oracle = TableOracle(SHAPES, unknown={("shape", "mystery"), ("mystery", "shape")})
    table = [method("shape", "shape", "int"), method("mystery", "mystery", "circle")]
    assert outcomes(table, ("circle", "int"), oracle) == {"shape"}
    assert oracle.asked == []


def test_an_unknown_order_leaves_every_way_open():
    oracle = TableOracle(
        {*SHAPES, ("circle", "mystery")}, unknown={("shape", "mystery"), ("mystery", "shape")}
    )
    table = [method("shape", "shape"), method("mystery", "mystery")]
    assert outcomes(table, ("circle",), oracle) == {"shape", "mystery", Nothing.AMBIGUOUS}


def test_what_a_type_admits_its_supertypes_admit():
    oracle = TableOracle(SHAPES, unknown={("?", "circle"), ("?", "shape")})
    table = [method("circle", "circle"), method("shape", "shape")]
    assert outcomes(table, ("?",), oracle) == {"circle", "shape", Nothing.NONE}
    # Two unknown arguments are two questions.
    pair = [method("pair", "circle", "shape"), method("other", "shape", "circle")]
    assert Nothing.NONE in outcomes(pair, ("?", "?"), oracle)
    assert "pair" in outcomes(pair, ("?", "?"), oracle)


def test_a_change_is_judged_within_one_world():
    oracle = TableOracle(SHAPES, unknown={("?", "circle"), ("?", "shape")})
    before = [method("shape", "shape"), method("any", "object")]
    unknown = changes(before, [*before, method("again", "object")], ("?",), oracle)
    assert unknown == {("shape", "shape"), ("any", "again")}
    sure = changes(before, [*before, method("again", "object")], ("int",), oracle)
    assert sure == {("any", "again")}


def test_worlds_without_order_of_what_is_admitted_are_not_asked():
    oracle = TableOracle(SHAPES, unknown={("?", "circle"), ("?", "shape")})
    before = [method("shape", "shape")]
    found = changes(before, [*before, method("circle", "circle")], ("?",), oracle)
    assert found == {("shape", "circle"), ("shape", "shape"), (Nothing.NONE, Nothing.NONE)}
    other = changes(
        [method("circle", "circle")], [method("circle", "circle"), *before], ("?",), oracle
    )
    assert other == {("circle", "circle"), (Nothing.NONE, "shape"), (Nothing.NONE, Nothing.NONE)}


def test_a_registration_that_may_not_have_happened_is_one_question():
    oracle = TableOracle(SHAPES)
    maybe = method("circle", "circle", present=None)
    before = [method("any", "object"), maybe]
    after = [*before, method("shape", "shape")]
    assert changes(before, after, ("circle",), oracle) == {("any", "shape"), ("circle", "circle")}
    absent = method("circle", "circle", present=False)
    assert outcomes([before[0], absent], ("circle",), oracle) == {"any"}


def test_too_many_questions_leave_everything_open():
    oracle = TableOracle(set(), unknown={("?", f"t{i}") for i in range(20)})
    before = [method(f"m{i}", f"t{i}") for i in range(20)]
    assert outcomes(before, ("?",), oracle) == {*Nothing, *(f"m{i}" for i in range(20))}
    found = changes(before, [*before, method("new", "t0")], ("?",), oracle)
    assert {a == b for a, b in found} == {True, False}
    assert ("m0", "new") in found
    other = changes(before, [*before, method("new", "t0", "t0")], ("?",), oracle)
    assert all(a == b for a, b in other)


def test_many_methods_that_surely_match_leave_nothing_open():
    types = [f"t{i}" for i in range(20)]
    order = {(a, b) for i, a in enumerate(types) for b in types[i:]}
    table = [method(name, name) for name in reversed(types)]
    assert outcomes(table, ("t0",), TableOracle(order)) == {"t0"}
    assert outcomes([method("t0", "t0")], ("?",), TableOracle(order, {("?", "t0")})) == {
        "t0",
        Nothing.NONE,
    }


def test_variable_arguments_of_equal_types_are_the_same():
    table = [method("first", varargs=int | str), method("again", varargs=str | int)]
    assert outcomes(table, (1, "a"), PlumOracle()) == {"again"}


def test_no_precedence_is_that_of_plum():
    assert Signature(()).precedence == PlumSignature().precedence


class PlumOracle:
    """plum's own answers."""

    equal = staticmethod(cache(_type_hint_eq))
    below = staticmethod(cache(_type_hint_le))

    def __init__(self):
        # By type too: `1 == True`.
        self._admitted = cache(lambda hint, argument, cls: is_bearable(argument, hint))

    def admits(self, hint, argument):
        return self._admitted(hint, argument, type(argument))


class ForgetfulOracle:
    """plum's answers, some of which are left out."""

    def __init__(self, rng, share):
        self._oracle = PlumOracle()
        self._hidden = cache(lambda *question: rng.random() < share)

    def equal(self, a, b):
        # Without regard to the order in which the two are named.
        hidden = self._hidden("equal", frozenset((a, b)))
        return None if hidden else self._oracle.equal(a, b)

    def below(self, a, b):
        return None if self._hidden("below", a, b) else self._oracle.below(a, b)

    def admits(self, hint, argument):
        hidden = self._hidden("admits", hint, argument, type(argument))
        return None if hidden else self._oracle.admits(hint, argument)


@dataclass
class Vocabulary:
    """The types and values that the methods and calls of some tables are made of."""

    hints: list[object]
    values: list[object]


# beartype keeps what it knows of a union by the names of its members.
NUMBERS = itertools.count()


def make_vocabulary(rng):
    classes = []
    while len(classes) < 6:
        bases = tuple(rng.sample(classes, min(len(classes), rng.choice((0, 1, 1, 2)))))
        try:
            classes.append(type(f"C{next(NUMBERS)}", bases, {}))
        except TypeError:  # no consistent order of bases
            continue
    simple = [*classes, bool, int, float, str, numbers.Number, type(None), Literal["a"], object]
    unions = [a | b for a, b in itertools.starmap(rng.sample, [(simple[:-2], 2)] * 5)]
    hints = [*simple, *unions, Any, type, type[classes[0]]]
    values = [*(cls() for cls in classes), True, 1, 1.5, "a", "b", None, classes[0], int]
    return Vocabulary(hints, values)


def make_method(rng, vocabulary, arity):
    """A function for plum, as a `Registration` that holds it as its method."""
    hints = rng.choices(
        vocabulary.hints, k=rng.choice((arity, arity, arity, arity, rng.randint(0, 3)))
    )
    varargs = rng.choice(vocabulary.hints) if rng.random() < 0.2 else None
    precedence = rng.choice((0, 0, 0, 1, -1))
    defaults = []
    while len(defaults) < len(hints) and rng.random() < 0.2:
        hint = hints[-1 - len(defaults)]
        fitting = [value for value in vocabulary.values if is_bearable(value, hint)]
        if not fitting:
            break
        defaults.insert(0, fitting[0])
    names = [f"a{i}" for i in range(len(hints))]
    source = ", ".join([*names, "*rest"] if varargs is not None else names)
    function = eval(f"lambda {source}: None")
    function.__name__ = "f"
    function.__defaults__ = tuple(defaults)
    function.__annotations__ = dict(zip(names, hints, strict=True))
    if varargs is not None:
        function.__annotations__["rest"] = varargs
    signature = Signature(tuple(hints), varargs, precedence)
    return Registration(with_defaults(signature, len(defaults)), function)


def make_table(rng, vocabulary, arity):
    table = []
    for _ in range(rng.randint(1, 9)):
        if table and rng.random() < 0.3:
            # The types of an earlier one, often also its precedence.
            earlier = rng.choice(table)
            again = FunctionType(earlier.method.__code__, {}, "f", earlier.method.__defaults__)
            again.__annotations__ = earlier.method.__annotations__
            precedence = rng.choice((0, 1))
            signatures = tuple(
                Signature(s.types, s.varargs, precedence) for s in earlier.signatures
            )
            table.append(Registration(signatures, again))
        else:
            table.append(make_method(rng, vocabulary, arity))
    return table


class Real:
    """plum's own function with the methods of a table."""

    def __init__(self, table):
        self._function = Function(lambda: None)
        Function._instances.remove(self._function)
        for registration in table:
            precedence = registration.signatures[0].precedence
            self._function.register(registration.method, precedence=precedence)

    def outcome(self, arguments):
        try:
            return self._function.resolve_method(arguments)[0]
        except AmbiguousLookupError:
            return Nothing.AMBIGUOUS
        except NotFoundLookupError:
            return Nothing.NONE


def random_tables(seed, count):
    """Tables with calls for each; few types a table, so that they have to do with each other."""
    rng = random.Random(seed)
    everything = make_vocabulary(rng)
    for _ in range(count):
        hints = [*rng.sample(everything.hints, 7), object]
        values = [v for v in everything.values if sum(is_bearable(v, h) for h in hints) > 2]
        arity = rng.choice((1, 2, 2, 3))
        table = make_table(rng, Vocabulary(hints, everything.values), arity)
        calls = [
            tuple(rng.choices(values or everything.values, k=rng.choice((arity, arity, 1, 2))))
            for _ in range(5)
        ]
        yield rng, table, calls


@pytest.mark.parametrize("seed", range(10))
def test_random_tables_agree_with_plum(seed):
    oracle = PlumOracle()
    for _, table, calls in random_tables(seed, 200):
        real = Real(table)
        for arguments in calls:
            assert outcomes(table, arguments, oracle) == {real.outcome(arguments)}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_not_known_never_excludes_what_plum_does(seed):
    for rng, after, calls in random_tables(seed, 40):
        oracle = ForgetfulOracle(rng, share=rng.choice((0.05, 0.2, 0.5)))
        before = after[:-1]
        unsure = [*before, replace(after[-1], present=None)]
        for arguments in calls:
            real = Real(before).outcome(arguments), Real(after).outcome(arguments)
            assert real in changes(before, after, arguments, oracle)
            assert real[1] in outcomes(after, arguments, oracle)
            assert {*real} <= outcomes(unsure, arguments, oracle)
