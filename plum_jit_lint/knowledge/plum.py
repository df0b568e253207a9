"""plum: its dispatchers, and the libraries that hand them on."""

from __future__ import annotations

from collections.abc import Mapping

DISPATCHERS: Mapping[str, str] = {
    "plum.dispatch": "plum.dispatch",
    "plum.dispatcher.dispatch": "plum.dispatch",
    # Libraries that hand plum's dispatcher on.
    "netket.utils.dispatch.dispatch": "plum.dispatch",
    "cola.utils.dispatch": "plum.dispatch",
    "lab.dispatch": "lab.dispatch",
    "lab.jax.dispatch": "lab.dispatch",
}
"""Dispatcher objects by qualified name, and which dispatcher it is."""

PREFIX = "plum."

MODULES = ("plum", "netket.utils.dispatch")
"""Modules whose `Dispatcher`, `overload`, `convert` and the like are plum's."""

ERRORS: Mapping[str, type[Exception]] = {
    "plum.NotFoundLookupError": LookupError,
    "plum.AmbiguousLookupError": LookupError,
}
"""What plum raises, and what Python class that is one of."""
