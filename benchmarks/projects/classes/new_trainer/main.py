"""As jit_of_bound_method, with a new object after the registration: a new method, a new trace."""

import jax.numpy as jnp
from trainer import Trainer

trainer = Trainer(2.0)
trainer.step(jnp.ones(2))
import late

trainer = Trainer(2.0)
print(trainer.step(jnp.ones(2)))
