"""Random programs of many kinds, judged by real JAX: see `__main__.py`."""
