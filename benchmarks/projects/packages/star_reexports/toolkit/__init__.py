from . import functions, jitted
from .functions import *
from .jitted import *

__all__ = [*functions.__all__, *jitted.__all__]
