import importlib
from typing import TYPE_CHECKING
from ._core import total

if TYPE_CHECKING:
    from . import fast  # noqa: F401


def load(name):
    return importlib.import_module(f"{__name__}.{name}")
