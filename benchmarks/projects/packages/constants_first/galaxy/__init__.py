from . import register_a, register_b  # noqa: F401
from .constants import G
