from collections.abc import Sequence
import jax
from plum import dispatch


@dispatch
def stack(parts: Sequence):
    return parts[0] * 2


@jax.jit
def total(a):
    return stack([a, a])
