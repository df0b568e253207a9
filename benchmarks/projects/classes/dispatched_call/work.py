import jax


@jax.jit
def run(layer, a):
    return layer(a)
