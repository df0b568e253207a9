"""The object is made while tracing: a new trace makes one of the new class, whoever has the old."""

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


class P:
    x = 4.0


@jax.jit
def run(a):
    return a + f(P())


run(x)
Old = P


class P:
    x = 5.0


@dispatch  # expect: PJ004
def f(a: P):
    return 7.0


run(x)


@dispatch
def f(a: Old):
    return 8.0


run(x)
