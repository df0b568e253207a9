"""The byte scan: what a file may do, told from its bytes before it is parsed.

Every such question is a field of `FileFeatures`, and no other module looks into the bytes. Results
depend on the answers: the cache compares the whole object, so a new field counts there as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plum_jit_lint.knowledge.plum import DISPATCHERS
from plum_jit_lint.prefilter.words import REGISTERING, words_in


@dataclass(frozen=True, slots=True)
class FileFeatures:
    """What a file may do. Each answer is generous: `False` is certain, `True` is possible."""

    mentions_plum: bool
    """It may register a method on a plum function."""
    may_export_dispatcher: bool
    """It may have a dispatcher that comes from outside of the program."""
    mentions_jit: bool
    """It may jit a function."""
    may_stack_decorators: bool
    """It may have a definition that is decorated with both dispatch and jit."""
    mentions_registering: bool
    """It has one of the names in `REGISTERING`."""
    imported_names: frozenset[str]
    """The modules that it may import, see `imported_names`."""
    has_indented_import: bool
    """It may import something inside of a function."""
    may_compute_imports: bool
    """It may import a module whose name it computes."""
    mentions_getattr: bool
    """It may have a `__getattr__` of its own, which brings modules when somebody asks for them."""
    mentions_main: bool
    """It may do more when it is run as a script."""
    mentions_tests: bool
    """pytest may find tests in it."""

    @property
    def mentions_plum_and_jit(self) -> bool:
        """Dispatch and jit may meet in one function, whatever way that is written."""
        return self.mentions_plum and self.mentions_jit


class ByteScan:
    """The features of texts, each text scanned once. `extend_dispatchers` and `extend_jit` are the
    qualified names of further dispatchers, and of further callables that jit."""

    def __init__(
        self, extend_dispatchers: tuple[str, ...] = (), extend_jit: tuple[str, ...] = ()
    ) -> None:
        self._extend_dispatchers = extend_dispatchers
        self._extend_jit = extend_jit
        self._known: dict[tuple[int, int], FileFeatures] = {}

    def features(self, source: bytes) -> FileFeatures:
        """The features of a text."""
        key = (hash(source), len(source))
        if key not in self._known:
            self._known[key] = self._scan(source)
        return self._known[key]

    def may_export_dispatcher(self, source: bytes) -> bool:
        """That feature alone: whole trees are asked for it, most of which know nothing of plum,
        and a full scan takes ten times as long."""
        return _may_export_dispatcher(source, self._extend_dispatchers)

    def notebook_may_export_dispatcher(self, source: bytes) -> bool:
        """The same of the bytes of a notebook, in which Python stands as JSON has it."""
        libraries = ("plum", *_OTHERS, *_libraries(self._extend_dispatchers))
        return any(library.encode() in source for library in libraries)

    def _scan(self, source: bytes) -> FileFeatures:
        mentions_plum = _mentions_plum(source, self._extend_dispatchers)
        mentions_jit = _mentions_jit(source, self._extend_jit)
        return FileFeatures(
            mentions_plum=mentions_plum,
            may_export_dispatcher=self.may_export_dispatcher(source),
            mentions_jit=mentions_jit,
            may_stack_decorators=mentions_plum and mentions_jit and self._may_stack(source),
            mentions_registering=_REGISTERING.search(source) is not None,
            imported_names=frozenset(imported_names(source)),
            has_indented_import=_INDENTED_IMPORT.search(source) is not None,
            may_compute_imports=any(word in source for word in _COMPUTING),
            mentions_getattr=b"__getattr__" in source,
            mentions_main=b"__main__" in source,
            mentions_tests=b"def test" in source,
        )

    def _may_stack(self, source: bytes) -> bool:
        """Whether the decorators of a definition name both dispatch and jit."""
        begin: int | None = None
        for head in _HEAD.finditer(source):
            if head[1] is not None:
                begin = head.start() if begin is None else begin
            elif begin is not None:
                decorators = source[begin : head.start()]
                if _mentions_plum(decorators, self._extend_dispatchers) and _mentions_jit(
                    decorators, self._extend_jit
                ):
                    return True
                begin = None
        return False


_WORDS = (b"dispatch", b"Dispatch", b"plum")
"""A text without any of these registers nothing on plum."""


def _mentions_plum(source: bytes, extend_dispatchers: tuple[str, ...]) -> bool:
    """Whether a text may register a method on a plum function."""
    if any(word in source for word in _WORDS):
        return True
    return any(path.rpartition(".")[2].encode() in source for path in extend_dispatchers)


def _libraries(dispatchers: Iterable[str]) -> frozenset[str]:
    return frozenset(path.partition(".")[0] for path in dispatchers)


_OTHERS = _libraries(DISPATCHERS) - {"plum"}


def _may_export_dispatcher(source: bytes, extend_dispatchers: tuple[str, ...]) -> bool:
    """Whether a text may have a dispatcher that comes from outside of the program: it names plum,
    or imports a library that exports plum's dispatcher. That such a library is named is not enough:
    `lab` is a usual word in files that know nothing of plum."""
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
    """Whether a text may jit a function."""
    return b"jit" in source or any(
        path.rpartition(".")[2].encode() in source for path in extend_jit
    )


_HEAD = re.compile(rb"^[ \t]*(?:(@)|(?:async[ \t]+def|def|class)\b)", re.MULTILINE)

_INDENTED_IMPORT = re.compile(rb"^[ \t]+(?:from|import)[ \t]", re.MULTILINE)
_COMPUTING = (b"import_module", b"__import__", b"run_path", b"run_module")
_REGISTERING = re.compile(rb"\b(?:%s)\b" % b"|".join(name.encode() for name in sorted(REGISTERING)))

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
