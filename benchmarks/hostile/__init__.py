"""How time and memory of a check grow with programs that are written against it."""
