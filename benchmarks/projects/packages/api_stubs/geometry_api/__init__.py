from ._stubs import norm

__all__ = ["norm"]
