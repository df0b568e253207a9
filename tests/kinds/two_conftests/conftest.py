import jax

TOP = True
