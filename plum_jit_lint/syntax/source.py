"""From the bytes of a file to its nodes, without harm from any input.

libcst's parser ends the process on input that is nested too deeply, and its visitors raise
`RecursionError` on less (`docs/facts.md#libcst-and-deep-sources`). Python's own parser answers
both cleanly, so it reads what is deep, and its tree is gone through in a thread with a large stack.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import threading
import tokenize
import warnings
from collections.abc import Callable, Set
from typing import TypeAlias, TypeVar

from plum_jit_lint.limits import (
    DEEPEST_PATTERN,
    LARGE_RECURSION_LIMIT,
    LARGE_STACK,
    LONGEST_FOR_LIBCST,
    SAFE_DEPTH,
)
from plum_jit_lint.syntax.from_ast import statements as by_ast
from plum_jit_lint.syntax.nesting import depth, depth_of_patterns
from plum_jit_lint.syntax.nodes import Body, Late, ModuleNode, Span, Statement

T = TypeVar("T")

OnRead: TypeAlias = Callable[[str], None]

ALL = ""
"""In place of the key of a function: all of a file was read."""

NOWHERE = (1, 1, 1, 1)
"""The place of everything in nodes that are only compared."""

TOO_DEEP = "nested too deeply to be checked"


class SourceError(Exception):
    """A file that cannot be decoded or parsed. `line` and `column` count from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def read_source(source: bytes, *, by_libcst: bool, on_read: OnRead = lambda _: None) -> ModuleNode:
    """The nodes of a module; `SourceError` says in one line why there are none.

    One reader reads it. Python's own is much the quicker one; it leaves to libcst what this Python
    is too old for. With `by_libcst` libcst reads what is neither too long nor too deep for it.
    `on_read` is called with the key of each function whose statements somebody asks for, or with
    `ALL` where all of them are read.
    """
    text = decode(source)

    def late(key: str, lines: str, read: Callable[[], tuple[Statement, ...]]) -> Body:
        return Body(read, lines, key, on_read)

    if by_libcst and suits_libcst(text):
        found = read_by_libcst(text, late)
        if found is not None:
            return found
    tree = _python_parses(text)
    if tree is not None:
        return _with_room(lambda: by_ast.read_tree(tree, text, late=late))
    on_read(ALL)
    return with_large_stack(lambda: _newer_than_python(text))


def suits_libcst(text: str) -> bool:
    """Whether libcst reads a text safely and in good time."""
    return (
        len(text) <= LONGEST_FOR_LIBCST
        and depth(text) <= SAFE_DEPTH
        and depth_of_patterns(text) <= DEEPEST_PATTERN
    )


def read_by_libcst(text: str, late: Late | None) -> ModuleNode | None:
    """The facts as libcst reads them, `None` where it takes the text for no Python."""
    # libcst takes 0.15 s to import: only once a file needs it.
    import libcst as cst

    from plum_jit_lint.syntax.from_libcst.statements import read_module

    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError:
        return None
    return _with_room(lambda: read_module(module, text, late))


def outline(
    source: bytes, read: Set[str], at: Span | None = NOWHERE
) -> tuple[ModuleNode, list[tuple[str, str]]]:
    """The nodes of a module, everything in it at the place `at` where that is given, without the
    statements of all functions but those with the keys `read`; the keys and lines of the others.
    `SourceError` where Python's own tree cannot tell."""
    text = decode(source)
    tree = _python_parses(text)
    if tree is None:
        raise SourceError("invalid syntax")
    left_out: list[tuple[str, str]] = []

    def late(key: str, lines: str, _: Callable[[], tuple[Statement, ...]]) -> Body | None:
        if key in read:
            return None
        left_out.append((key, lines))
        return Body(tuple)

    return _with_room(lambda: by_ast.read_tree(tree, text, at, late)), left_out


def _with_room(read: Callable[[], T]) -> T:
    try:
        return read()
    except RecursionError:
        return with_large_stack(read)


def decode(source: bytes) -> str:
    """The text of a Python file, by its BOM or encoding cookie."""
    if b"\0" in source:
        line = source[: source.index(b"\0")].count(b"\n") + 1
        raise SourceError("source code cannot contain null bytes", line)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        message = f"cannot be decoded as {error.encoding}: {error.reason}"
        raise SourceError(message, line) from None
    except (SyntaxError, LookupError) as error:
        raise SourceError(str(error)) from None


def _python_parses(text: str) -> ast.Module | None:
    """Python's own tree, if it takes the text.

    A syntax error is not the last word: libcst may read newer syntax than this Python does.
    """
    try:
        with warnings.catch_warnings():
            # Invalid escapes and the like are warnings of the file's author, not of its checker.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (RecursionError, MemoryError):
        raise SourceError(TOO_DEEP) from None
    except (SyntaxError, ValueError) as error:
        if "too many nested" in str(error):
            raise SourceError(TOO_DEEP, getattr(error, "lineno", None)) from None
        return None


def _newer_than_python(text: str) -> ModuleNode:
    """The facts of a text that this Python takes for none of its own."""
    if depth_of_patterns(text) > DEEPEST_PATTERN:
        raise SourceError(TOO_DEEP)
    import libcst as cst

    from plum_jit_lint.syntax.from_libcst.statements import read_module

    try:
        return read_module(cst.parse_module(text), text)
    except cst.ParserSyntaxError as error:
        raise _syntax_error(text, error.raw_line, error.raw_column + 1) from None


_MAGIC = re.compile(r"\s*(%{1,2}[a-zA-Z_]\w*|!{1,2}\s*[\w./~$]+|\?{1,2}\w+)(?=\s|$)")
"""What a line begins with that IPython alone understands."""


def _line(text: str, number: int) -> str:
    return text.split("\n")[number - 1]


def _syntax_error(text: str, line: int, column: int) -> SourceError:
    """Python's own words for a syntax error, which name the trouble better than libcst's."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<checked>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        if error.lineno is not None and _MAGIC.match(_line(text, error.lineno)):
            written = _line(text, error.lineno).split()[0]
            return SourceError(f"{written!r} is a command of IPython, no Python", error.lineno, 1)
        return SourceError(f"invalid syntax: {error.msg}", error.lineno, error.offset)
    return SourceError("invalid syntax", line, column)


def with_large_stack(work: Callable[[], T]) -> T:
    """Runs `work` in a thread that can recurse deeply; `SourceError` when even that is too deep."""
    outcome: list[T] = []
    trouble: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            trouble.append(error)

    stack, limit = threading.stack_size(), sys.getrecursionlimit()
    threading.stack_size(LARGE_STACK)
    try:
        thread = threading.Thread(target=run)
        sys.setrecursionlimit(max(limit, LARGE_RECURSION_LIMIT))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(stack)
        sys.setrecursionlimit(limit)
    if trouble:
        if isinstance(trouble[0], RecursionError | MemoryError):
            raise SourceError(TOO_DEEP) from None
        raise trouble[0]
    return outcome[0]
