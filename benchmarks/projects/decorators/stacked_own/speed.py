import functools
import jax


def fast(**options):
    return functools.partial(jax.jit, **options)
