import importlib

_LAZY = {"total": "._core", "fast_area": "._fast"}
__all__ = list(_LAZY)


def __getattr__(name):
    if name in _LAZY:
        module = importlib.import_module(_LAZY[name], __name__)
        value = getattr(module, name)
        globals()[name] = value
        return value
    raise AttributeError(name)


def __dir__():
    return __all__
