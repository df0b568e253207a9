from meta import Converting


class Quantity(metaclass=Converting):
    def __init__(self, value):
        self.value = value
