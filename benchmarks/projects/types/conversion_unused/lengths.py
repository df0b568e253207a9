class Raw:
    def __init__(self, value):
        self.value = value


class Length:
    def __init__(self, value):
        self.value = value
