from .math import area
