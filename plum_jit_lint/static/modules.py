"""The modules of a program, while and after they run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from plum_jit_lint.knowledge import OPEN_STARS
from plum_jit_lint.static.interpreter import pytrees, qualified_names
from plum_jit_lint.static.interpreter.effects import (
    Effect,
    ImportEffect,
    SwitchEffect,
    TraceRecorded,
)
from plum_jit_lint.static.interpreter.values import (
    TOP,
    ClassValue,
    Imported,
    ModuleValue,
    Scope,
    SequenceValue,
    Symbol,
    Typed,
    Value,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.walk import absolute_name

if TYPE_CHECKING:
    from plum_jit_lint.static.program import Program


class Module:
    """A module while and after it runs."""

    def __init__(
        self,
        program: Program,
        name: str,
        path: str,
        syntax: nodes.ModuleNode,
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
        """What happens when it runs, in the order in which it happens."""
        self.registering: set[str] = set()
        """Names of it, and of what it imports, that may register something when they are called."""
        self.finished = False
        """Whether it has run to its end."""
        self._acts_at_once: bool | None = None
        self._imports: tuple[Module, ...] | None = None
        self._brought: dict[Path, Module] | None = None
        self.scope = Scope(self, "module")
        self.classes: list[ClassValue] = []
        """The classes that were defined in it so far, since an object may be of a subclass."""
        self.times_defined = Counter[str]()
        """How often each of them was defined, by its full name."""
        self._telling_jax: tuple[nodes.FunctionDef, ...] | None = None
        self.neighbours: tuple[Path, ...] = ()

    def imports(self) -> tuple[Module, ...]:
        """The modules that it imports itself."""
        if self._imports is not None:
            return self._imports
        found = tuple(one.module for one in self.effects if isinstance(one, ImportEffect))
        if self.finished:
            # Each file that imports it asks again.
            self._imports = found
        return found

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

    def telling_jax(self) -> tuple[nodes.FunctionDef, ...]:
        """The functions in it that may tell JAX of a class."""
        if self._telling_jax is None:
            self._telling_jax = tuple(pytrees.functions_that_register(self.syntax))
        return self._telling_jax

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


def all_imported(modules: Iterable[Module]) -> Iterator[Module]:
    """The modules themselves, and all that they import, each once."""
    pending = list(modules)
    seen = set(map(id, pending))
    while pending:
        module = pending.pop()
        yield module
        for imported in module.imports():
            if id(imported) not in seen:
                seen.add(id(imported))
                pending.append(imported)
