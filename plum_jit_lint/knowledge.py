"""What counts as jit and what keeps a trace: one row a callable of another library.

Every row is proved against real JAX by `tests/test_knowledge.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True)
class Row:
    """How a callable deals with the functions that it is given.

    - `jit`: returns a jitted function;
    - `caching-wrapper`: returns a function that keeps its trace when it is called, no jit;
    - `wrapper`: returns a function that calls its target afresh each time;
    - `maker`: returns a function that traces its target into the cache and runs nothing;
    - `caching-call`: calls its functions at once and keeps their traces;
    - `call`: calls its functions at once, afresh.

    `functions` are the positions of the functions among its arguments, `keywords` their names.
    `scalars_traced` is false where only arrays become tracers, `first_traced` where the first
    argument does whatever it is, as in `grad`. `by_value` is set where functions
    are compared by value and not by identity. `shape` says what the functions are called with,
    see `transforms.SHAPES`.
    """

    path: str
    kind: Kind
    functions: tuple[int, ...] = (0,)
    keywords: tuple[str, ...] = ("fun", "f", "func", "function")
    scalars_traced: bool = True
    by_value: bool = False
    first_traced: bool = False
    shape: Shape = "rest"

    @property
    def keeps_without_jit(self) -> bool:
        """Whether its traces are kept under `jax.disable_jit()` too: what controls the flow runs
        as Python there, and whatever else traces does so all the same."""
        return self.kind in ("caching-wrapper", "maker") or (
            self.kind == "caching-call" and self.shape not in CONTROL_FLOW
        )


CONTROL_FLOW = ("scan", "while", "fori", "cond", "switch", "map")


_ROWS = (
    # Stale: the trace is kept by the identity of the function.
    Row("jax.jit", "jit"),
    Row("jax.experimental.pjit.pjit", "jit"),
    Row("jax.pmap", "jit", by_value=True),
    Row("equinox.filter_jit", "jit", scalars_traced=False, by_value=True),
    Row("equinox.filter_pmap", "jit", scalars_traced=False, by_value=True),
    Row("jax.checkpoint", "caching-wrapper"),
    Row("jax.remat", "caching-wrapper"),
    Row("jax.make_jaxpr", "maker"),
    Row("jax.eval_shape", "caching-call"),
    Row("jax.closure_convert", "caching-call", by_value=True),
    Row("jax.experimental.ode.odeint", "caching-call", by_value=True, shape="field"),
    Row("jax.lax.scan", "caching-call", shape="scan"),
    Row("jax.lax.while_loop", "caching-call", (0, 1), ("cond_fun", "body_fun"), shape="while"),
    Row("jax.lax.fori_loop", "caching-call", (2,), ("body_fun",), shape="fori"),
    Row("jax.lax.cond", "caching-call", (1, 2), ("true_fun", "false_fun"), shape="cond"),
    Row("jax.lax.switch", "caching-call", (1,), ("branches",), shape="switch"),
    Row("jax.lax.reduce", "caching-call", (2,), ("computation",), shape="scalars"),
    Row("jax.lax.reduce_window", "caching-call", (2,), ("computation",), shape="scalars"),
    Row("jax.numpy.piecewise", "caching-call", (2,), ("funclist",), shape="map"),
    # Fresh: the function is called again each time.
    Row("jax.vmap", "wrapper", scalars_traced=False),
    Row("jax.grad", "wrapper", scalars_traced=False, first_traced=True),
    Row("jax.value_and_grad", "wrapper", scalars_traced=False, first_traced=True),
    Row("jax.jacfwd", "wrapper", scalars_traced=False, first_traced=True),
    Row("jax.jacrev", "wrapper", scalars_traced=False, first_traced=True),
    Row("jax.jacobian", "wrapper", scalars_traced=False, first_traced=True),
    Row("jax.hessian", "wrapper", scalars_traced=False, first_traced=True),
    Row("jax.custom_jvp", "wrapper", scalars_traced=False),
    Row("jax.custom_vjp", "wrapper", scalars_traced=False),
    Row("jax.named_call", "wrapper", scalars_traced=False),
    Row("jax.profiler.annotate_function", "wrapper", scalars_traced=False),
    Row("jax.experimental.checkify.checkify", "wrapper", scalars_traced=False),
    Row("jax.shard_map", "wrapper"),
    Row("jax.experimental.shard_map.shard_map", "wrapper"),
    Row("jax.numpy.vectorize", "wrapper", keywords=("pyfunc",)),
    Row("jax.vjp", "call"),
    Row("jax.jvp", "call", shape="nested"),
    Row("jax.linearize", "call"),
    Row("jax.linear_transpose", "call"),
    Row("jax.lax.map", "call", shape="each"),
    Row("jax.lax.associative_scan", "call", (0,), ("fn",), shape="pair"),
    Row("jax.numpy.apply_along_axis", "call", (0,), ("func1d",), shape="map"),
    Row("equinox.filter_vmap", "wrapper", scalars_traced=False),
    Row("equinox.filter_grad", "wrapper", scalars_traced=False),
    Row("equinox.filter_value_and_grad", "wrapper", scalars_traced=False),
    Row("equinox.filter_jacfwd", "wrapper", scalars_traced=False),
    Row("equinox.filter_jacrev", "wrapper", scalars_traced=False),
    Row("equinox.filter_hessian", "wrapper", scalars_traced=False),
    Row("equinox.filter_custom_jvp", "wrapper", keywords=("fn",), scalars_traced=False),
    Row("equinox.filter_checkpoint", "wrapper", scalars_traced=False),
    Row("equinox.filter_make_jaxpr", "wrapper", scalars_traced=False),
    Row("equinox.filter_eval_shape", "call", scalars_traced=False),
    Row("equinox.filter_vjp", "call", scalars_traced=False),
    Row("equinox.filter_jvp", "call", keywords=("fn",), scalars_traced=False, shape="nested"),
    Row("equinox.filter_closure_convert", "call", keywords=("fn",)),
)

ROWS: Mapping[str, Row] = {row.path: row for row in _ROWS}

SAME = {
    "jax.api.jit": "jax.jit",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.numpy.ndarray": "jax.Array",
    "jax.lax.lax.cond": "jax.lax.cond",
    "equinox.internal.filter_jit": "equinox.filter_jit",
}
"""Other names of the same thing."""

DISPATCHERS: Mapping[str, str] = {
    "plum.dispatch": "plum.dispatch",
    "plum.dispatcher.dispatch": "plum.dispatch",
    # Libraries that hand plum's dispatcher on.
    "netket.utils.dispatch.dispatch": "plum.dispatch",
    "cola.utils.dispatch": "plum.dispatch",
    "lab.dispatch": "lab.dispatch",
    "lab.jax.dispatch": "lab.dispatch",
}
"""Dispatcher objects by qualified name, and which dispatcher it is."""

PLUM = ("plum", "netket.utils.dispatch")
"""Modules whose `Dispatcher`, `overload`, `convert` and the like are plum's."""

CONCRETE = (
    "jax.pure_callback",
    "jax.experimental.io_callback",
    "jax.debug.callback",
    "equinox.filter_pure_callback",
)
"""Callables whose functions run in Python at each call, never under a trace."""

CLEAR_ALL = ("jax.clear_caches",)
DISABLE_JIT = ("jax.disable_jit",)


def rows_with(extend_jit: tuple[str, ...]) -> Mapping[str, Row]:
    """The table with the user's own jits added."""
    return {**ROWS, **{path: Row(path, "jit") for path in extend_jit}}


PART_OF_KEY = {
    *(f"jax.{name}" for name in ("default_device", "default_matmul_precision", "enable_x64")),
    *(f"jax.{name}" for name in ("numpy_dtype_promotion", "numpy_rank_promotion")),
    *("jax.threefry_partitionable", "jax.set_mesh", "jax.sharding.use_mesh", "jax.sharding.Mesh"),
    *("jax.experimental.enable_x64", "jax.experimental.disable_x64"),
}
"""Context managers whose setting is part of every trace's key: what was traced outside of them is
not found inside, and the other way round."""
