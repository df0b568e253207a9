import jax


def refresh():
    jax.clear_caches()
