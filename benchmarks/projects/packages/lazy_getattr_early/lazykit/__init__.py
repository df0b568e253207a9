import importlib
from ._core import total

_LAZY = {"extra": "lazykit.extra"}


def __getattr__(name):
    if name in _LAZY:
        return importlib.import_module(_LAZY[name])
    raise AttributeError(name)
