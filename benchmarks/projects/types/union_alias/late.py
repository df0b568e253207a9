from kinds import ArrayLike
from plum import dispatch


@dispatch
def area(a: ArrayLike):
    return a * 3
