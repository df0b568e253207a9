import jax


class Compiled:
    def __init__(self, function):
        self.run = jax.jit(function)

    def __call__(self, *args):
        return self.run(*args)
