from functools import partial
import jax
from solve import solve


@partial(jax.jit, static_argnames="function")
def run(a, **options):
    return solve(a, **options)
