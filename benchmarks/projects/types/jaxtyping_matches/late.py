from jaxtyping import Array, Float
from plum import dispatch


@dispatch
def area(a: Float[Array, "n"]):
    return a * 3
