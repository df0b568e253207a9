"""The package's `__init__` makes the call, the submodule registers: it knows its package runs first."""

import tower.extra

print(tower.extra)
