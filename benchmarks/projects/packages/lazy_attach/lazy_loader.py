import importlib


def attach(package, submodules=(), submod_attrs=None):
    owners = {name: mod for mod, names in (submod_attrs or {}).items() for name in names}

    def __getattr__(name):
        if name in submodules:
            return importlib.import_module(f"{package}.{name}")
        if name in owners:
            return getattr(importlib.import_module(f"{package}.{owners[name]}"), name)
        raise AttributeError(name)

    names = sorted([*submodules, *owners])
    return __getattr__, lambda: names, names
