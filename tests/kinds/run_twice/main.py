"""Each run has functions of its own, and compiles them anew: nothing is stale."""
import runpy

assert runpy.run_path("step.py")["answer"] == 20.0
assert runpy.run_path("step.py")["answer"] == 20.0
