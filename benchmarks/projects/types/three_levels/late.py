import animals
from plum import dispatch


@dispatch
def weigh(x: animals.Mammal):
    return x.size * 3
