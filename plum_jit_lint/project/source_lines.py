"""Source bytes as Python reads them: encoding and physical lines."""

from __future__ import annotations

import io
import linecache
import os
import tokenize
from pathlib import Path


def declared_encoding(source: bytes) -> str:
    """The encoding that a byte order mark or a cookie declares, else UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except (SyntaxError, UnicodeError):
        return "utf-8"
    return encoding


def source_lines(source: bytes) -> list[str]:
    """The physical lines with their ends, which are all `\\n` as in Python's own tokenizer."""
    try:
        text = source.decode(declared_encoding(source), errors="replace")
    except LookupError:
        # A cookie can name a codec that is no text encoding (`hex`).
        text = source.decode("latin-1")
    return io.StringIO(text, newline=None).readlines()


def source_bytes(text: str) -> bytes:
    """`text` in the encoding that it declares itself, so that decoding gives it back."""
    plain = text.encode("utf-8", errors="surrogatepass")
    try:
        return text.encode(declared_encoding(plain))
    except (LookupError, UnicodeError):
        return plain


def bytes_of_file(path: str) -> bytes | None:
    """What stands in a regular file, `None` where it cannot be read. A pipe would be waited for,
    and a device read for ever."""
    try:
        if not os.path.isfile(path):
            return None
        # Not through a path and a buffer: whole trees are read.
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except OSError:
        return None


def text_of(path: str) -> bytes | None:
    """What a path stands for: a file, or a text that was compiled under that name and is kept for
    tracebacks, as the cells of a notebook are."""
    try:
        return Path(path).read_bytes()
    except OSError:
        if path in linecache.cache:
            return "".join(linecache.getlines(path)).encode()
    return None


def printable(text: str) -> str:
    """`text` on one line: control characters, which could drive a terminal, are escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
