import jax


def pytest_configure(config):
    jax.config.update("jax_disable_jit", True)
