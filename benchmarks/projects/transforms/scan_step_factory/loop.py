import jax
import jax.numpy as jnp
from steps import make_step

STEP = make_step(0.5)


def run(a):
    return jax.lax.scan(STEP, jnp.float32(1), a)
