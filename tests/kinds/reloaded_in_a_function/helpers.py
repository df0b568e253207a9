import importlib

import rules


def refresh():
    importlib.reload(rules)
