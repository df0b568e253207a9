from plum import Dispatcher


class Base:
    rules = Dispatcher()


class Special(Base):
    pass
