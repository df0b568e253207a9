"""Types and arguments as the sources show them, and how plum relates them."""
