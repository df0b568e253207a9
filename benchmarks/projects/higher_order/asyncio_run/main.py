"""A coroutine of another module makes the jitted call."""

import asyncio
import jax.numpy as jnp
from app import compute

asyncio.run(compute(jnp.ones(2)))
import late  # expect: PJ004

print(asyncio.run(compute(jnp.ones(2))))
