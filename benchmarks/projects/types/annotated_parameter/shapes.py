import equinox as eqx
import jax


class Shape(eqx.Module):
    side: jax.Array


class Square(Shape):
    pass


class Circle(Shape):
    pass
