"""Source bytes as Python reads them: encoding and physical lines."""

from __future__ import annotations

import errno
import io
import linecache
import os
import re
import stat
import tokenize


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


def read_file(path: str) -> bytes:
    """What stands in a regular file; `OSError` where it cannot be read. A pipe would be waited for,
    and a device read for ever, also one that has just taken the place of a file."""
    # Not through a path and a buffer: whole trees are read.
    number = os.open(path, _READING)
    with open(number, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return file.readall()


_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_READING |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def bytes_of_file(path: str) -> bytes | None:
    """What stands in a regular file, `None` where it cannot be read."""
    try:
        # To open a device can do something, too.
        return read_file(path) if os.path.isfile(path) else None
    except (OSError, ValueError):
        return None


def text_of(path: str) -> bytes | None:
    """What a path stands for: a file, or a text that was compiled under that name and is kept for
    tracebacks, as the cells of a notebook are."""
    source = bytes_of_file(path)
    if source is None and path in linecache.cache:
        return "".join(linecache.getlines(path)).encode()
    return source


def printable(text: str) -> str:
    """`text` on one line: control characters, which could drive a terminal, are escaped, and what
    a service that runs builds takes for a command wherever it stands (`##[group]`, `##vso[...]`).
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return _COMMAND.sub(r"#\\x23", text) if "##" in text else text


_COMMAND = re.compile(r"##(?=\w*\[)")
