import equinox as eqx
import jax


class Base(eqx.Module):
    content: jax.Array


class Box(Base):
    pass
