from plum import Dispatcher


class Rules:
    def __init__(self):
        self.dispatch = Dispatcher()

    def rule(self, function):
        return self.dispatch(function)


FIRST = Rules()
SECOND = Rules()
