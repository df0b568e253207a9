"""Whether the tests notice it when the code that decides is changed in a small way."""
