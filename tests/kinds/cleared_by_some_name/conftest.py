import jax


def clear_runtest_setup(item):
    jax.clear_caches()
