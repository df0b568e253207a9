import importlib


def __getattr__(name):
    if name in {"core", "fast"}:
        return importlib.import_module(f"toolkit.{name}")
    raise AttributeError(name)
