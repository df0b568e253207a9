from functools import partial
import jax
from mixins import Dispatched, Plain


class Model(Plain, Dispatched):
    @partial(jax.jit, static_argnums=0)
    def run(self, a):
        return self.scale(a)

    def __eq__(self, other):
        return isinstance(other, Model)

    def __hash__(self):
        return 1
