import jax
from app import total


class Manager:
    def load(self, a):
        import late  # noqa: F401

        result = total(a)
        jax.clear_caches()
        return result
