"""The name `total` is bound to another function before the call: that one is not jitted."""

import jax.numpy as jnp
import app
from app import area, total, other

other(jnp.ones(2))


def total(a):
    return area(a)


total(jnp.ones(2))
import late

print(total(jnp.ones(2)))
