from . import flat
