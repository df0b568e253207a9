from kernels import kernel


def best():
    return kernel
