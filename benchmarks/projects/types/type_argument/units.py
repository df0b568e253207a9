class Unit:
    pass


class Metre(Unit):
    pass


class Second(Unit):
    pass
