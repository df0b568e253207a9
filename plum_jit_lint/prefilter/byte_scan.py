"""What the bytes of a file say before anybody parses it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plum_jit_lint.knowledge import DISPATCHERS

WORDS = (b"dispatch", b"Dispatch", b"plum")
"""A file without any of these registers nothing on plum."""


def mentions_plum(source: bytes, extend_dispatchers: tuple[str, ...] = ()) -> bool:
    """Whether the bytes of a file leave it possible that it registers a method."""
    if any(word in source for word in WORDS):
        return True
    return any(path.rpartition(".")[2].encode() in source for path in extend_dispatchers)


def _libraries(dispatchers: Iterable[str]) -> frozenset[str]:
    return frozenset(path.partition(".")[0] for path in dispatchers)


_OTHERS = _libraries(DISPATCHERS) - {"plum"}


def may_export_dispatcher(source: bytes, extend_dispatchers: tuple[str, ...] = ()) -> bool:
    """Whether the bytes of a file leave it possible that it has a dispatcher from outside of the
    program: it names plum, or imports a library that hands plum's dispatcher on. Many that know
    nothing of plum speak of dispatching, and of a lab."""
    if any(_has_word(name.encode(), source) for name in ("plum", *_libraries(extend_dispatchers))):
        return True
    if not any(_has_word(library.encode(), source) for library in _OTHERS):
        return False
    return any(name.partition(".")[0] in _OTHERS for name in imported_names(source))


def _has_word(word: bytes, source: bytes) -> bool:
    # Ten times as quick as a regular expression, and whole trees are asked.
    at = source.find(word)
    while at >= 0:
        after = at + len(word)
        if not any(
            one.isalnum() or one == b"_" for one in (source[at - 1 : at], source[after : after + 1])
        ):
            return True
        at = source.find(word, at + 1)
    return False


def may_concern_plum(source: bytes, extend_dispatchers: tuple[str, ...] = ()) -> bool:
    """The same of bytes that need not be Python, such as a notebook's: it names one of them."""
    libraries = ("plum", *_OTHERS, *_libraries(extend_dispatchers))
    return any(library.encode() in source for library in libraries)


def mentions_jit(source: bytes, extend_jit: tuple[str, ...] = ()) -> bool:
    """Whether the bytes of a file leave it possible that it names a jit."""
    return b"jit" in source or any(
        path.rpartition(".")[2].encode() in source for path in extend_jit
    )


_HEAD = re.compile(rb"^[ \t]*(?:(@)|(?:async[ \t]+def|def|class)\b)", re.MULTILINE)


def may_mix(
    source: bytes, extend_dispatchers: tuple[str, ...] = (), extend_jit: tuple[str, ...] = ()
) -> bool:
    """Whether the bytes of a file leave it possible that one definition mixes dispatch and jit:
    both are named, and a definition has two decorators, or one that names both."""

    def speaks(text: bytes) -> bool:
        return mentions_plum(text, extend_dispatchers) and mentions_jit(text, extend_jit)

    if not speaks(source):
        return False
    begin: int | None = None
    count = 0
    for head in _HEAD.finditer(source):
        if head[1] is not None:
            begin = head.start() if begin is None else begin
            count += 1
        elif begin is not None:
            if count > 1 or speaks(source[begin : head.start()]):
                return True
            begin, count = None, 0
    return False


_IMPORT = re.compile(
    rb"""^[ \t]*from[ \t]+(?P<origin>[.\w]+)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n]*)
    |^[ \t]*import[ \t]+(?P<modules>[^\n]*)
    |(?:import_module|run_module)\(\s*["'](?P<literal>[.\w]+)["']""",
    re.MULTILINE | re.VERBOSE,
)
_FILE = re.compile(rb"""["'](?:[./]*/)?(\w[\w/]*)\.py["']""")
"""Files whose names are written out."""
_NAME = re.compile(rb"[.\w]+")
_COMMENT = re.compile(rb"#[^\n]*")


def imported_names(source: bytes) -> set[str]:
    """The modules that a text may import, a leading dot for each level of a relative import;
    read off its import lines, without parsing it."""
    found: set[str] = set()
    if b"run_path" in source:
        for path in _FILE.findall(source):
            name = path.decode().replace("/", ".")
            found.update((name, f".{name}"))
    for match in _IMPORT.finditer(source):
        origin = match["origin"]
        if origin is not None:
            found.add(origin.decode())
            joint = b"" if origin.endswith(b".") else b"."
            names = _NAME.findall(_COMMENT.sub(b"", match["names"]))
            found.update((origin + joint + name).decode() for name in names if name != b"as")
        elif match["modules"] is not None:
            names = _NAME.findall(_COMMENT.sub(b"", match["modules"]))
            found.update(name.decode() for name in names)
        else:
            found.add(match["literal"].decode())
    return found


def computes_imports(source: bytes) -> bool:
    """Whether the bytes of a file leave it possible that it computes the name of a module."""
    return any(word in source for word in (b"import_module", b"__import__", b"run_path"))


_IMPORT_INSIDE = re.compile(rb"^[ \t]+(?:from|import)[ \t]", re.MULTILINE)
_WORD = re.compile(r"\w+")


def imports_inside(source: bytes) -> bool:
    """Whether the bytes of a file leave it possible that a function imports something."""
    return _IMPORT_INSIDE.search(source) is not None


def words_of(source: bytes) -> set[str]:
    """All words of a text, those in comments and strings too."""
    return words_in(source.decode(errors="replace"))


def words_in(text: str) -> set[str]:
    """All words of a text, as `words_of` takes them from bytes."""
    return set(_WORD.findall(text))
