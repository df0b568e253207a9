import jax
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


class Base:
    def run(self, a):
        return area(a)

    def __eq__(self, other):
        return type(self) is type(other)

    def __hash__(self):
        return 1
