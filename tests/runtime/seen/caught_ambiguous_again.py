"""Ambiguous, settled, ambiguous again before anybody calls."""
import jax
import jax.numpy as jnp
from plum import Dispatcher, NotFoundLookupError, AmbiguousLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


@dispatch
def f(a: jax.Array, b: object):
    return a * 2


@dispatch
def f(a: object, b: jax.Array):
    return a * 3


@jax.jit
def run(a):
    try:
        return f(a, a)
    except AmbiguousLookupError:
        return a * 7


run(x)


@dispatch(precedence=1)
def f(a: jax.Array, b: object):
    return a * 5


@dispatch(precedence=1)
def f(a: object, b: jax.Array):
    return a * 5


run(x)
