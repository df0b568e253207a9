import importlib


def load(name):
    return importlib.import_module(f"plugins.{name}_rules")
