"""Facts from Python's own tree: quick, for files that are read for what they define."""
