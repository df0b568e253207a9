import jax
import plum


@plum.dispatch.abstract
def norm(a):
    """The length of `a`."""


@plum.dispatch
def norm(a: jax.Array):
    return a * 2
