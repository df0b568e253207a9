import jax
from kernels import kernel


def _forward(a):
    return kernel(a) + 1


class Model:
    forward = staticmethod(jax.jit(_forward))

    def predict(self, a):
        return self.forward(a)
