import os
import jax


def maybe_jit(function):
    if os.environ.get("PROJECT_NO_JIT"):
        return function
    return jax.jit(function)
