"""These tests run real plum and JAX, where they are installed."""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")
