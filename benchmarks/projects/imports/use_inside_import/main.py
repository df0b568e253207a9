"""The jitted call is made by an imported module, the registration by the next import."""

import core
import warm
import late  # expect: PJ004/error

print(core.area(warm.ONES), late)
