from . import register_more  # noqa: F401
from ._api import norm
from ._use import measure

__all__ = ["measure", "norm"]
