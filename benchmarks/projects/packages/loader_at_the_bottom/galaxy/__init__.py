from .constants import G


def _load():
    from . import interop  # noqa: F401  # expect: PJ004/error


_load()
