"""A module that a package surely does not have: its handler runs, and what follows knows of it."""

import contextlib

import jax
import jax.numpy as jnp
from kit.core import area, dispatch


class Square:
    def __init__(self, x):
        self.x = x


jax.tree_util.register_pytree_node(Square, lambda s: ((s.x,), None), lambda _, x: Square(*x))


@jax.jit
def run(x):
    return area(x)


run(Square(jnp.ones(2)))

try:
    import kit.core
except ImportError:

    @dispatch
    def area(x: Square):
        return x.x * 3


try:
    import kit.missing

    jax.clear_caches()
except ImportError:

    @dispatch  # expect: PJ004/error
    def area(x: Square):
        return x.x * 4


@dispatch
def area(x: object):
    return x.x * 5


with contextlib.suppress(ImportError):
    from kit.missing import whatever

    @dispatch
    def area(x: Square):
        return x.x * 6


run(Square(jnp.ones(2)))
