from kernels import kernel


def fast(a):
    return kernel(a)


def slow(a):
    return a
