"""The attributes that arrays are taken to have, against those that they have."""

from __future__ import annotations

import pytest

from plum_jit_lint.static.interpreter import arrays


def test_every_public_attribute_of_arrays_and_tracers_is_known() -> None:
    jax = pytest.importorskip("jax")
    found: set[str] = set()

    @jax.jit
    def run(a: object) -> object:
        found.update(dir(a))
        return a

    found.update(dir(run(jax.numpy.ones(2))))
    public = {name for name in found if not name.startswith("_")}
    assert {name for name in public if arrays.has(name) is False} == set()
    assert {name for name in arrays.ATTRIBUTES if arrays.has(name)} <= public
