from plum import dispatch
from shapes import Shape


@dispatch
def area(s: Shape):
    return s.side * 3
