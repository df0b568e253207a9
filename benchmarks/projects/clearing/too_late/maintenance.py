from jax import clear_caches


def refresh():
    clear_caches()
