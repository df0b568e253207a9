"""Whether a change of a file can change what was found.

Most functions of a program are never called when it is checked: of what stands in them nothing is
known but a few words. When only they change, all that was found is still right.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from plum_jit_lint.prefilter.candidates import says_more_than_words
from plum_jit_lint.prefilter.features import FeaturesByContent, FileFeatures
from plum_jit_lint.prefilter.words import words_in
from plum_jit_lint.syntax.nodes import ModuleNode, Span
from plum_jit_lint.syntax.source import ALL, SourceError, outline
from plum_jit_lint.syntax.walk import nodes_in


@dataclass(frozen=True, slots=True)
class Seen:
    """All of a file that a result can hang on, places aside."""

    facts: ModuleNode
    unread: tuple[tuple[str, frozenset[str], bool, bool], ...]
    """The functions that were not read: which of the names that were asked for they mention,
    whether they may import, and whether they may decorate something."""
    features: FileFeatures
    """All that is asked of the bytes."""


def alike(
    before: bytes,
    after: bytes,
    read: Set[str],
    names: Set[str],
    features: FeaturesByContent,
) -> bool:
    """Whether two texts of a file are the same to whoever has `read` the functions with those keys
    in the first, and has asked which of the others mention one of the `names`."""
    if ALL in read:
        return False
    try:
        first, second = (seen(source, read, names, features) for source in (before, after))
    except (SourceError, RecursionError):
        return False
    return first == second


def moves(before: bytes, after: bytes, read: Set[str]) -> dict[Span, Span]:
    """Where the places of the first of two texts that are alike are in the second."""
    first, second = (outline(source, read, None)[0] for source in (before, after))
    found: dict[Span, Span] = {}
    for old, new in zip(nodes_in(first), nodes_in(second), strict=True):
        for name in ("at", "place"):
            if hasattr(old, name):
                found[getattr(old, name)] = getattr(new, name)
    return found


def seen(
    source: bytes,
    read: Set[str],
    names: Set[str],
    features: FeaturesByContent,
) -> Seen:
    """What has been seen of a text. `SourceError` where Python's own tree does not tell."""
    facts, left_out = outline(source, read)
    unread = []
    for key, text in left_out:
        words = words_in(text)
        unread.append((key, frozenset(words & names), *says_more_than_words(text, words)))
    return Seen(facts, tuple(unread), features.of(source))
