"""The static observer. It reads sources and never imports or runs them."""

from plum_jit_lint.static.modules import Program
from plum_jit_lint.static.observer import observe
from plum_jit_lint.static.reading.source import SourceError

__all__ = ["Program", "SourceError", "observe"]
