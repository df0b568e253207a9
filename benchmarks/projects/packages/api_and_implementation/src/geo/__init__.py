from ._jitted import distance
from . import register_arrays  # noqa: F401

__all__ = ["distance"]
