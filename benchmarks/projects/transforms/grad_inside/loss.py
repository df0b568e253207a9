from kernels import kernel


def loss(a):
    return kernel(a).sum()
