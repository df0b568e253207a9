import sys
from plum import Dispatcher

dispatch = Dispatcher()
B = sys.modules["backend"]
