import numpy as np
from plum import dispatch


@dispatch
def area(a: np.ndarray):
    return a * 3
