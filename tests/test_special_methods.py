"""Every special method of Python that an expression or a builtin calls, dispatched on a class."""

from __future__ import annotations

import importlib.util

import pytest

from plum_jit_lint import lint_source

OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
WAYS = {
    **{f"__{name}__": f"g {sign} 1" for name, sign in OPERATORS.items()},
    **{f"__r{name}__": f"1 {sign} g" for name, sign in OPERATORS.items()},
    "__eq__": "g == 1",
    "__ne__": "g != 1",
    "__lt__": "g < 1",
    "__le__": "g <= 1",
    "__gt__": "g > 1",
    "__ge__": "g >= 1",
    "__neg__": "-g",
    "__pos__": "+g",
    "__invert__": "~g",
    "__abs__": "abs(g)",
    "__round__": "round(g)",
    "__divmod__": "divmod(g, 1)",
    "__getitem__": "g[1]",
    "__contains__": "1 in g",
    "__call__": "g(1)",
    "__len__": "len(g)",
    "__iter__": "[one for one in g]",
    "__reversed__": "reversed(g)",
    "__bool__": "1 if g else 2",
    "__int__": "int(g)",
    "__float__": "float(g)",
    "__complex__": "complex(g)",
    "__index__": "operator.index(g)",
    "__trunc__": "math.trunc(g)",
    "__floor__": "math.floor(g)",
    "__ceil__": "math.ceil(g)",
    "__hash__": "hash(g)",
    "__str__": "str(g)",
    "__repr__": "repr(g)",
}
STATEMENTS = {
    **{f"__i{name}__": f"g {sign}= 1" for name, sign in OPERATORS.items()},
    "__setitem__": "g[1] = 2",
    "__delitem__": "del g[1]",
}
VALUES = {
    "__bool__": "True",
    "__iter__": "iter([1])",
    "__reversed__": "iter([1])",
    "__str__": "'text'",
    "__repr__": "'text'",
    "__complex__": "1j",
    "__float__": "1.0",
}
PARAMETERS = {"__setitem__": ", a: {0}, b: object", "__delitem__": ", a: {0}"}
WITH_ARGUMENT = {
    *(f"__{kind}{name}__" for kind in ("", "r", "i") for name in OPERATORS),
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
    *("__divmod__", "__getitem__", "__contains__", "__call__", "__delitem__"),
}

PROGRAM = """\
import math
import operator

import jax
import jax.numpy as jnp
from plum import dispatch


class Grid:
    @dispatch
    def {name}(self{wide}):
        CHOSEN.append("old")
        return {value}

    __hash__ = {hash}


CHOSEN = []
g = Grid()


@jax.jit
def run(x):
    global g
    {statement}
    return x


run(jnp.ones(2))
assert CHOSEN == ["old"]


@Grid.{name}.dispatch
def _(self{narrow}):
    CHOSEN.append("new")
    return {value}


run(jnp.ones(2))
assert CHOSEN == ["old"]
g = Grid()
jax.clear_caches()
run(jnp.ones(2))
assert CHOSEN[1:2] == ["{after}"], CHOSEN
"""


def program(name: str, *, matches: bool = True) -> str:
    """A program that gives a special method another method after a jitted use. `matches`: for
    what was traced."""
    kind = "int" if matches else "str"
    if name == "__setitem__":
        wide, narrow = ", a: object, b: object", f", a: {kind}, b: object"
    elif name in WITH_ARGUMENT:
        wide, narrow = ", a: object", f", a: {kind}"
    else:
        wide, narrow = "", ""
    return PROGRAM.format(
        name=name,
        wide=wide,
        narrow=narrow,
        value=VALUES.get(name, "1"),
        hash="__hash__" if name == "__hash__" else "object.__hash__",
        statement=STATEMENTS.get(name) or WAYS[name],
        after="new" if matches else "old",
    )


ALL = sorted([*WAYS, *STATEMENTS])


@pytest.mark.parametrize("name", ALL)
def test_a_special_method_is_dispatched_where_python_calls_it(name: str) -> None:
    findings = lint_source(program(name).encode(), path="program.py").findings
    assert [(f.code, f.severity.label) for f in findings] == [("PJ004", "error")], name


@pytest.mark.parametrize("name", sorted(WITH_ARGUMENT))
def test_a_method_for_another_argument_changes_nothing(name: str) -> None:
    assert not lint_source(program(name, matches=False).encode(), path="program.py").findings


@pytest.mark.skipif(importlib.util.find_spec("plum") is None, reason="runs real plum and JAX")
@pytest.mark.parametrize("matches", [True, False])
def test_python_does_so(matches: bool) -> None:
    for name in ALL if matches else sorted(WITH_ARGUMENT):
        # Each has a class of its own, which plum knows by its name.
        source = program(name, matches=matches).replace("Grid", f"Grid{name}")
        exec(compile(source, name, "exec"), {"__name__": f"program{name}{matches}"})
