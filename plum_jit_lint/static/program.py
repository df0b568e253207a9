"""The files that belong together, loaded on demand.

A neighbour of the file that is checked is run for what it defines and registers; the order in which
things happen inside it is not looked at. Packages of other projects are opaque.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

from plum_jit_lint.knowledge import rows_with
from plum_jit_lint.knowledge.plum import DISPATCHERS
from plum_jit_lint.prefilter.candidates import (
    Mentions,
    candidates,
    mentions_in,
    names_that_register,
    outermost,
    registering_functions,
)
from plum_jit_lint.prefilter.dependencies import Dependencies
from plum_jit_lint.prefilter.features import ByteScan, FileFeatures, words_of
from plum_jit_lint.prefilter.import_graph import ImportGraph
from plum_jit_lint.prefilter.module_finder import ModuleFinder, is_module_name
from plum_jit_lint.prefilter.words import REGISTERING
from plum_jit_lint.project.pytest_paths import PytestPaths
from plum_jit_lint.project.read_texts import ReadTexts
from plum_jit_lint.static import assembly
from plum_jit_lint.static.interpreter import bodies
from plum_jit_lint.static.interpreter.values import DispatcherValue
from plum_jit_lint.static.modules import Module
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import ModuleNode
from plum_jit_lint.syntax.source import SourceError, read_source
from plum_jit_lint.syntax.walk import names_of


class Program:
    """The files that belong together: read once, remembered for the whole run.

    `source_roots` are the folders that imports are looked up in. `extend_jit` are qualified
    names of further callables that jit; `extend_dispatchers` of further plum dispatchers.
    `followed` are installed packages that are read as well, with the folders that they lie in,
    `written` the texts of files that the program itself writes.
    """

    def __init__(
        self,
        source_roots: tuple[Path, ...] = (),
        extend_jit: tuple[str, ...] = (),
        extend_dispatchers: tuple[str, ...] = (),
        followed: Mapping[str, Path] | None = None,
        pytest: PytestPaths | None = None,
        byte_scan: ByteScan | None = None,
        written: Mapping[str, bytes] | None = None,
        texts: ReadTexts | None = None,
    ) -> None:
        self.module_finder = ModuleFinder(source_roots, followed or {}, pytest, written, texts)
        self.not_followed: dict[str, None] = {}
        """Why some of the file that was checked last was left out."""
        self.failure: Exception | None = None
        """What went wrong in the middle of that file."""
        self.byte_scan = byte_scan or ByteScan(extend_dispatchers, extend_jit)
        self.import_graph = ImportGraph(self.module_finder, self.byte_scan)
        self.rows = rows_with(extend_jit)
        self.extend_jit = extend_jit
        self.extend_dispatchers = extend_dispatchers
        self.dispatchers = {**DISPATCHERS, **{path: path for path in extend_dispatchers}}
        self._modules: dict[Path, Module | None] = {}
        self.acts_at_once = False
        """Whether anything that has run made a trace in which a method was chosen, or switched
        jit."""
        self._numbers = itertools.count(1)
        self._touched: set[Path] = set()
        self._running: list[Path] = []
        self._cycles: dict[Path, Path] = {}
        """Modules in cycles of imports, and the one of the cycle that was imported first."""
        self._entered: set[Path] = set()
        """Modules that the file that is run has imported, by itself or through others."""
        self._syntax: dict[tuple[str, int], ModuleNode] = {}
        self._features_of: dict[int, FileFeatures] = {}
        """The features of files, by the `id`s of their syntax."""
        self._outermost: dict[int, tuple[nodes.FunctionDef, ...]] = {}
        """The functions of a file, by the `id` of its syntax."""
        self._mentions: dict[int, tuple[Mentions, ...]] = {}
        """What functions say, by the `id`s of their definitions."""
        self._read_bodies: dict[tuple[str, str], None] = {}
        self._asked_names: set[str] = set()
        self._bodies_told = 0
        self._names_told: set[str] = set()

    def matters(self, path: str, source: bytes) -> bool:
        """Whether a file can hold a finding: it, or what it imports through any number of others,
        mentions plum and has a dispatcher."""
        file = Path(path)
        name, neighbours = self.module_finder.identify(path)
        features = self.byte_scan.features(source)
        imported = self.module_finder.files_of(
            features.imported_names, name, file.name == "__init__.py", neighbours
        )
        if not (features.mentions_plum or self.import_graph.mention_plum(imported)):
            return False
        if features.may_export_dispatcher:
            return True
        file = file.resolve()
        return self.import_graph.reach_a_dispatcher(
            [file, *imported, *self.module_finder.around(file)]
        )

    def depends_on(self, path: str, beside: Iterable[str]) -> tuple[str, ...]:
        """The files that decide what the program gives that begins with `path`: itself, those that
        its import lines lead to, those that were read `beside` them, and the packages
        and `conftest.py` files around them."""
        file = Path(path).resolve()
        pending = [file, *map(Path, beside), *self.module_finder.around(file)]
        return self.import_graph.deciding(pending)

    def read_since(self) -> tuple[str, ...]:
        """The files that were asked for since this was asked last."""
        touched, self._touched = self._touched, set()
        return tuple(sorted(map(str, touched)))

    def new_dependencies(self) -> Dependencies:
        """What was read inside of functions since this was asked last."""
        bodies = tuple(itertools.islice(self._read_bodies, self._bodies_told, None))
        names = frozenset(self._asked_names - self._names_told)
        self._bodies_told = len(self._read_bodies)
        self._names_told |= names
        return Dependencies(bodies, names)

    def dependencies(self) -> Dependencies:
        """All that was read inside of functions in this process."""
        return Dependencies(tuple(self._read_bodies), frozenset(self._asked_names))

    def dependency_count(self) -> int:
        """How many these are: they only grow."""
        return len(self._read_bodies) + len(self._asked_names)

    def may_register(self, module: Module, imported: Sequence[Module], source: bytes) -> bool:
        """Whether the words of a module leave it possible that `registering_functions` finds one.
        To look for them is quicker than to walk over all its functions."""
        features = self.byte_scan.features(source)
        if features.mentions_plum or features.has_indented_import:
            return True
        known = _registering_in(imported) | set(_dispatchers_in(module)) | REGISTERING
        self._asked_names.update(known)
        return not known.isdisjoint(words_of(source))

    def registering_functions(
        self, module: Module, imported: Sequence[Module]
    ) -> Mapping[int, str]:
        """The functions of a module that may register something when they are called, `imported`
        being what has run before: `id`s of definitions, and names."""
        above = (self.module(name, module) for name in module.lineage()[:-1])
        # By the time that somebody calls a function, the packages around it have run.
        before = [*imported, *(package for package in above if package is not None)]
        ran: set[Path] = set()

        def brings(node: nodes.Import | nodes.ImportFrom) -> bool:
            if not ran:
                ran.update(place for one in before for place in one.brought())
            files = self.module_finder.files_of(
                names_of(node), module.name, module.is_package, module.neighbours
            )
            return self.import_graph.mention_plum(files, ran)

        known = _registering_in(imported) | set(_dispatchers_in(module))
        return self._registering_functions(module, known, brings)

    def _registering_functions(
        self,
        module: Module,
        known: Set[str],
        brings: Callable[[nodes.Import | nodes.ImportFrom], bool],
    ) -> Mapping[int, str]:
        key = id(module.syntax)
        if key not in self._outermost:
            self._outermost[key] = outermost(module.syntax)
        features = self._features_of.get(key)
        registering = names_that_register(known, features is not None and features.mentions_plum)
        found, asked = candidates(self._outermost[key], registering)
        self._asked_names.update(asked)
        mentions: list[Mentions] = []
        for function in found:
            if id(function) not in self._mentions:
                self._mentions[id(function)] = mentions_in(function)
            mentions.extend(self._mentions[id(function)])
        return registering_functions(mentions, registering, brings)

    def _registering_names(self, module: Module) -> set[str]:
        """What other modules may call to register something: functions of the module level, the
        names of dispatchers, and what the imported modules have of both. Names of methods are too
        common to tell anything."""
        known = _registering_in(module.imports())
        known.update(_dispatchers_in(module))
        features = self._features_of.get(id(module.syntax))
        may = features is not None and (features.mentions_plum or features.mentions_registering)
        if may or not known.isdisjoint(module.scope.names):
            found = self._registering_functions(module, known, lambda _: False)
            named = (found[id(node)] for node in module.syntax.body if id(node) in found)
            # `_` is how plum's users name what nobody calls.
            known.update(name for name in named if name != "_")
        return known

    def read(self, path: str, source: bytes) -> ModuleNode:
        """The syntax of a file, read once. `SourceError` where there is nothing to read."""
        key = (os.path.realpath(path), hash(source))
        if key not in self._syntax:
            features = self.byte_scan.features(source)
            place = key[0]

            def on_read(function: str) -> None:
                self._read_bodies[place, function] = None

            found = self._syntax[key] = read_source(
                source, by_libcst=features.may_stack_decorators, on_read=on_read
            )
            self._features_of[id(found)] = features
        return self._syntax[key]

    def has_read(self, path: str, source: bytes) -> bool:
        """Whether a file has been read, for itself or since another imports it."""
        return (os.path.realpath(path), hash(source)) in self._syntax

    def next_number(self) -> int:
        """A number for a branch id or a trace entry, given once in the whole program, so
        that a module's timeline fits into every other."""
        return next(self._numbers)

    def modules(self) -> Iterator[Module]:
        """The modules that were read so far."""
        return (module for module in list(self._modules.values()) if module is not None)

    def module(self, name: str, importer: Module) -> Module | None:
        """The module `name` if one of the importer's roots holds it, run for what it defines."""
        above = name.rpartition(".")[0]
        if not is_module_name(name) or (above and self.module(above, importer) is None):
            return None
        place, unlisted = self.module_finder.look_up(name, importer.name, importer.neighbours)
        self._touched.update(unlisted)
        if place is None:
            return None
        self._touched.add(place)
        self._enter(place)
        if place not in self._modules:
            # A package runs before what is in it, whoever asks first: it has by now.
            self._run(name, place)
        elif place in self._running:
            self._note_cycle(place)
        elif self._cycles.get(place) in self._running:
            # What has run leads back to one that still runs.
            self._note_cycle(self._cycles[place])
        return self._modules[place]

    def _note_cycle(self, place: Path) -> None:
        """Notes that what runs now leads back to `place`. What a cycle of imports gives is up to
        the module of it that is imported first; cycles that share a module are one."""
        position = {one: number for number, one in enumerate(self._running)}
        first = position[place]
        for one in self._running[first:]:
            entry = self._cycles.get(one)
            if entry in position:
                first = min(first, position[entry])
        entry, members = self._running[first], self._running[first:]
        if all(self._cycles.get(one) is entry for one in members):
            # Each import in a cycle comes here, and most find it noted.
            return
        joined = set(members)
        for one, other in self._cycles.items():
            if other in joined:
                self._cycles[one] = entry
        self._cycles.update(dict.fromkeys(members, entry))

    def ran_before(self, place: Path) -> Module | None:
        """The module in a file if it has run, in the order of the imports of the file that is
        run now."""
        module = self._modules.get(place)
        if module is None or not module.finished:
            return None
        if place in self._cycles and place not in self._entered:
            return None
        self._touched.update(module.brought())
        return module

    def begin(self) -> None:
        """Another file is to be run: cycles of imports may be entered elsewhere."""
        self._entered.clear()

    def _enter(self, place: Path) -> None:
        """Forgets a module that was run in another order than that of this file's imports."""
        module = self._modules.get(place)
        if place in self._entered or place in self._running or module is None:
            return
        entry = self._cycles.get(place)
        if entry is None or entry == place or entry in self._entered:
            self._entered.update(module.brought())
            return
        cycle = {one for one, first in self._cycles.items() if first == entry}
        for one, other in list(self._modules.items()):
            if other is not None and not cycle.isdisjoint(other.brought()):
                del self._modules[one]
        for one in cycle:
            del self._cycles[one]

    def not_run(self, path: Path, name: str) -> Module | None:
        """The module that the statements of a file are, without running them."""
        self._touched.add(path)
        source = self.module_finder.source_of(path)
        if source is None:
            return None
        try:
            syntax = self.read(str(path), source)
        except SourceError:
            return None
        found = Module(self, name, str(path), syntax, path.name == "__init__.py")
        found.neighbours = self.module_finder.name_and_roots(path)[1]
        return found

    def module_at(self, path: Path) -> Module | None:
        """The module in a file, if it is there."""
        self._touched.add(path)
        if path not in self._modules and os.path.isfile(path):
            self._run(self.module_finder.name_and_roots(path)[0], path)
        return self._modules.get(path)

    def _run(self, name: str, path: Path) -> None:
        self._modules[path] = None
        is_folder = os.path.isdir(path)
        is_package = is_folder or path.name == "__init__.py"
        # A namespace package defines nothing, and holds modules.
        source = b"" if is_folder else self.module_finder.source_of(path)
        try:
            syntax = None if source is None else self.read(str(path), source)
        except SourceError:
            syntax = None
        if syntax is None:
            # The file is reported where it is checked itself.
            return
        module = Module(self, name, str(path), syntax, is_package)
        module.neighbours = self.module_finder.name_and_roots(path)[1]
        # Set before it runs: a cyclic import sees what is defined so far, as in Python.
        self._modules[path] = module
        self._running.append(path)
        self._entered.add(path)
        run = assembly.begin(self)
        run.state.ran.update(module.lineage())
        run.state.effects = module.effects
        run.now.frame.scopes.append(module.scope)
        try:
            bodies.execute_each(run, module.scope, syntax.body)
        except RecursionError:
            # It is tried again with a larger stack.
            del self._modules[path]
            raise
        finally:
            self._running.pop()
        module.finished = True
        module.registering = self._registering_names(module)


def _registering_in(modules: Iterable[Module]) -> set[str]:
    return {name for module in modules for name in module.registering}


def _dispatchers_in(module: Module) -> Iterator[str]:
    """The names that a module has for dispatchers."""
    for name, value in module.scope.names.items():
        if isinstance(value, DispatcherValue):
            yield name
