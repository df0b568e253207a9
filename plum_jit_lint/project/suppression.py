"""`# noqa` comments, with flake8's own meaning.

What flake8 does, and this does alike: a comment counts for every physical line of its logical
line and of a string with several lines; codes are prefixes and case-sensitive; a line of its own
that starts with `# flake8: noqa` silences the whole file, whatever follows it.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence

from plum_jit_lint.findings import Finding, Place
from plum_jit_lint.project.notebooks import read_notebook
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
    lines = source_lines(source if notebook is None else notebook.commented)
    if any(_WHOLE_FILE.match(line) for line in lines):
        return []
    searched = _searched_text(lines)

    def text_of(place: Place) -> str:
        return searched.get(place.line if notebook is None else notebook.line_of(place), "")

    return [f for f in findings if not _silences(text_of(f.place), f.code)]


def _silences(text: str, code: str) -> bool:
    comment = _INLINE.search(text)
    if comment is None:
        return False
    if comment["codes"] is None:
        return True
    prefixes = [prefix for prefix in _BETWEEN_CODES.split(comment["codes"]) if prefix]
    return code.startswith(tuple(prefixes))


def _searched_text(lines: list[str]) -> dict[int, str]:
    """For each line the text in which a comment for it may stand."""
    searched = dict(enumerate(lines, start=1))
    try:
        for first, last in _stretches(lines):
            text = "".join(lines[first - 1 : last])
            searched.update(dict.fromkeys(range(first, last + 1), text))
    except (tokenize.TokenError, SyntaxError):
        # Newer syntax than this Python reads: a comment then counts for its own line alone.
        return dict(enumerate(lines, start=1))
    return searched


def _stretches(lines: list[str]) -> Iterator[tuple[int, int]]:
    """First and last line of what the tokenizer ends with a newline token."""
    first, last = len(lines) + 2, -1
    for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
        if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
            continue
        first, last = min(first, token.start[0]), max(last, token.end[0])
        if token.type in (tokenize.NL, tokenize.NEWLINE):
            yield first, last
            first, last = len(lines) + 2, -1
