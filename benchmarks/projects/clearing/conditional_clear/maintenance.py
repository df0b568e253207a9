import os
import jax


def refresh():
    if os.environ.get("PROJECT_CLEAR"):
        jax.clear_caches()
