"""Calls that run a module or a file: `importlib.reload`, `runpy`, and `sys.modules`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import imports, literals, loaded_modules, paths
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    MappingValue,
    ModuleValue,
    Value,
    namespace,
)
from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.syntax.walk import absolute_name

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module


def _reload(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0, "module")
    if isinstance(given, ModuleValue):
        imports.reload(run, given.module, place)
    return given or TOP


def _take_out(run: Run, arguments: Arguments, place: Place) -> Value:
    """`sys.modules.pop(name)`."""
    name = _text(arguments.get(0))
    found = None if name is None else loaded_modules.loaded(run, name)
    if name is None or found is None:
        return arguments.get(1) or TOP
    loaded_modules.unload(run, name)
    return ModuleValue(found)


def _look_up(run: Run, arguments: Arguments, place: Place) -> Value:
    """`sys.modules.get(name)`."""
    name = _text(arguments.get(0))
    found = None if name is None else loaded_modules.loaded(run, name)
    return TOP if found is None else ModuleValue(found)


def _run_path(run: Run, arguments: Arguments, place: Place) -> Value:
    """`runpy.run_path(path)`: the file runs in names of its own, each time."""
    text = paths.text_of(arguments.get(0, "path_name"))
    if text is None:
        return TOP
    module = _module_in(run, text)
    if module is None:
        return TOP
    return _executed(run, module, arguments.get(2, "run_name"), arguments, place)


def _module_in(run: Run, text: str) -> Module | None:
    """The first file that a path may mean, as a module that has not run."""
    found = (run.program.not_run(file, file.stem) for file in paths.files(run, text))
    return next((module for module in found if module is not None), None)


def _run_magic(run: Run, arguments: Arguments, place: Place) -> Value:
    """IPython's `%run path`: where the file fails, that is shown, and the names are those that it
    has by then."""
    text = paths.text_of(arguments.get(0, "path_name"))
    module = None if text is None else _module_in(run, text)
    if module is None:
        return TOP
    try:
        _executed(run, module, arguments.get(2, "run_name"), arguments, place)
    except Raised:
        run.now.frame.temporaries.clear()
    return namespace(module.scope.names, module.scope.serial)


def _run_module(run: Run, arguments: Arguments, place: Place) -> Value:
    """`runpy.run_module(name)`: the packages above it are imported, and it runs by itself."""
    name = _text(arguments.get(0, "mod_name"))
    if name is None:
        return TOP
    importer = run.now.scope.module
    file = _file_of(run, importer, name)
    if file is not None and file.name == "__init__.py":
        name = f"{name}.__main__"
        file = _file_of(run, importer, name)
    above = name.rpartition(".")[0]
    if above:
        imports.run_module(run, run.now.scope, above, place)
    module = None if file is None else run.program.not_run(file, name)
    if module is None:
        return TOP
    return _executed(run, module, arguments.get(2, "run_name"), arguments, place)


def _file_of(run: Run, importer: Module, name: str) -> Path | None:
    return run.program.places.place_of(name, importer.name, importer.neighbours)


def _executed(
    run: Run, module: Module, run_name: Value | None, arguments: Arguments, place: Place
) -> Value:
    module.is_root = _text(run_name) == "__main__"
    given = arguments.get(1, "init_globals")
    if isinstance(given, MappingValue):
        module.scope.names.update({str(name): value for name, value in given.items.items()})
    run.state.seen[module] = None
    imports.run_again(run, module, place)
    return namespace(module.scope.names, module.scope.serial)


def _text(value: Value | None) -> str | None:
    text = None if value is None or value == NONE else literals.literal(value)
    return text if isinstance(text, str) else None


def import_module(run: Run, arguments: Arguments, place: Place) -> Value:
    name = arguments.get(0, "name")
    text = None if name is None else literals.literal(name)
    if not isinstance(text, str):
        return TOP
    if text.startswith("."):
        package = arguments.get(1, "package")
        base = None if package is None else literals.literal(package)
        level = len(text) - len(text.lstrip("."))
        if not isinstance(base, str):
            return TOP
        text = absolute_name(base, True, level, text[level:])
    return imports.run_module(run, run.now.scope, text, place)


def _dunder_import(run: Run, arguments: Arguments, place: Place) -> Value:
    import_module(run, Arguments(arguments.positional[:1]), place)
    name = literals.literal(arguments.positional[0]) if arguments.positional else None
    top = name.partition(".")[0] if isinstance(name, str) else ""
    return run.now.scope.module.load(top) if top else TOP


HANDLERS: Mapping[str, Handler] = {
    "importlib.import_module": import_module,
    "builtins.__import__": _dunder_import,
    "importlib.reload": _reload,
    "sys.modules.pop": _take_out,
    "sys.modules.get": _look_up,
    "runpy.run_path": _run_path,
    "IPython.run_path": _run_magic,
    "runpy.run_module": _run_module,
}
