from plum import dispatch
from shapes import Square


@dispatch
def area(s: Square):
    return s.side * 3
