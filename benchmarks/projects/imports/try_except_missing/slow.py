from plum import dispatch


@dispatch
def area(a: int):
    return a * 4
