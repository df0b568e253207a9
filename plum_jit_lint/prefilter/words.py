"""The words of a text, and those that tell that something may be registered."""

from __future__ import annotations

import re

REGISTERING = frozenset(
    {
        "register",
        "dispatch",
        "Dispatcher",
        "import_module",
        "importorskip",
        "__import__",
        "add_conversion_method",
        "conversion_method",
        "add_promotion_rule",
        "reload",
        "run_path",
        "run_module",
        "modules",
    }
)
"""Last names of calls that may register a method, or run a module that does; what is taken out of
`sys.modules` runs again where it is imported."""

WITH_A_DISPATCHER = frozenset({"dispatch_multi", "multi", "overload"})
"""Names that register something only in a file that mentions plum."""

_WORD = re.compile(r"\w+")


def words_in(text: str) -> set[str]:
    """All words of a text, those in comments and strings too."""
    return set(_WORD.findall(text))
