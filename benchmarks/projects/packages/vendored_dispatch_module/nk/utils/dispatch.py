from plum import Dispatcher, Function, dispatch

TrueT = bool
