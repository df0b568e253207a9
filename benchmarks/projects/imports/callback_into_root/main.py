"""A library calls back into the script, which registers: the call into the library is the place."""

import jax
import jax.numpy as jnp
from plum import dispatch
from library import run_hooks, total


def hook():
    @dispatch
    def area(a: jax.Array):
        return a * 3


total(jnp.ones(2))
run_hooks([hook])  # expect: PJ004
print(total(jnp.ones(2)))
