from typing import Union
import jax

Number = Union[int, float]
ArrayLike = Union[jax.Array, Number]
