"""A script that runs files by their names, and knows nothing of what they do."""
import runpy

first = runpy.run_path("first.py")
second = runpy.run_path("second.py")  # expect: PJ004
