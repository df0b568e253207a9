"""Three modules in a circle; the last to finish registers after the call in the middle one."""

import a_first

print(a_first.area)
