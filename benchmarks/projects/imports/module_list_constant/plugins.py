from importlib import import_module
from settings import PLUGINS


def load_all():
    return [import_module(name) for name in PLUGINS]
