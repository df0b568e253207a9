import importlib
from ._core import distance

_INTEROP = ("coords_missing", "coords_units")


def load_interop():
    for name in _INTEROP:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
