from base import Base
from kernels import kernel


class Fast(Base):
    def step(self, a):
        return kernel(a)


class Plain(Base):
    pass
