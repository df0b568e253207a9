import jax

jax.config.update("jax_disable_jit", True)
