from plum import add_conversion_method


class Raw:
    def __init__(self, value):
        self.value = value


class Length:
    def __init__(self, value):
        self.value = value


add_conversion_method(Raw, Length, lambda raw: Length(raw.value * 2))
