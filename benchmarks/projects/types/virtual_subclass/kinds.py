from abc import ABC


class Sized(ABC):
    pass


class Box:
    def __init__(self, content):
        self.content = content
