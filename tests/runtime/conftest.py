"""These tests run real plum and JAX, where they are installed."""

import importlib.util
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

if not all(importlib.util.find_spec(module) for module in ("jax", "plum", "equinox")):
    collect_ignore_glob = ["test_*"]
