from kernels import limit


def below(a):
    return a < limit(a)
