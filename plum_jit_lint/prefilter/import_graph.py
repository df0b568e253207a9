"""Which files lead to which by their import lines, and what their bytes say: none is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from plum_jit_lint.prefilter.features import ByteScan, FileFeatures
from plum_jit_lint.prefilter.module_finder import Places
from plum_jit_lint.project.discovery import python_files_below


@dataclass(frozen=True, slots=True)
class ImportingFile:
    """A file of the graph."""

    features: FileFeatures
    imports: tuple[Path, ...]
    """The files that its import lines lead to."""
    may_import_more: bool
    """It may bring modules that no import line names: it is a package, and somebody else has
    imported them, or it computes their names."""


class ImportGraph:
    """The files in their `places`, each read once."""

    def __init__(self, places: Places, byte_scan: ByteScan) -> None:
        self._places = places
        self._byte_scan = byte_scan
        self._files: dict[Path, ImportingFile] = {}
        self._folders: dict[Path, list[Path]] = {}
        self._closures: dict[tuple[Path, bool], frozenset[Path]] = {}
        """What packages lead to, widely or not."""
        self._deciding: dict[frozenset[Path], tuple[str, ...]] = {}
        self._apart: tuple[set[Path], set[Path]] = (set(), set())
        """Files that lead to no dispatcher by their import lines, and widely."""

    def of(self, file: Path) -> ImportingFile:
        """What is known of a file."""
        if file not in self._files:
            self._files[file] = self._read(file)
        return self._files[file]

    def _read(self, file: Path) -> ImportingFile:
        source = self._places.source_of(file)
        if source is None:
            return ImportingFile(self._byte_scan.features(b""), (), False)
        package = file.name == "__init__.py"
        features = self._byte_scan.features(source)
        imports = [
            found
            for name, roots in self._places.both_ways(file)
            for found in self._places.files_of(features.imported_names, name, package, roots)
        ]
        if package and features.mentions_getattr:
            # What a lazy package brings, nobody knows before it is asked.
            imports.extend(sorted(file.parent.glob("*.py")))
        return ImportingFile(features, tuple(imports), package or features.may_compute_imports)

    def led_to(
        self,
        files: Iterable[Path],
        without: Set[Path] = frozenset(),
        *,
        widely: bool = False,
    ) -> Iterator[Path]:
        """These files and those that their import lines lead to, `without` some, and without what
        only they lead to. `widely`: a file that `may_import_more` leads to every module of its
        package; outside of a package, to every one that it could import at all."""
        pending = list(files)
        seen = set(without)
        while pending:
            file = pending.pop()
            if file not in seen:
                seen.add(file)
                yield file
                pending.extend(self._imports_of(file, widely))

    def _imports_of(self, file: Path, widely: bool) -> Sequence[Path]:
        known = self.of(file)
        if not (widely and known.may_import_more):
            return known.imports
        top = self._places.top_of(file)
        if top not in self._folders:
            self._folders[top] = list(map(Path, python_files_below(top)))
        return [*known.imports, *self._folders[top]]

    def mention_plum(self, files: Iterable[Path], ran: Set[Path] = frozenset()) -> bool:
        """Whether one of these files, or what they import, mentions plum. Those that `ran` already
        are left out: importing them once more does nothing."""
        return any(self.of(file).features.mentions_plum for file in self.led_to(files, ran))

    def deciding(self, files: Iterable[Path]) -> tuple[str, ...]:
        """The files that decide what a program that begins with these gives, sorted: what their
        import lines lead to, and, where that has no dispatcher, what else they may import."""
        plain = self._closure_of(files, widely=False)
        if plain not in self._deciding:
            has_dispatcher = any(self.of(file).features.may_export_dispatcher for file in plain)
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
                if self.of(file).features.may_export_dispatcher:
                    return True
                met.add(file)
            apart |= met
        return False
