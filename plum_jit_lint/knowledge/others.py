"""Libraries of which little is known: attrs, chex, Flax, jaxtyping."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.knowledge.rows import Base

JAXTYPING = "jaxtyping."

ALIASES: Mapping[str, str] = {
    "jaxtyping.Array": "jax.Array",
    "chex.ArrayDevice": "jax.Array",
    "chex.ArrayNumpy": "numpy.ndarray",
}
"""Other names of classes."""

ARRAY_LIKE = "jaxtyping.ArrayLike"
SCALAR = "jaxtyping.Scalar"
ANY_ARRAY = "chex.Array"

BASES = (Base("flax.struct.PyTreeNode", makes_containers=False),)

DATACLASSES = {
    *("flax.struct.dataclass", "chex.dataclass"),
    *("attrs.define", "attrs.frozen", "attr.s", "attr.define", "attr.frozen"),
}
