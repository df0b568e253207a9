import jax


class Manager:
    def load(self):
        import late  # noqa: F401

        self._refresh()

    def _refresh(self):
        jax.clear_caches()
