import equinox as eqx
import jax
from kernels import pick


class Table(eqx.Module):
    data: jax.Array

    def __getitem__(self, n):
        return pick(self.data, n)


@jax.jit
def total(table):
    return table[1]
