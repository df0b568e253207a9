from plum import dispatch
from shapes import Circle, Square


@dispatch
def area(s: Circle | Square):
    return s.side * 3
