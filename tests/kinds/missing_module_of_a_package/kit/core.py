from plum import Dispatcher

dispatch = Dispatcher()


@dispatch
def area(x: object):
    return x.x * 2
