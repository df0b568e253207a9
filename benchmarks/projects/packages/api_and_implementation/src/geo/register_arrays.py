import plum


@plum.dispatch
def norm(a: object):
    return a * 2
