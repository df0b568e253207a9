"""A thread makes the jitted call."""

from threading import Thread
import jax.numpy as jnp
from app import total

thread = Thread(target=total, args=(jnp.ones(2),))
thread.start()
thread.join()
total(2 * jnp.ones(2))
import late  # expect: PJ004

print(total(jnp.ones(2)))
