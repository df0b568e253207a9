from plum import dispatch


@dispatch
def area(a: str):
    return a
