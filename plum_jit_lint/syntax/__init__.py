"""From the bytes of a file to the nodes of a module."""
