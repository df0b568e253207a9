"""Entrances through other tools: flake8, pytest, IPython."""
