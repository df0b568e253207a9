from plum import Dispatcher

dispatch = Dispatcher()
other = Dispatcher()
