import jax.numpy as jnp
from ._core import convert, to_base

DEFAULT = to_base(jnp.ones(3))
from . import register_fast  # noqa: F401  # expect: PJ004/error

__all__ = ["DEFAULT", "convert"]
