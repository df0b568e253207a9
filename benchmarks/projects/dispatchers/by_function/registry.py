from plum import Dispatcher


def make_dispatcher():
    return Dispatcher()


first = make_dispatcher()
second = make_dispatcher()
