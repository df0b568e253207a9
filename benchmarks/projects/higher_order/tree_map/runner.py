import jax
from kernels import kernel


@jax.jit
def run(tree):
    return jax.tree.map(kernel, tree)
