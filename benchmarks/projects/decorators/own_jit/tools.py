import jax


def compiled(function):
    return jax.jit(function)
