import equinox as eqx


@eqx.filter_jit
def step(layer, a):
    return layer(a)
