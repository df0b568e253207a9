from dataclasses import dataclass
import jax
from kernels import total


@dataclass
class State:
    data: jax.Array

    def __post_init__(self):
        self.total = total(self.data)
