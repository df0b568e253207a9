"""Equinox: what compiles, differentiates or batches."""

from __future__ import annotations

from plum_jit_lint.knowledge.rows import Base, Row

ROWS = (
    # Stale: the trace is kept by the identity of the function.
    Row("equinox.filter_jit", "jit", scalars_traced=False, by_value=True, cache="its own"),
    Row(
        "equinox.filter_pmap",
        "jit",
        scalars_traced=False,
        by_value=True,
        cache="its own",
        axes="without the first",
    ),
    # Fresh: the function is called again each time.
    Row("equinox.filter_vmap", "wrapper", scalars_traced=False, axes="without the first"),
    Row("equinox.filter_grad", "wrapper", scalars_traced=False, differentiates=True),
    Row("equinox.filter_value_and_grad", "wrapper", scalars_traced=False, differentiates=True),
    Row("equinox.filter_jacfwd", "wrapper", scalars_traced=False, differentiates=True),
    Row("equinox.filter_jacrev", "wrapper", scalars_traced=False, differentiates=True),
    Row("equinox.filter_hessian", "wrapper", scalars_traced=False, differentiates=True),
    Row("equinox.filter_custom_jvp", "wrapper", keywords=("fn",), scalars_traced=False),
    Row("equinox.filter_checkpoint", "wrapper", scalars_traced=False),
    Row("equinox.filter_make_jaxpr", "wrapper", scalars_traced=False),
    Row("equinox.filter_eval_shape", "call", scalars_traced=False),
    Row("equinox.filter_vjp", "call", scalars_traced=False, differentiates=True),
    Row(
        "equinox.filter_jvp",
        "call",
        keywords=("fn",),
        scalars_traced=False,
        differentiates=True,
        shape="nested",
    ),
    Row("equinox.filter_closure_convert", "call", keywords=("fn",)),
)

BASES = (Base("equinox.Module", makes_containers=False, compares_fields=True),)

SAME = {"equinox.internal.filter_jit": "equinox.filter_jit"}
"""Other names of the same thing."""

CALLBACKS = ("equinox.filter_pure_callback",)
"""Callables whose functions run in Python at each call, never under a trace."""
