"""A fixture with `params` runs its test once for each; the second round extends too late."""

import jax
import jax.numpy as jnp
import pytest
from app import area, total


@pytest.fixture(params=["plain", "fast"])
def kind(request):
    return request.param


def test_total(kind):
    if kind == "fast":

        @area.dispatch  # expect: PJ004
        def area_fast(a: jax.Array):
            return a * 3

    assert total(jnp.ones(2))[0] == 24
