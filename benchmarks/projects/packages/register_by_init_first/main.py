"""As register_by_init, with the register module first."""

import units

print(units.DEFAULT)
