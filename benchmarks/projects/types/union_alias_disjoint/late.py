from kinds import Text
from plum import dispatch


@dispatch
def area(a: Text):
    return a * 3
