import jax
from base import Base


class Special(Base):
    pass


@Base.scale.dispatch
def scale(self: Special, a: jax.Array):
    return a * 3
