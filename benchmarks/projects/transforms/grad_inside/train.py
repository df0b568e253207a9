import jax
from loss import loss


@jax.jit
def step(a):
    return a - jax.grad(loss)(a)
