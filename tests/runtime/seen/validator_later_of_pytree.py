"""An object that was made for the trace is gone: it may, is all that can be said."""
from typing import Annotated

import jax
import jax.numpy as jnp
from beartype.vale import Is, IsAttr, IsEqual
from plum import Dispatcher, NotFoundLookupError

dispatch = Dispatcher()
x = jnp.array(1.0)


@jax.tree_util.register_pytree_node_class
class Length:
    def __init__(self, value, unit):
        self.value = value
        self.unit = unit

    def tree_flatten(self):
        return (self.value,), self.unit

    @classmethod
    def tree_unflatten(cls, unit, values):
        return cls(*values, unit)


@dispatch
def f(a: Length):
    return a.value * 3


@jax.jit
def run(a):
    return f(a)


run(Length(x, "m"))


@dispatch  # expect: PJ004/warning
def f(a: Annotated[Length, Is[lambda a: a.unit == "m"]]):
    return a.value * 5


run(Length(x, "m"))
