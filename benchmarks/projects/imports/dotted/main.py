"""`import a.b.c` runs the packages above first: one of them makes the jitted call."""

import models.deep.extra

print(models.deep.extra.FACTOR)
