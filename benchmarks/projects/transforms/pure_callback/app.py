import jax
import numpy as np
from plum import dispatch


@dispatch
def area(a: object):
    return np.asarray(a) * np.float32(2)


def host(a):
    return area(a)


@jax.jit
def total(a):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(a.shape, a.dtype), a)
