import core


def apply(a):
    return core.kernel(a)
