import jax


def install(where):
    @where
    def area(a: jax.Array):
        return a * 3
