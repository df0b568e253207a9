import jax.numpy as jnp
from ._core import convert, to_base
from . import register_fast  # noqa: F401

DEFAULT = to_base(jnp.ones(3))
__all__ = ["DEFAULT", "convert"]
