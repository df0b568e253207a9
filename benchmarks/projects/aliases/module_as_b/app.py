import jax
import backend as B


@B.dispatch
def matmul(a: jax.Array, b: jax.Array):
    return a * b


@jax.jit
def total(a):
    return matmul(a, a)
