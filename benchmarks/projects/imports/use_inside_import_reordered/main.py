"""As use_inside_import, with the two imports the other way round."""

import core
import late
import warm

print(core.area(warm.ONES), late)
