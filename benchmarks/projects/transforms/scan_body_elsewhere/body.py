from kernels import kernel


def body(carry, a):
    return kernel(carry), a
