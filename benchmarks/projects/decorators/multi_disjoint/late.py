from lib import area


@area.dispatch_multi((str,), (float,))
def area(a):
    return a * 3
