"""The modules of the program around the file that is checked, read on demand.

A neighbour is run for what it defines and registers; the order in which things happen inside it
is not looked at. Packages of other projects are opaque.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path

from plum_jit_lint.knowledge import DISPATCHERS, rows_with
from plum_jit_lint.prefilter.byte_scan import (
    imported_names,
    imports_inside,
    may_export_dispatcher,
    may_mix,
    mentions_jit,
    mentions_plum,
    words_of,
)
from plum_jit_lint.prefilter.candidates import (
    REGISTERING,
    Mentions,
    candidates,
    mentions_in,
    mentions_registering,
    names_that_register,
    outermost,
    registering_functions,
)
from plum_jit_lint.prefilter.dependencies import Dependencies
from plum_jit_lint.prefilter.import_graph import Outlines
from plum_jit_lint.prefilter.module_finder import LONGEST_NAME, Places
from plum_jit_lint.project.pytest_paths import PytestPaths
from plum_jit_lint.static import assembly
from plum_jit_lint.static.interpreter import bodies, qualified_names
from plum_jit_lint.static.interpreter.effects import (
    Effect,
    ImportEffect,
    SwitchEffect,
    TraceRecorded,
)
from plum_jit_lint.static.interpreter.values import (
    TOP,
    ClassValue,
    DispatcherValue,
    Imported,
    ModuleValue,
    Scope,
    SequenceValue,
    Symbol,
    Typed,
    Value,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import ModuleNode
from plum_jit_lint.syntax.source import SourceError, read_source
from plum_jit_lint.syntax.walk import absolute_name, names_of

OPEN_STARS = ("plum", "jax", "equinox", "functools", "typing", "numpy")
"""Libraries of which `from library import *` is taken to bring the names that nothing else does."""


class Module:
    """A module while and after it runs."""

    def __init__(
        self,
        program: Program,
        name: str,
        path: str,
        syntax: ModuleNode,
        is_package: bool,
        is_root: bool = False,
    ) -> None:
        self.program = program
        self.name = name
        self.path = path
        self.place = Path(path)
        self.real_path = os.path.realpath(path)
        self.syntax = syntax
        self.is_package = is_package
        self.is_root = is_root
        self.stars: list[str] = []
        self.effects: list[Effect] = []
        """What happens when it runs, see `machine.Effect`."""
        self.registering: set[str] = set()
        """Names of it, and of what it imports, that may register something when they are called."""
        self.finished = False
        """Whether it has run to its end."""
        self._acts_at_once: bool | None = None
        self._brought: dict[Path, Module] | None = None
        self.scope = Scope(self, "module")
        self.classes: list[ClassValue] = []
        """The classes that were defined in it so far, since an object may be of a subclass."""
        self.neighbours: tuple[Path, ...] = ()

    def brought(self) -> Mapping[Path, Module]:
        """The module and all that it imports, by their files."""
        if self._brought is not None:
            return self._brought
        found = {module.place: module for module in all_imported([self])}
        if all(module.finished for module in found.values()):
            # In a cycle of imports the answer is that of now.
            self._brought = found
        return found

    def acts_at_once(self) -> bool:
        """Whether it, or what it imports, makes a trace in which a method was chosen, or switches
        jit. Without that, nothing that is registered while it runs can be too late."""
        if not self.program.acts_at_once:
            return False
        if self._acts_at_once is None:
            below = self.brought().values()
            found = any(
                isinstance(action, SwitchEffect)
                or (isinstance(action, TraceRecorded) and action.entry.held)
                for module in below
                for action in module.effects
            )
            if not all(module.finished for module in below):
                # In a cycle of imports the answer is that of now.
                return found
            self._acts_at_once = found
        return self._acts_at_once

    def lineage(self) -> list[str]:
        """The module and the packages that it is in. They run before it, whoever imports it,
        and what they do is theirs to report."""
        parts = self.name.split(".")
        return [".".join(parts[: count + 1]) for count in range(len(parts))]

    def anew(self, name: str) -> Module:
        """The same file as another module that has not run."""
        fresh = Module(self.program, name, self.path, self.syntax, self.is_package)
        fresh.neighbours = self.neighbours
        return fresh

    def absolute(self, level: int, module: str) -> str:
        """The full name of a module that is imported with `level` dots."""
        return absolute_name(self.name, self.is_package, level, module)

    def load(self, name: str) -> Value:
        """The module of that name: of the program, or a symbol of another library."""
        found = self.program.module(name, self)
        return Symbol(name) if found is None else ModuleValue(found)

    def imported(self, what: Imported) -> Value:
        """What an import of this module stands for."""
        origin = self.load(what.module)
        if what.name is None:
            return origin
        if isinstance(origin, ModuleValue):
            return origin.module.member(what.name)
        return qualified_names.symbol(self.program.dispatchers, f"{what.module}.{what.name}")

    def member(self, name: str) -> Value:
        """`module.name`."""
        found_here = self.scope.own(name)
        if found_here is not None:
            return found_here
        found = self.program.module(f"{self.name}.{name}", self) if self.name else None
        return self.from_stars(name) if found is None else ModuleValue(found)

    def lazy(self, name: str) -> Value | None:
        """What the module's own `__getattr__` is, where it defines no such name."""
        if self.scope.own(name) is not None or name.startswith("__"):
            return None
        return self.scope.own("__getattr__")

    def from_stars(self, name: str) -> Value:
        """A name that only a star import can have brought."""
        for path in self.stars:
            if path.partition(".")[0] in OPEN_STARS:
                return qualified_names.symbol(self.program.dispatchers, f"{path}.{name}")
        return TOP

    def public(self) -> Iterator[tuple[str, Value]]:
        """What a star import of this module binds."""
        declared = self.scope.own("__all__")
        if isinstance(declared, SequenceValue) and declared.complete:
            texts = [v.argument for v in declared.items if isinstance(v, Typed)]
            names = [str(getattr(argument, "value", "")) for argument in texts]
        else:
            names = [name for name in self.scope.names if not name.startswith("_")]
        for name in names:
            yield name, self.member(name)


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
        written: Mapping[str, bytes] | None = None,
    ) -> None:
        self.places = Places(source_roots, followed or {}, pytest, written)
        self.outlines = Outlines(self.places, extend_dispatchers)
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
        self._facts: dict[tuple[str, int], ModuleNode] = {}
        self._speaking: set[int] = set()
        """The `id`s of the syntax of files that speak of plum."""
        self._outermost: dict[int, tuple[nodes.FunctionDef, ...]] = {}
        """The functions of a file, by the `id` of its syntax."""
        self._mentions: dict[int, tuple[Mentions, ...]] = {}
        """What functions say, by the `id`s of their definitions."""
        self._looked_at: dict[tuple[str, str], None] = {}
        self._asked: set[str] = set()
        self._bodies_told = 0
        self._names_told: set[str] = set()
        self._mentioning: set[int] = set()
        """Those of files that use a name with which something may be registered."""

    def matters(self, path: str, source: bytes) -> bool:
        """Whether a file can hold a finding: it, or what it imports through any number of others,
        speaks of plum and has a dispatcher."""
        file = Path(path)
        name, neighbours = self.places.identify(path)
        imported = self.places.files_of(
            imported_names(source), name, file.name == "__init__.py", neighbours
        )
        if not (mentions_plum(source, self.extend_dispatchers) or self.outlines.speak(imported)):
            return False
        if may_export_dispatcher(source, self.extend_dispatchers):
            return True
        file = file.resolve()
        return self.outlines.reach_a_dispatcher([file, *imported, *self.places.around(file)])

    def depends_on(self, path: str, beside: Iterable[str]) -> tuple[str, ...]:
        """The files that decide what the program gives that begins with `path`: itself, those that
        its import lines lead to, those that were read `beside` them, and the packages
        and `conftest.py` files around them."""
        file = Path(path).resolve()
        pending = [file, *map(Path, beside), *self.places.around(file)]
        return self.outlines.deciding(pending)

    def read_since(self) -> tuple[str, ...]:
        """The files that were asked for since this was asked last."""
        touched, self._touched = self._touched, set()
        return tuple(sorted(map(str, touched)))

    def looked_at_since(self) -> Dependencies:
        """What was looked at inside of functions since this was asked last."""
        bodies = tuple(itertools.islice(self._looked_at, self._bodies_told, None))
        names = frozenset(self._asked - self._names_told)
        self._bodies_told = len(self._looked_at)
        self._names_told |= names
        return Dependencies(bodies, names)

    def looked_at(self) -> Dependencies:
        """All that was looked at inside of functions in this process."""
        return Dependencies(tuple(self._looked_at), frozenset(self._asked))

    def looks(self) -> int:
        """How much that is: it only grows."""
        return len(self._looked_at) + len(self._asked)

    def may_register(self, module: Module, imported: Sequence[Module], source: bytes) -> bool:
        """Whether the words of a module leave it possible that `registering_functions` finds one.
        To look for them is quicker than to walk over all its functions."""
        if mentions_plum(source, self.extend_dispatchers) or imports_inside(source):
            return True
        known = _registering_in(imported) | set(_dispatchers_in(module)) | REGISTERING
        self._asked.update(known)
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
            files = self.places.files_of(
                names_of(node), module.name, module.is_package, module.neighbours
            )
            return self.outlines.speak(files, ran)

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
        registering = names_that_register(known, key in self._speaking)
        found, asked = candidates(self._outermost[key], registering)
        self._asked.update(asked)
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
        known = _registering_in(a.module for a in module.effects if isinstance(a, ImportEffect))
        known.update(_dispatchers_in(module))
        speaks = id(module.syntax) in self._speaking
        may = speaks or id(module.syntax) in self._mentioning
        if may or not known.isdisjoint(module.scope.names):
            found = self._registering_functions(module, known, lambda _: False)
            named = (found[id(node)] for node in module.syntax.body if id(node) in found)
            # `_` is how plum's users name what nobody calls.
            known.update(name for name in named if name != "_")
        return known

    def read(self, path: str, source: bytes) -> ModuleNode:
        """The syntax of a file, read once. `SourceError` where there is nothing to read."""
        key = (os.path.realpath(path), hash(source))
        if key not in self._facts:
            mixes = may_mix(source, self.extend_dispatchers, self.extend_jit)
            place = key[0]

            def told(function: str) -> None:
                self._looked_at[place, function] = None

            found = self._facts[key] = read_source(source, by_libcst=mixes, told=told)
            if mentions_plum(source, self.extend_dispatchers):
                self._speaking.add(id(found))
            if mentions_registering(source):
                self._mentioning.add(id(found))
        return self._facts[key]

    def may_hold_stacks(self, source: bytes) -> bool:
        """Whether the bytes of a file leave it possible that it stacks dispatch and jit."""
        speaks = mentions_plum(source, self.extend_dispatchers)
        return speaks and mentions_jit(source, self.extend_jit)

    def next_number(self) -> int:
        """A number for a branching point or a trace entry, given once in the whole program, so
        that a module's timeline fits into every other."""
        return next(self._numbers)

    def modules(self) -> Iterator[Module]:
        """The modules that were read so far."""
        return (module for module in list(self._modules.values()) if module is not None)

    def module(self, name: str, importer: Module) -> Module | None:
        """The module `name` if one of the importer's roots holds it, run for what it defines."""
        above = name.rpartition(".")[0]
        if name.count(".") > LONGEST_NAME or (above and self.module(above, importer) is None):
            return None
        place = self.places.place_of(name, importer.name, importer.neighbours)
        if place is None:
            return None
        self._touched.add(place)
        self._enter(place)
        if place not in self._modules:
            # A package runs before what is in it, whoever asks first: it has by now.
            self._run(name, place)
        elif place in self._running:
            # What a cycle of imports gives is up to the module of it that is imported first.
            first = self._running.index(place)
            self._cycles.update(dict.fromkeys(self._running[first:], self._running[first]))
        return self._modules[place]

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
        source = self.places.source_of(path)
        try:
            syntax = None if source is None else self.read(str(path), source)
        except SourceError:
            return None
        if syntax is None:
            return None
        found = Module(self, name, str(path), syntax, path.name == "__init__.py")
        found.neighbours = self.places.name_and_roots(path)[1]
        return found

    def module_at(self, path: Path) -> Module | None:
        """The module in a file, if it is there."""
        self._touched.add(path)
        if path not in self._modules and path.is_file():
            self._run(self.places.name_and_roots(path)[0], path)
        return self._modules.get(path)

    def _run(self, name: str, path: Path) -> None:
        self._modules[path] = None
        is_package = path.name == "__init__.py" or path.is_dir()
        try:
            # A namespace package defines nothing, and holds modules.
            empty = ModuleNode((), False)
            source = b"" if path.is_dir() else self.places.source_of(path)
            syntax = empty if not source else self.read(str(path), source)
        except SourceError:
            source = None
        if source is None:
            # The file is reported where it is checked itself.
            return
        module = Module(self, name, str(path), syntax, is_package)
        module.neighbours = self.places.name_and_roots(path)[1]
        # Set before it runs: a cyclic import sees what is defined so far, as in Python.
        self._modules[path] = module
        self._running.append(path)
        self._entered.add(path)
        run = assembly.begin(self)
        run.ran.update(module.lineage())
        run.effects = module.effects
        run.frame.scopes.append(module.scope)
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


def all_imported(modules: Iterable[Module]) -> Iterator[Module]:
    """The modules themselves, and all that they import, each once."""
    pending = list(modules)
    seen = set(map(id, pending))
    while pending:
        module = pending.pop()
        yield module
        for action in module.effects:
            if isinstance(action, ImportEffect) and id(action.module) not in seen:
                seen.add(id(action.module))
                pending.append(action.module)
