def noisy(function):
    def noisy_wrapper(a: object):
        return function(a)

    return noisy_wrapper
