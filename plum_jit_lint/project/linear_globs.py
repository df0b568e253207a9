"""Globs of `.gitignore` as regular expressions that are matched without trying again: who writes a
pattern with many stars could otherwise make everybody wait for minutes.

Of several stars in a row each but the last may take as little as it can: whatever it leaves, the
next one can take. So what comes between two stars is found once, and never given back.
"""

from __future__ import annotations

import re
from typing import AnyStr

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_STAR = "[^/]*"
_ANY_START = "(?:.+/)?"
_ANY_FOLDERS = "(?:/.+)?"
_STARS = re.compile(r"(\[\^/\]\*)")
_NEGATED = re.compile(r"(?<!\\)\[\^(?!/\])")
_FOLDERS = re.compile(r"(\(\?:\.\+/\)\?|\(\?:/\.\+\)\?)")


class LinearPattern(GitIgnoreSpecPattern):
    """A line of a `.gitignore`."""

    @classmethod
    def pattern_to_regex(cls, pattern: AnyStr) -> tuple[AnyStr | None, bool | None]:
        """What pathspec makes of it, put so that nothing is tried twice."""
        regex, include = super().pattern_to_regex(pattern)
        if isinstance(regex, str):
            regex = linear(regex)
        return regex, include


def linear(regex: str) -> str:
    """A regular expression of pathspec's that matches the same paths, but that `[!a]` stands for no
    slash, as in git."""
    first, *parts = _FOLDERS.split(_NEGATED.sub(r"(?!/)[^", regex))
    found = [_within_folders(first)]
    for number in range(0, len(parts), 2):
        token, between = parts[number], _within_folders(parts[number + 1])
        if number + 2 == len(parts):
            found += [token, between]
        else:
            lazy = "(?:.+?/)??" if token == _ANY_START else "(?:/.+?)??"
            found.append(f"(?>{lazy}{between}(?=/))")
    return "".join(found)


def _within_folders(regex: str) -> str:
    """The same for a part in which stars stand for parts of a name."""
    first, *parts = _STARS.split(regex)
    found = [first]
    for number in range(0, len(parts), 2):
        between = parts[number + 1]
        same_name = "/" not in between.replace("[^/]", "").replace("(?!/)", "")
        if same_name and number + 2 < len(parts):
            found.append(f"(?>[^/]*?{between})" if between else "")
        else:
            found.append(_STAR + between)
    return "".join(found)
