# fails: AttributeError
import jax
import jax.numpy as jnp
import a_first

NAME = "c"


@jax.jit
def total(a):
    return 12 * a_first.area(a)


total(jnp.ones(2))
