from .._impl import total
