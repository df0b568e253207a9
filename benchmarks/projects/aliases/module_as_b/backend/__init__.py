from .types import dispatch, B
