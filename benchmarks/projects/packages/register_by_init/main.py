"""The package's `__init__` makes a default by a jitted call, then runs a register module."""

import units

print(units.DEFAULT)
