"""What a row says: of a callable that compiles, differentiates or batches, and of a base class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["jit", "caching-wrapper", "wrapper", "maker", "caching-call", "call"]

Shape = Literal[
    "rest",
    "scan",
    "while",
    "fori",
    "cond",
    "switch",
    "map",
    "each",
    "pair",
    "scalars",
    "nested",
    "field",
]
CONTROL_FLOW = ("scan", "while", "fori", "cond", "switch", "map")

Axes = Literal["all", "without the first", "none", "unknown"]


@dataclass(frozen=True, slots=True)
class Base:
    """A class that programs make classes of."""

    path: str
    brings_methods: bool = True
    """Whether a class below may have methods that nobody sees."""
    makes_containers: bool = True
    """Whether a class below may be a number, a container or an array."""
    compares_fields: bool = False
    """Whether objects are compared by their fields, and not by identity."""


@dataclass(frozen=True, slots=True)
class Row:
    """How a callable deals with the functions that it is given. `kind` is one of:

    - `jit`: returns a jitted function;
    - `caching-wrapper`: returns a function that keeps its trace when it is called, no jit;
    - `wrapper`: returns a function that calls its target afresh each time;
    - `maker`: returns a function that traces its target into the cache and runs nothing;
    - `caching-call`: calls its functions at once and keeps their traces;
    - `call`: calls its functions at once, afresh.
    """

    path: str
    kind: Kind
    functions: tuple[int, ...] = (0,)
    """The positions of the functions among its arguments."""
    keywords: tuple[str, ...] = ("fun", "f", "func", "function")
    """The names of the functions among its arguments."""
    scalars_traced: bool = True
    """Whether Python numbers become tracers, as arrays do."""
    first_traced: bool = False
    """Whether the first argument becomes a tracer whatever it is."""
    by_value: bool = False
    """Whether its functions are compared by value, and not by identity."""
    cache: Literal["of its kind", "of jit", "its own"] = "of its kind"
    """The cache that keeps its traces. All jits and makers share that of `jax.jit`, and any other
    kind has its own, unless the row says otherwise."""
    differentiates: bool = False
    """Whether it takes derivatives: the rules of a `custom_jvp` inside are called then."""
    axes: Axes = "all"
    """The axes of an array that arrive in the function."""
    returns_as_given: bool = False
    """Whether a wrapper returns what its function returns, which need be no array."""
    static_positions: str = "static_argnums"
    """The name of the argument of a jit that says which positions are static."""
    shape: Shape = "rest"
    """What the functions are called with, see `static/models/jax/transforms.py::SHAPES`."""

    @property
    def space(self) -> str:
        """What names the cache that keeps its traces."""
        of_jit = self.kind in ("jit", "maker") and self.cache == "of its kind"
        return "jit" if of_jit or self.cache == "of jit" else self.path

    @property
    def keeps_without_jit(self) -> bool:
        """Whether its traces are kept under `jax.disable_jit()` too: what controls the flow runs
        as Python there, and whatever else traces does so all the same."""
        return self.kind in ("caching-wrapper", "maker") or (
            self.kind == "caching-call" and self.shape not in CONTROL_FLOW
        )
