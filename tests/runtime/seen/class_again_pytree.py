"""The object comes from outside, and stays of the old class."""

import equinox as eqx
import jax
import jax.numpy as jnp
from plum import Dispatcher

dispatch = Dispatcher()
x = jnp.array(1.0)


@dispatch
def f(a: jax.Array):
    return a * 2


@dispatch
def f(a: object):
    return jnp.asarray(a.x if hasattr(a, "x") else 1.0) * 3


class P(eqx.Module):
    x: jax.Array


@jax.jit
def run(p):
    return f(p)


p = P(x)
run(p)


class P(eqx.Module):
    x: jax.Array


@dispatch
def f(a: P):
    return a.x * 5


run(p)
run(P(x))
