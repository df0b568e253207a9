from plum import dispatch
from points import Point


@dispatch
def norm(p: Point):
    return p.x * 3
