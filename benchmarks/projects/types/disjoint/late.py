from plum import dispatch


@dispatch
def area(a: str):
    return a


@dispatch
def area(a: int):
    return a * 3
