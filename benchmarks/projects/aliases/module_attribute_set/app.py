import jax


def helper(a):
    return a


@jax.jit
def total(a):
    return helper(a)
