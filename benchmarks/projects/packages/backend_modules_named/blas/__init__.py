from plum import Dispatcher

dispatch = Dispatcher()
from .generic import *
