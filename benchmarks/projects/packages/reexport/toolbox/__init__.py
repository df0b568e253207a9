from .api import total
