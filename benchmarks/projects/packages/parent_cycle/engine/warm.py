import jax.numpy as jnp
import jax
import engine


@jax.jit
def total(a):
    return 12 * engine.area(a)


total(jnp.ones(2))
