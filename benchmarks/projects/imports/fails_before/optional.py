# fails: ModuleNotFoundError
import a_library_that_is_not_there
import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 3
