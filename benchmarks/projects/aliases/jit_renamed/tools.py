from jax import jit as compiled

fast = compiled
