"""What all programs are made with: chance, fresh names and numbers, and blocks of source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from textwrap import indent
from typing import TypeVar

T = TypeVar("T")

HEADER = """\
import contextlib
import dataclasses
import functools
import importlib
from functools import partial, wraps
from typing import Any, Literal, NamedTuple, Optional, Union

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
"""
LEAF = """\
def leaf(v):
    return jnp.asarray(jax.tree_util.tree_leaves(v)[0])
"""
SETTINGS = """\
DEBUG = False
VERSION = (1, 2)
MODE = 'train'
ENABLE = True
"""
FUNCTIONS = ("area", "scale", "norm", "energy", "weight", "cost", "evaluate", "force", "volume")


@dataclass
class Gen:
    """The chance and the counters of one program."""

    rng: Random
    _number: int = 10
    _name: int = 0
    names: dict[str, int] = field(default_factory=dict)

    def number(self) -> str:
        """A constant that no other method of the program has."""
        self._number += 1
        return f"{self._number}.5"

    def name(self, stem: str) -> str:
        self._name += 1
        return f"{stem}{self._name}"

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        return self.rng.sample(list(options), min(len(options), self.rng.randint(least, most)))


@dataclass(frozen=True)
class Dispatching:
    """How a program gets its dispatcher: the lines, and the expression."""

    lines: str
    name: str


def dispatching(gen: Gen) -> Dispatching:
    return gen.pick(
        [
            Dispatching("from plum import dispatch", "dispatch"),
            Dispatching("from plum import dispatch", "dispatch"),
            Dispatching("import plum", "plum.dispatch"),
            Dispatching("from plum import Dispatcher\n\ndispatch = Dispatcher()", "dispatch"),
            Dispatching("from plum import dispatch as register_for", "register_for"),
            Dispatching(
                "from plum import Dispatcher\n\ndispatch = Dispatcher(warn_redefinition=False)",
                "dispatch",
            ),
        ]
    )


def block(text: str) -> str:
    return text.strip("\n")


def inside(text: str, depth: int = 1) -> str:
    return indent(block(text), "    " * depth)


def joined(blocks: Sequence[str]) -> str:
    """A file: blocks with two empty lines between."""
    return "\n\n\n".join(block(one) for one in blocks if one.strip()) + "\n"


Files = dict[str, str]
Maker = Callable[[Gen], Files]
