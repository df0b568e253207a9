import jax


def pytest_pyfunc_call(pyfuncitem):
    jax.clear_caches()
