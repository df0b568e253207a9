import jax
from kernels import kernel

run = jax.jit(jax.vmap(kernel))
