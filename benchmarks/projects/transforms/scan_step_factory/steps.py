from kernels import kernel


def make_step(rate):
    def step(carry, a):
        return kernel(carry) * rate, a

    return step
