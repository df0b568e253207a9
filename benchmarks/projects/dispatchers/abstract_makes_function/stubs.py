from plum import dispatch


@dispatch.abstract
def area(a):
    """The area of `a`."""
