"""`__init__` calls its own `_load()` at the bottom, after a jitted call in a submodule."""

import galaxy

print(galaxy.G)
