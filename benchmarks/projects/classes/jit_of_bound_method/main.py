"""`self.step = jax.jit(self._step)` in `__init__` of a class in another module."""

import jax.numpy as jnp
from trainer import Trainer

trainer = Trainer(2.0)
trainer.step(jnp.ones(2))
import late  # expect: PJ004/error

print(trainer.step(jnp.ones(2)))
