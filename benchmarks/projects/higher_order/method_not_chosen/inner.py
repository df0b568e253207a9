from plum import dispatch


@dispatch
def inner(a: object):
    return a
