"""A library's own order: a function that nobody calls here registers after the call above it."""

import lib

print(lib.READY)
