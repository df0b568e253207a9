"""The late module imports the one that makes the call: its own order is at fault."""

import late

print(late)
