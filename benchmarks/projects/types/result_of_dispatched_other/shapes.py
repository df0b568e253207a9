class Shape:
    def __init__(self, side):
        self.side = side


class Square(Shape):
    pass


class Circle(Shape):
    pass
