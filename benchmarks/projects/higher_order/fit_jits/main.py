"""A library's `fit` jits what it gets; the function lives on in the script."""

import jax.numpy as jnp
from fitting import fit
from losses import loss


def step(a):
    return a - loss(a)


fit(step, jnp.ones(2))
import late  # expect: PJ004/error

print(fit(step, jnp.ones(2)))
