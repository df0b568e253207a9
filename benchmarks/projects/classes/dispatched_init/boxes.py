from plum import dispatch


class Box:
    @dispatch
    def __init__(self, a: object):
        self.value = a * 2
