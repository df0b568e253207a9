"""Import statements: the names that they bind, and what the imported modules register."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from plum_jit_lint.events import Step
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import DEEPEST_CALL
from plum_jit_lint.static.interpreter import bodies, exceptions, imported_modules, loaded_modules
from plum_jit_lint.static.interpreter.call_frames import CallFrame
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Imported,
    ModuleValue,
    Scope,
    Top,
    Value,
)
from plum_jit_lint.syntax import nodes

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module


def execute(run: Run, scope: Scope, node: nodes.Import | nodes.ImportFrom) -> bool:
    """An import statement: runs what it imports, and binds its names. Gives whether the program
    goes on behind it."""
    place = Place(scope.module.path, *node.at)
    path = origin(scope, node)
    found = run_module(run, scope, path, place)
    lazily: dict[str, Value] = {}
    for name, alias in node.names if isinstance(node, nodes.ImportFrom) else ():
        if isinstance(found, ModuleValue):
            module = found.module
            for one in [n for n, _ in module.public()] if name == "*" else [name]:
                # A name that the package binds to something else is no submodule.
                if isinstance(module.scope.own(one), ModuleValue | None):
                    run_module(run, scope, f"{path}.{one}", place)
            if name != "*" and isinstance(module.member(name), Top):
                # Python asks the module's own `__getattr__` last.
                lazily[alias or name] = run.get_attribute(found, name, place)
    for name, value in bound(scope, node):
        scope.bind(name, lazily.get(name, _of_reloaded(run, value)))
    if not isinstance(found, ModuleValue) and path.partition(".")[0] not in ALWAYS_THERE:
        if _is_missing(scope, path):
            exceptions.fail(run, "ModuleNotFoundError")
        exceptions.may_fail(run, "ModuleNotFoundError")
    return True


def _is_missing(scope: Scope, path: str) -> bool:
    """Whether a package that is read holds no such module, nor anything that is made into one (a
    compiled extension or its source)."""
    above, _, name = path.rpartition(".")
    package = scope.module.load(above) if above else TOP
    if not isinstance(package, ModuleValue) or package.module.scope.own("__path__") is not None:
        return False
    file = Path(package.module.path)
    # The parts of a namespace package need not lie side by side.
    return file.name == "__init__.py" and not any(
        one.stem.partition(".")[0] == name for one in file.parent.iterdir()
    )


ALWAYS_THERE = {*sys.stdlib_module_names, "jax", "jaxlib", "numpy", "plum"}
"""What every program can import of which anything is said here."""


def _of_reloaded(run: Run, value: Value) -> Value:
    """What an import binds, looked up at once where the module has run again."""
    if isinstance(value, Imported) and value.module in run.state.reloaded:
        module = run.state.reloaded[value.module]
        return ModuleValue(module) if value.name is None else module.member(value.name)
    return value


def origin(scope: Scope, node: nodes.Import | nodes.ImportFrom) -> str:
    """The full name of the module that an import statement names."""
    if isinstance(node, nodes.Import):
        return node.module
    return scope.module.absolute(node.level, node.module)


def run_module(run: Run, scope: Scope, name: str, place: Place) -> Value:
    """Imports a module by its full name: the packages above it run first."""
    parts = name.split(".")
    above = set(scope.module.lineage())
    found: Value = TOP
    for count in range(1, len(parts) + 1):
        part = ".".join(parts[:count])
        if part not in above or count == len(parts):
            found = scope.module.load(part)
        if isinstance(found, ModuleValue) and part not in above:
            found = ModuleValue(_loaded(run, found.module, place))
    return found


def _loaded(run: Run, module: Module, place: Place) -> Module:
    """What an import of a module gives. It runs where it is imported first, and again where it
    was taken out of `sys.modules`."""
    when = run.state.unloaded.get(module.name)
    if when is None:
        imported_modules.import_module(run, module, place)
        return run.state.reloaded.get(module.name, module)
    fresh = module.anew(module.name)
    with run.under(*when):
        loaded_modules.load(run, module.name, fresh)
        run_again(run, fresh, place)
    return fresh


def reload(run: Run, module: Module, place: Place) -> None:
    """`importlib.reload(module)`: it runs once more, in the names that it has."""
    loaded_modules.rewrite(run, module)
    run_again(run, module, place)


def run_again(run: Run, module: Module, place: Place) -> None:
    """Runs the statements of a module, at `place` of whoever asks for it."""
    if len(run.now.call_stack) > DEEPEST_CALL or any(s is module.scope for s in run.now.scopes):
        # It asks for itself.
        return
    frame = CallFrame("the module", [module.scope], None, place, Step(place, "the module"))
    with run.now.inside(frame):
        bodies.execute_each(run, module.scope, module.syntax.body)


def bound(scope: Scope, node: nodes.Import | nodes.ImportFrom) -> list[tuple[str, Value]]:
    """The names that an import binds."""
    module = scope.module
    if isinstance(node, nodes.Import):
        if node.alias is not None:
            return [(node.alias, Imported(node.module, None))]
        top = node.module.partition(".")[0]
        return [(top, Imported(top, None))]
    path = module.absolute(node.level, node.module)
    names: list[tuple[str, Value]] = []
    for name, alias in node.names:
        if name == "*":
            origin = module.load(path)
            if isinstance(origin, ModuleValue):
                names.extend(origin.module.public())
            else:
                module.stars.append(path)
        else:
            names.append((alias or name, Imported(path, name)))
    return names
