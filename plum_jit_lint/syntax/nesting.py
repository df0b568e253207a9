"""How deep a text nests, told before anybody parses it.

libcst's parser ends the process on input that is nested too deeply, so the text itself has to
tell. What is said here is never too little, and for what people write seldom far too much.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ENDLESS = 1_000_000
"""In place of a depth that the text does not tell."""

_TOKEN = re.compile(
    r"""
    (?P<blank>[ \t\f]+|\#[^\r\n]*|\\\r?\n)
    |(?P<string>(?P<prefix>[A-Za-z]{0,3})(?:
        \"{3}[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:\"{3}|\\?\Z)
        |'{3}[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'{3}|\\?\Z)
        |"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*(?:"|(?=[\r\n])|\\?\Z)
        |'[^'\\\r\n]*(?:\\.[^'\\\r\n]*)*(?:'|(?=[\r\n])|\\?\Z)
    ))
    |(?P<word>\w+)
    |(?P<open>[(\[{])
    |(?P<close>[)\]}])
    |(?P<line>\r\n|\r|\n)
    |(?P<comma>[,;])
    |(?P<sign>.)
    """,
    re.DOTALL | re.VERBOSE,
)

_NESTING = frozenset(
    {"and", "as", "async", "await", "elif", "else", "for", "from", "if", "in", "is", "lambda"}
    | {"not", "or", "yield"}
)
"""Words that put one expression into another, or one branch of a statement."""

_BINDING = frozenset({"for", "lambda"})
"""Words after which a comma need not end what is nested."""

_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_PIECE = re.compile(r"\w+|[^\w\s]")


@dataclass(slots=True)
class _Row:
    """What stands between two brackets, or in a logical line: up to a comma, each operator may
    put all that stands beside it one level deeper."""

    operators: int = 0
    inside: int = 0
    """How deep the deepest brackets are."""
    deepest: int = 0
    """The depth of what stands before the last comma."""
    binds: bool = False

    def depth(self) -> int:
        return max(self.deepest, self.operators + self.inside)

    def part(self) -> None:
        """A comma."""
        if not self.binds:
            self.deepest = self.depth()
            self.operators = self.inside = 0


@dataclass(slots=True)
class _Block:
    """A block that a line stands in; each `elif` stands in the one before."""

    width: int
    branches: int = 0


def depth(text: str) -> int:
    """At most how many nodes of a syntax tree stand in one another."""
    deepest = 0
    rows = [_Row()]
    blocks = [_Block(0)]
    width: int | None = 0
    """That of the line so far, `None` once something stands in it."""
    for token in _TOKEN.finditer(text):
        kind, shown = token.lastgroup, token[0]
        row = rows[-1]
        if kind == "blank":
            if width is not None and shown[0] != "#":
                width += len(shown.expandtabs())
            continue
        if kind == "line":
            if len(rows) == 1:
                deepest = max(deepest, row.depth() + sum(2 + block.branches for block in blocks))
                rows, width = [_Row()], 0
            continue
        if width is not None:
            _enter(blocks, width, shown)
            width = None
        match kind:
            case "open":
                rows.append(_Row())
            case "close" if len(rows) > 1:
                rows.pop()
                rows[-1].inside = max(rows[-1].inside, row.depth() + 2)
                rows[-1].operators += 1
            case "comma":
                row.part()
            case "word" if shown in _NESTING:
                row.operators += 1
                row.binds |= shown in _BINDING
            case "string":
                row.operators += _depth_of_string(token["prefix"], shown)
            case "sign":
                row.operators += 1
    left = sum(row.depth() + 2 for row in rows)
    return max(deepest, left + sum(2 + block.branches for block in blocks))


_CASE = re.compile(r"^[ \t]*case\b", re.MULTILINE)
_BRACKET = re.compile(r"[(\[{]|[)\]}]|[\r\n]")


def depth_of_patterns(text: str) -> int:
    """At most how many brackets stand in one another after a `case`."""
    deepest, position = 0, 0
    while (found := _CASE.search(text, position)) is not None:
        depth, position = 0, found.end()
        for bracket in _BRACKET.finditer(text, position):
            position = bracket.end()
            if bracket[0] in "\r\n":
                if depth <= 0:
                    # The next line may be another `case`.
                    position = bracket.start()
                    break
            else:
                depth += 1 if bracket[0] in "([{" else -1
                deepest = max(deepest, depth)
        else:
            break
    return deepest


def _enter(blocks: list[_Block], width: int, word: str) -> None:
    """A statement begins with that word in a column of that `width`."""
    while len(blocks) > 1 and blocks[-1].width > width:
        blocks.pop()
    if blocks[-1].width < width:
        blocks.append(_Block(width))
    if word == "elif":
        blocks[-1].branches += 1
    elif word != "else":
        blocks[-1].branches = 0


def _depth_of_string(prefix: str, shown: str) -> int:
    """How deep the expressions in a string are; strings that stand side by side nest by one."""
    if "{" not in shown or not {"f", "t"} & set(prefix.lower()):
        return 1
    plain = _QUOTED.sub("", shown[len(prefix) :].strip("\"'"))
    if plain.count("{") != plain.count("}"):
        # A newer Python takes a string's own quotes inside of it: where it ends is not told.
        return ENDLESS
    return len(_PIECE.findall(plain))
