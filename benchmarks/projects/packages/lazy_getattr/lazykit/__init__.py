from ._core import total


def __getattr__(name):
    if name == "extra":
        import lazykit.extra as extra

        return extra
    raise AttributeError(name)
