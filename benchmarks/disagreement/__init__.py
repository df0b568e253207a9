"""Random programs on which the checker, the runtime companion and plain JAX are compared."""
