import jax
from plum import dispatch


@dispatch
def energy(m: object):
    return m.value * 2


@jax.jit
def total(body):
    return energy(body.mass)
