import functools


def doubled(function):
    @functools.wraps(function)
    def wrapper(a):
        return 2 * function(a)

    return wrapper
