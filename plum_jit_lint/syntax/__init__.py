"""From the bytes of a file to the facts of a module."""
