from vectors import Vector


@Vector.__add__.dispatch
def __add__(self, other: Vector):
    return self.data * 3
