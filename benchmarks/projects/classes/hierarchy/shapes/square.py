from .base import Shape, as_tree


@as_tree
class Square(Shape):
    pass
