"""A package's `__init__` registers before the module inside it makes the jitted call."""

import kit.warm

print(kit.warm.RESULT)
