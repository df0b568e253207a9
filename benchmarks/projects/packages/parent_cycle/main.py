"""A submodule imports its package, which is only half done: the order inside decides."""

import engine

print(engine.area)
