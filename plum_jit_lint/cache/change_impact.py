"""Whether a change of a file can change any result.

Most functions of a program are never called when it is checked: of their bodies nothing but a few
words is asked. If only unread function bodies changed, every result stays valid; only line numbers
move.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from plum_jit_lint.prefilter.candidates import says_more_than_words
from plum_jit_lint.prefilter.features import ByteScan, FileFeatures
from plum_jit_lint.prefilter.words import words_in
from plum_jit_lint.syntax.nodes import ModuleNode, Span
from plum_jit_lint.syntax.source import ALL, SourceError, outline
from plum_jit_lint.syntax.walk import nodes_in


@dataclass(frozen=True, slots=True)
class Visible:
    """All of a file that a result can depend on, places aside."""

    syntax: ModuleNode
    """The module, without the bodies of the functions that were not read."""
    unread: tuple[tuple[str, frozenset[str], bool, bool], ...]
    """Those functions: which of the names that were asked for they mention, whether they may
    import, and whether they may decorate something."""
    features: FileFeatures


def equivalent(
    before: bytes, after: bytes, read: Set[str], names: Set[str], byte_scan: ByteScan
) -> bool:
    """Whether two texts of a file give the same results, if the functions with the keys `read` were
    read in the first, and the others were asked which of the `names` they mention."""
    if ALL in read:
        return False
    try:
        first, second = (visible(source, read, names, byte_scan) for source in (before, after))
    except (SourceError, RecursionError):
        return False
    return first == second


def moves(before: bytes, after: bytes, read: Set[str]) -> dict[Span, Span]:
    """Where the places of a text are in an equivalent one."""
    first, second = (outline(source, read, None)[0] for source in (before, after))
    found: dict[Span, Span] = {}
    for old, new in zip(nodes_in(first), nodes_in(second), strict=True):
        for name in ("at", "place"):
            if hasattr(old, name):
                found[getattr(old, name)] = getattr(new, name)
    return found


def visible(source: bytes, read: Set[str], names: Set[str], byte_scan: ByteScan) -> Visible:
    """What is visible of a text. `SourceError` where Python's own parser cannot tell."""
    syntax, left_out = outline(source, read)
    unread = []
    for key, text in left_out:
        words = words_in(text)
        unread.append((key, frozenset(words & names), *says_more_than_words(text, words)))
    return Visible(syntax, tuple(unread), byte_scan.features(source))
