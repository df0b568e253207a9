from plum import Dispatcher

_dispatch = Dispatcher()
