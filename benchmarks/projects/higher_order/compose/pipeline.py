import jax
from kernels import first, second
from tools import compose

run = jax.jit(compose(first, second))
