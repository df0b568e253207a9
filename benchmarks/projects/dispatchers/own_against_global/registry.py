from plum import Dispatcher

dispatch = Dispatcher()
