"""Runs in the names of a notebook."""

assert run(jnp.ones(2))[0] == 24.0


@dispatch
def scale(a: jax.Array):
    return a * 3
