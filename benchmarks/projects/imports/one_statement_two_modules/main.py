"""One import statement runs the module that calls and the one that registers: they part below it."""

import core
from stages import warm, late

print(core.area, warm, late)
