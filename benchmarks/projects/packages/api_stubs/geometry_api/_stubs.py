import plum


@plum.dispatch.abstract
def norm(a):
    """The length of `a`."""
