import jax
from kernels import kernel

run = jax.jit(kernel, inline=True)
