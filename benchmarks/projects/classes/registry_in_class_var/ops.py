import jax
from kernels import kernel


class Ops:
    table = {}

    @classmethod
    def add(cls, function):
        cls.table[function.__name__] = jax.jit(function)
        return function

    @classmethod
    def run(cls, name, a):
        return cls.table[name](a)


@Ops.add
def total(a):
    return kernel(a)
