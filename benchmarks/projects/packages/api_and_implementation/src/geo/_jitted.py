import jax
import geo_api as api


@jax.jit
def distance(a):
    return api.norm(a)
