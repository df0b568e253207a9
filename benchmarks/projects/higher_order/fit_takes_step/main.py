"""A library's `fit` gets the jitted step of the script and calls it."""

import jax
import jax.numpy as jnp
from fitting import fit
from losses import loss


@jax.jit
def step(a):
    return a - loss(a)


fit(step, jnp.ones(2))
import late  # expect: PJ004/error

print(fit(step, jnp.ones(2)))
