"""JAX: what compiles, differentiates or batches, and what is part of the key of a trace."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.knowledge.rows import Row

ROWS = (
    # Stale: the trace is kept by the identity of the function.
    Row("jax.jit", "jit"),
    Row("jax.experimental.pjit.pjit", "jit"),
    Row(
        "jax.pmap",
        "jit",
        by_value=True,
        cache="its own",
        axes="without the first",
        static_positions="static_broadcasted_argnums",
    ),
    Row("jax.checkpoint", "caching-wrapper"),
    Row("jax.remat", "caching-wrapper"),
    Row("jax.make_jaxpr", "maker"),
    Row("jax.eval_shape", "caching-call", cache="of jit"),
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
    Row("jax.vmap", "wrapper", scalars_traced=False, axes="without the first"),
    Row("jax.grad", "wrapper", scalars_traced=False, first_traced=True, differentiates=True),
    Row(
        "jax.value_and_grad",
        "wrapper",
        scalars_traced=False,
        first_traced=True,
        differentiates=True,
    ),
    Row("jax.jacfwd", "wrapper", scalars_traced=False, first_traced=True, differentiates=True),
    Row("jax.jacrev", "wrapper", scalars_traced=False, first_traced=True, differentiates=True),
    Row("jax.jacobian", "wrapper", scalars_traced=False, first_traced=True, differentiates=True),
    Row("jax.hessian", "wrapper", scalars_traced=False, first_traced=True, differentiates=True),
    Row("jax.custom_jvp", "wrapper", scalars_traced=False, returns_as_given=True),
    Row("jax.custom_vjp", "wrapper", scalars_traced=False, returns_as_given=True),
    Row("jax.named_call", "wrapper", scalars_traced=False, returns_as_given=True),
    Row("jax.profiler.annotate_function", "wrapper", scalars_traced=False),
    Row("jax.experimental.checkify.checkify", "wrapper", scalars_traced=False),
    Row("jax.shard_map", "wrapper", axes="unknown"),
    Row("jax.experimental.shard_map.shard_map", "wrapper", axes="unknown"),
    Row("jax.numpy.vectorize", "wrapper", keywords=("pyfunc",), axes="none"),
    Row("jax.vjp", "call", differentiates=True),
    Row("jax.jvp", "call", differentiates=True, shape="nested"),
    Row("jax.linearize", "call", differentiates=True),
    Row("jax.linear_transpose", "call"),
    Row("jax.lax.map", "call", shape="each"),
    Row("jax.lax.associative_scan", "call", (0,), ("fn",), shape="pair"),
    Row("jax.numpy.apply_along_axis", "call", (0,), ("func1d",), shape="map"),
)

SAME = {
    "jax.api.jit": "jax.jit",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.numpy.ndarray": "jax.Array",
    "jax.lax.lax.cond": "jax.lax.cond",
}
"""Other names of the same thing."""

CALLBACKS = ("jax.pure_callback", "jax.experimental.io_callback", "jax.debug.callback")
"""Callables whose functions run in Python at each call, never under a trace."""

CONTEXTS_IN_KEY = {
    *(f"jax.{name}" for name in ("default_device", "default_matmul_precision", "enable_x64")),
    *(f"jax.{name}" for name in ("numpy_dtype_promotion", "numpy_rank_promotion")),
    *("jax.threefry_partitionable", "jax.set_mesh", "jax.sharding.use_mesh", "jax.sharding.Mesh"),
    *("jax.experimental.enable_x64", "jax.experimental.disable_x64"),
}
"""Context managers whose setting is part of every trace's key: what was traced outside of them is
not found inside, and the other way round."""

FLAGS_IN_KEY = {"jax_enable_x64", "jax_default_matmul_precision", "jax_numpy_dtype_promotion"}
"""What `jax.config.update` sets, where it is part of every trace's key."""

DISABLE_JIT_FLAG = "jax.config.jax_disable_jit"

PYTREE_REGISTRARS = {
    f"register_{name}"
    for name in (
        *("pytree_node", "pytree_node_class", "pytree_with_keys", "pytree_with_keys_class"),
        *("dataclass", "static"),
    )
}
"""Functions of `jax.tree_util` that tell JAX of a class."""

NUMPY = "jax.numpy."
ARRAY = "jax.Array"
CONCRETE_ARRAY = "jax._src.array.ArrayImpl"
TRACER = "jax.core.Tracer"
ARRAY_LIKE = "jax.typing.ArrayLike"

CLASSES: Mapping[str, str] = {
    "jax.Array": "collections.abc.Container",
    # The class of an array that is no tracer. `jax.Array` itself has no methods to count by.
    "jax._src.array.ArrayImpl": "jax.Array collections.abc.Collection",
    "jax.core.Tracer": "collections.abc.Collection collections.abc.Reversible",
}
"""The bases of each class, and the abstract classes that it counts as an instance of."""

ALIASES: Mapping[str, str] = {"jax.numpy.ndarray": "jax.Array"}
"""Other names of classes."""
