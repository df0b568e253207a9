"""What the bytes of a file say before anybody parses it: every question to them is asked here.

A result hangs on the answers, so the cache compares them as one object: what is asked of a file
is a field of it, and nobody else looks into the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plum_jit_lint.knowledge import DISPATCHERS
from plum_jit_lint.prefilter.words import REGISTERING, words_in


@dataclass(frozen=True, slots=True)
class FileFeatures:
    """What the bytes of a file leave possible."""

    speaks_of_plum: bool
    """It registers a method."""
    hands_out: bool
    """It has a dispatcher from outside of the program."""
    names_jit: bool
    """It jits something."""
    mixes: bool
    """A definition in it has both dispatch and jit for decorators."""
    names_registering: bool
    """It holds one of the names with which something may be registered."""
    imports: frozenset[str]
    """The modules that it may import, see `imported_names`."""
    imports_inside: bool
    """A function in it imports something."""
    computes_imports: bool
    """It computes the name of a module."""
    is_lazy: bool
    """It has a `__getattr__`, and may bring modules when somebody asks for what is in them."""
    is_script: bool
    """It does more when it is run as a script."""
    has_tests: bool
    """pytest finds tests in it."""

    @property
    def may_hold_stacks(self) -> bool:
        """Dispatch and jit may meet in one function, in whatever way."""
        return self.speaks_of_plum and self.names_jit


class FeaturesByContent:
    """The features of texts, each looked at once. `extend_dispatchers` and `extend_jit` are the
    qualified names of further dispatchers, and of further callables that jit."""

    def __init__(
        self, extend_dispatchers: tuple[str, ...] = (), extend_jit: tuple[str, ...] = ()
    ) -> None:
        self._extend_dispatchers = extend_dispatchers
        self._extend_jit = extend_jit
        self._known: dict[tuple[int, int], FileFeatures] = {}

    def of(self, source: bytes) -> FileFeatures:
        """The features of a text."""
        key = (hash(source), len(source))
        if key not in self._known:
            self._known[key] = self._look(source)
        return self._known[key]

    def _look(self, source: bytes) -> FileFeatures:
        speaks = _mentions_plum(source, self._extend_dispatchers)
        names_jit = _mentions_jit(source, self._extend_jit)
        imports = imported_names(source)
        return FileFeatures(
            speaks_of_plum=speaks,
            hands_out=self.hands_out(source),
            names_jit=names_jit,
            mixes=speaks and names_jit and self._mixes(source),
            names_registering=_REGISTERING.search(source) is not None,
            imports=frozenset(imports),
            imports_inside=_IMPORT_INSIDE.search(source) is not None,
            computes_imports=any(word in source for word in _COMPUTING),
            is_lazy=b"__getattr__" in source,
            is_script=b"__main__" in source,
            has_tests=b"def test" in source,
        )

    def hands_out(self, source: bytes) -> bool:
        """The feature of that name alone: whole trees are asked for it, most of which know nothing
        of plum, and all that is asked of a file takes ten times as long."""
        return _may_export_dispatcher(source, self._extend_dispatchers)

    def _mixes(self, source: bytes) -> bool:
        """Whether a definition has two decorators, or one that names both."""
        begin: int | None = None
        count = 0
        for head in _HEAD.finditer(source):
            if head[1] is not None:
                begin = head.start() if begin is None else begin
                count += 1
            elif begin is not None:
                between = source[begin : head.start()]
                if count > 1 or (
                    _mentions_plum(between, self._extend_dispatchers)
                    and _mentions_jit(between, self._extend_jit)
                ):
                    return True
                begin, count = None, 0
        return False


_WORDS = (b"dispatch", b"Dispatch", b"plum")
"""A file without any of these registers nothing on plum."""


def _mentions_plum(source: bytes, extend_dispatchers: tuple[str, ...]) -> bool:
    """Whether the bytes of a file leave it possible that it registers a method."""
    if any(word in source for word in _WORDS):
        return True
    return any(path.rpartition(".")[2].encode() in source for path in extend_dispatchers)


def _libraries(dispatchers: Iterable[str]) -> frozenset[str]:
    return frozenset(path.partition(".")[0] for path in dispatchers)


_OTHERS = _libraries(DISPATCHERS) - {"plum"}


def _may_export_dispatcher(source: bytes, extend_dispatchers: tuple[str, ...]) -> bool:
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


def _mentions_jit(source: bytes, extend_jit: tuple[str, ...]) -> bool:
    """Whether the bytes of a file leave it possible that it names a jit."""
    return b"jit" in source or any(
        path.rpartition(".")[2].encode() in source for path in extend_jit
    )


_HEAD = re.compile(rb"^[ \t]*(?:(@)|(?:async[ \t]+def|def|class)\b)", re.MULTILINE)

_IMPORT_INSIDE = re.compile(rb"^[ \t]+(?:from|import)[ \t]", re.MULTILINE)
_COMPUTING = (b"import_module", b"__import__", b"run_path")
_REGISTERING = re.compile(
    rb"\b(?:%s)\b" % b"|".join(name.encode() for name in sorted(REGISTERING)),
)

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


def words_of(source: bytes) -> set[str]:
    """All words of a text, as `words_in` takes them from what is decoded."""
    return words_in(source.decode(errors="replace"))
