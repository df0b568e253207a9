import kinds
from plum import dispatch


@dispatch
def area(a: kinds.Tensor):
    return a * 3
