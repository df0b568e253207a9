class Animal:
    def __init__(self, size):
        self.size = size


class Mammal(Animal):
    pass


class Cat(Mammal):
    pass
