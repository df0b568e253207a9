import jax
import _registry as registry


@registry._dispatch
def area(a: jax.Array):
    return a * 3
