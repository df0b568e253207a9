import functools
import jax


def compiled(static=()):
    def decorate(function):
        return functools.partial(jax.jit, static_argnames=static)(function)

    return decorate
