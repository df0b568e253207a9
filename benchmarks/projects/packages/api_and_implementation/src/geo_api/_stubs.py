import plum


@plum.dispatch.abstract
def norm(*args, **kwargs):
    """The length."""
