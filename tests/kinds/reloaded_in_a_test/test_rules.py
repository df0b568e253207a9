"""A test reloads the module, after another has compiled a choice."""
import importlib

import jax
import jax.numpy as jnp
import rules
from plum import dispatch


@dispatch
def area(s: jax.Array):
    return 10 * s


@jax.jit
def price(s):
    return 2 * area(s)


def test_price():
    assert float(price(jnp.array(1.0))) == 20.0


def test_reload():
    importlib.reload(rules)  # expect: PJ004
    assert float(price(jnp.array(1.0))) == 20.0
