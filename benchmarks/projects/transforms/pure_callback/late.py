import jax
import numpy as np
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return np.asarray(a) * np.float32(3)
