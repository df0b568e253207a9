from plum import dispatch


@dispatch
def area(a: object):
    return a * 3
