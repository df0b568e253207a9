"""The families of programs, each of which can be made in any size."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

HEAD = """\
import functools
import itertools
from dataclasses import dataclass
from typing import Union, Optional, Literal, Callable

import jax
import jax.numpy as jnp
from plum import Dispatcher, dispatch


@dispatch
def area(a: jax.Array):
    return a


@jax.jit
def use(a):
    return area(a)


use(jnp.ones(3))
"""

TAIL = """

@dispatch
def area(a: jax.Array, b: int = 1):
    return a


@dispatch
def area(a: jax.Array):
    return a * 2
"""
"""A late registration, to see whether what comes after the hostile part is still read."""

Files = dict[str, str]


@dataclass(frozen=True)
class Family:
    """Programs of one kind. `first` is the smallest size that is measured."""

    name: str
    first: int
    files: Callable[[int], Files]


def _one_file(text: str) -> Files:
    return {"main.py": f"{HEAD}\n{text}{TAIL}"}


def lines(name: str, first: int, each: str, before: str = "", after: str = "") -> Family:
    """`each` once for every number up to the size; `{i}` is the number, `{p}` the one before,
    `{n}` the size."""

    def files(size: int) -> Files:
        body = (each.replace("{i}", str(i)).replace("{p}", str(i - 1)) for i in range(1, size + 1))
        text = "\n".join([before, *body, after])
        return _one_file(text.replace("{n}", str(size)))

    return Family(name, first, files)


def nested(
    name: str, first: int, opening: str, inner: str, closing: str, before: str = ""
) -> Family:
    """`opening`, `inner` and `closing` as one expression, `opening` and `closing` repeated."""

    def files(size: int) -> Files:
        opened = "".join(opening.replace("{i}", str(i)) for i in range(size))
        closed = "".join(closing.replace("{i}", str(i)) for i in reversed(range(size)))
        return _one_file(f"{before}\n{opened}{inner}{closed}\n")

    return Family(name, first, files)


def blocks(name: str, first: int, opening: str, inner: str, before: str = "") -> Family:
    """Statements in one another, the innermost of which is `inner`."""

    def files(size: int) -> Files:
        text = "".join(
            textwrap.indent(opening.replace("{i}", str(i)), "    " * i) + "\n" for i in range(size)
        )
        return _one_file(f"{before}\n{text}{textwrap.indent(inner, '    ' * size)}\n")

    return Family(name, first, files)


def modules(name: str, first: int, each: str, main: str) -> Family:
    """A file for every number up to the size, and one that begins with them."""

    def files(size: int) -> Files:
        made = {}
        for i in range(1, size + 1):
            text = each.replace("{i}", str(i)).replace("{p}", str(i - 1))
            made[f"m{i}.py"] = text.replace("{q}", str(i % size + 1)).replace("{n}", str(size))
        made["m0.py"] = "X = 1\n"
        return {**_one_file(main.replace("{n}", str(size))), **made}

    return Family(name, first, files)
