"""`# noqa` comments, with flake8's own meaning.

What flake8 does, and this does alike: a comment counts for every physical line of its logical
line and of a string with several lines; codes are prefixes and case-sensitive; a line of its own
that starts with `# flake8: noqa` silences the whole file, whatever follows it.

Besides, what stands on any line of the head of a decorated definition counts for all of them:
a finding stands on the first decorator, and other checkers want their comments on the `def` line.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plum_jit_lint.findings import Finding, Place, UnusedComment
from plum_jit_lint.project.notebooks import Notebook, NotebookError, is_notebook, read_notebook
from plum_jit_lint.project.source_lines import source_lines

_INLINE = re.compile(
    r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?",
    re.IGNORECASE,
)
_WHOLE_FILE = re.compile(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)
_BETWEEN_CODES = re.compile(r"[,\s]+")


def unsuppressed(findings: Sequence[Finding], source: bytes) -> list[Finding]:
    """Those of `findings`, all in the file with the text `source`, that no comment silences."""
    if not findings or b"noqa" not in source.lower():
        return list(findings)
    notebook = read_notebook(source) if findings[0].place.cell is not None else None
    lines = _lines_of(notebook, source)
    if any(_WHOLE_FILE.match(line) for line in lines):
        return []
    searched = _searched_texts(lines)
    return [
        f
        for f in findings
        if not any(_silences(text, f.code) for text in searched.get(_line(notebook, f.place), ()))
    ]


def _lines_of(notebook: Notebook | None, source: bytes) -> list[str]:
    return source_lines(source if notebook is None else notebook.commented)


def _line(notebook: Notebook | None, place: Place) -> int:
    return place.line if notebook is None else notebook.line_of(place)


def unused(path: str, findings: Sequence[Finding], source: bytes) -> list[UnusedComment]:
    """The comments in the file `path` that name codes of this checker without silencing one of
    `findings`, which are all that was found in the file."""
    if b"noqa" not in source.lower():
        return []
    try:
        notebook = read_notebook(source) if is_notebook(path) else None
    except NotebookError:
        return []
    lines = _lines_of(notebook, source)
    stretches = _stretches(lines)
    silent = {
        (line, finding.code)
        for finding in findings
        for line in _lines_for(_line(notebook, finding.place), stretches)
    }
    unused = [
        UnusedComment(path, line, column, code)
        for line, column, code in _named_codes(lines)
        if not any(at == line and known.startswith(code) for at, known in silent)
    ]
    return unused if notebook is None else list(map(notebook.comment_in_cell, unused))


def _named_codes(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """The codes of this checker in comments, with line and column of the comment."""
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            comment = _INLINE.search(token.string) if token.type == tokenize.COMMENT else None
            if comment is not None:
                for code in _BETWEEN_CODES.split(comment["codes"] or ""):
                    if code.upper().startswith("PJ"):
                        yield token.start[0], token.start[1] + comment.start() + 1, code
    except (tokenize.TokenError, SyntaxError):
        return


def _lines_for(line: int, stretches: Sequence[_Stretch]) -> set[int]:
    """The lines on which a comment counts for what stands on `line`."""
    return {
        one
        for around in _around(stretches)
        if any(part.first <= line <= part.last for part in around)
        for part in around
        for one in range(part.first, part.last + 1)
    } | {line}


def _silences(text: str, code: str) -> bool:
    comment = _INLINE.search(text)
    if comment is None:
        return False
    if comment["codes"] is None:
        return True
    prefixes = [prefix for prefix in _BETWEEN_CODES.split(comment["codes"]) if prefix]
    return code.startswith(tuple(prefixes))


def _searched_texts(lines: list[str]) -> dict[int, tuple[str, ...]]:
    """For each line the texts in which a comment for it may stand."""
    searched: dict[int, tuple[str, ...]] = {
        number: (line,) for number, line in enumerate(lines, start=1)
    }
    for around in _around(_stretches(lines)):
        texts = tuple("".join(lines[part.first - 1 : part.last]) for part in around)
        for part in around:
            searched.update(dict.fromkeys(range(part.first, part.last + 1), texts))
    return searched


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What the tokenizer ends with a newline token: its lines, the word that its logical line
    begins with, and whether that ends with it."""

    first: int
    last: int
    word: str
    ends: bool


def _around(stretches: Sequence[_Stretch]) -> Iterator[tuple[_Stretch, ...]]:
    """The stretches whose comments count for each other: the decorators of a definition and its
    `def` line, or one alone."""
    head: list[_Stretch] = []
    for stretch in stretches:
        # Lines without a word may stand between decorators.
        if stretch.word == "@" or (head and stretch.word in _DEFINITION):
            head.append(stretch)
            if stretch.ends and stretch.word != "@":
                yield tuple(head)
                head = []
        else:
            yield (stretch,)


_DEFINITION = ("def", "async", "class")


def _stretches(lines: list[str]) -> list[_Stretch]:
    found: list[_Stretch] = []
    nowhere = (len(lines) + 2, -1)
    (first, last), word = nowhere, ""
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            if token.type not in (tokenize.INDENT, tokenize.COMMENT, tokenize.NL):
                word = word or token.string
            first, last = min(first, token.start[0]), max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                ends = token.type == tokenize.NEWLINE
                found.append(_Stretch(first, last, word, ends))
                (first, last), word = nowhere, "" if ends else word
    except (tokenize.TokenError, SyntaxError):
        # Newer syntax than this Python reads: a comment then counts for its own line alone.
        return []
    return found
