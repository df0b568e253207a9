"""A helper that extends is there, and no test calls it."""

import jax
import jax.numpy as jnp
from app import area, total


def extend():
    return registered(area)


def registered(function):
    @function.dispatch
    def area_fast(a: int):
        return a * 3

    return area_fast


def test_total():
    assert total(jnp.ones(2))[0] == 24


def test_total_again():
    assert total(jnp.ones(2))[0] == 24
