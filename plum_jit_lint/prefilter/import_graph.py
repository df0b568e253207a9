"""What the files of a program say of each other before anybody parses them: their words, and
where their import lines lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from plum_jit_lint.prefilter.byte_scan import (
    computes_imports,
    imported_names,
    may_export_dispatcher,
    mentions_plum,
)
from plum_jit_lint.prefilter.module_finder import Places
from plum_jit_lint.project.discovery import python_files_below


@dataclass(frozen=True, slots=True)
class Outline:
    """What the bytes of a file leave possible."""

    speaks: bool
    """It registers something on plum."""
    hands_out: bool
    """It has a dispatcher from outside of the program."""
    brings_more: bool
    """It may bring modules that no import line names: it is a package, and somebody else has
    imported them, or it computes their names."""
    imports: tuple[Path, ...]


class Outlines:
    """The outlines of the files in their `places`, each made once. `extend_dispatchers` are
    qualified names of further dispatchers."""

    def __init__(self, places: Places, extend_dispatchers: tuple[str, ...]) -> None:
        self._places = places
        self._extend_dispatchers = extend_dispatchers
        self._outlines: dict[Path, Outline] = {}
        self._folders: dict[Path, list[Path]] = {}
        self._closures: dict[tuple[Path, bool], frozenset[Path]] = {}
        """What packages lead to, widely or not."""
        self._deciding: dict[frozenset[Path], tuple[str, ...]] = {}
        self._apart: tuple[set[Path], set[Path]] = (set(), set())
        """Files that lead to no dispatcher by their import lines, and widely."""

    def of(self, file: Path) -> Outline:
        """The outline of a file."""
        if file not in self._outlines:
            self._outlines[file] = self._read(file)
        return self._outlines[file]

    def _read(self, file: Path) -> Outline:
        source = self._places.source_of(file)
        if source is None:
            return Outline(False, False, False, ())
        package = file.name == "__init__.py"
        names = imported_names(source)
        imports = [
            found
            for name, roots in self._places.both_ways(file)
            for found in self._places.files_of(names, name, package, roots)
        ]
        if package and b"__getattr__" in source:
            # What a lazy package brings, nobody knows before it is asked.
            imports.extend(sorted(file.parent.glob("*.py")))
        return Outline(
            mentions_plum(source, self._extend_dispatchers),
            may_export_dispatcher(source, self._extend_dispatchers),
            package or computes_imports(source),
            tuple(imports),
        )

    def led_to(
        self,
        files: Iterable[Path],
        without: Set[Path] = frozenset(),
        *,
        widely: bool = False,
    ) -> Iterator[Path]:
        """These files and those that their import lines lead to, `without` some, and without what
        only they lead to. `widely`: what `brings_more` may bring any module of its package; outside
        of a package, any that it could import at all."""
        pending = list(files)
        seen = set(without)
        while pending:
            file = pending.pop()
            if file not in seen:
                seen.add(file)
                yield file
                pending.extend(self._imports_of(file, widely))

    def _imports_of(self, file: Path, widely: bool) -> Sequence[Path]:
        outline = self.of(file)
        if not (widely and outline.brings_more):
            return outline.imports
        top = self._places.top_of(file)
        if top not in self._folders:
            self._folders[top] = list(map(Path, python_files_below(top)))
        return [*outline.imports, *self._folders[top]]

    def speak(self, files: Iterable[Path], ran: Set[Path] = frozenset()) -> bool:
        """Whether one of these files, or what they import, speaks of plum. What `ran` is over:
        importing it once more does nothing."""
        return any(self.of(file).speaks for file in self.led_to(files, ran))

    def deciding(self, files: Iterable[Path]) -> tuple[str, ...]:
        """The files that decide what a program that begins with these gives, sorted: what their
        import lines lead to, and, where that has no dispatcher, what else they may import."""
        plain = self._closure_of(files, widely=False)
        if plain not in self._deciding:
            has_dispatcher = any(self.of(file).hands_out for file in plain)
            found = plain if has_dispatcher else self._closure_of(plain, widely=True)
            self._deciding[plain] = tuple(sorted(map(str, found)))
        return self._deciding[plain]

    def _closure_of(
        self, files: Iterable[Path], *, widely: bool, of_packages: bool = True
    ) -> frozenset[Path]:
        """All that `led_to` gives. What packages lead to is kept, since it is a part of what most
        files lead to; it is worked out first unless `of_packages` says no."""
        pending = list(files)
        seen: set[Path] = set()
        largest: frozenset[Path] = frozenset()
        while pending:
            file = pending.pop()
            if file in seen:
                continue
            key = (file, widely)
            if of_packages and file.name == "__init__.py" and key not in self._closures:
                self._closures[key] = self._closure_of([file], widely=widely, of_packages=False)
            below = self._closures.get(key)
            if below is None:
                seen.add(file)
                pending.extend(self._imports_of(file, widely))
            else:
                seen |= below
                largest = max(largest, below, key=len)
        # In a cycle of imports all lead to the same files: one set is enough.
        return largest if len(largest) == len(seen) else frozenset(seen)

    def reach_a_dispatcher(self, files: Iterable[Path]) -> bool:
        """Whether one of these files, or what they may import, has a dispatcher from outside."""
        files = list(files)
        for widely, apart in zip((False, True), self._apart, strict=True):
            met: set[Path] = set()
            for file in self.led_to(files, apart, widely=widely):
                if self.of(file).hands_out:
                    return True
                met.add(file)
            apart |= met
        return False
