"""A package makes its constants by a jitted function only after all register modules have run."""

import galaxy

print(galaxy.G)
