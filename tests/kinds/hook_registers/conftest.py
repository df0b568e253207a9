import jax
from plum import dispatch


def pytest_runtest_setup(item):
    @dispatch
    def area(s: jax.Array):
        return 10 * s
