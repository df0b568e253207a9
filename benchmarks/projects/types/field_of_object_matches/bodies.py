import equinox as eqx
import jax


class Mass(eqx.Module):
    value: jax.Array


class Body(eqx.Module):
    mass: Mass
    place: jax.Array
