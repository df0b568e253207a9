"""Colour and characters that a stream can show."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from plum_jit_lint.findings import Severity

_CODES = {
    "bold": "1",
    "dim": "2",
    "note": "1;36",
    "warning": "1;33",
    "error": "1;31",
    "gutter": "1;34",
    "place": "36",
    "good": "32",
}


@dataclass(frozen=True, slots=True)
class Style:
    """How text is dressed: with colour or not, with box characters or plain ASCII."""

    color: bool = False
    boxes: bool = False

    def paint(self, text: str, role: str) -> str:
        """`text` in the colour of `role`."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.color and text else text

    def severity(self, severity: Severity, text: str) -> str:
        """`text` in the colour of `severity`."""
        return self.paint(text, severity.label)

    def box(self, character: str) -> str:
        """One of `│ ├ ╵`, or what stands for it in ASCII."""
        return character if self.boxes else {"│": "|", "├╴": "|-", "╵": "|"}[character]


PLAIN = Style()


def style_for(stream: TextIO, color: str, environment: Mapping[str, str] = os.environ) -> Style:
    """The style for `stream`, where `color` is `auto`, `always` or `never`."""
    return Style(_shows_color(stream, color, environment), _shows_boxes(stream))


def _shows_color(stream: TextIO, color: str, environment: Mapping[str, str]) -> bool:
    if color != "auto":
        return color == "always"
    # no-color.org: what counts is that the variable is set to something.
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return environment.get("TERM") != "dumb" and is_terminal(stream)


def _shows_boxes(stream: TextIO) -> bool:
    try:
        "│├╴╵".encode(stream.encoding or "ascii")
    except (LookupError, UnicodeError):
        return False
    return True


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody is looking at `stream`."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # the stream is closed
        return False
