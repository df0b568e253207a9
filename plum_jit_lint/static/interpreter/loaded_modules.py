"""`sys.modules`: modules that are taken out of it, put into it, and run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plum_jit_lint.static.interpreter import imported_modules
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import Imported, Scope, Union, Value

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module


def loaded(run: Run, name: str) -> Module | None:
    """What `sys.modules` has under a name, as far as that is a module of the program."""
    imported_modules.flush(run)
    if name not in run.state.ran:
        return None
    found = (module for module in run.state.seen if module.name == name)
    return run.state.reloaded.get(name) or next(found, None)


def load(run: Run, name: str, module: Module) -> None:
    """`sys.modules[name] = module`."""
    imported_modules.flush(run)
    run.changed()
    run.state.unloaded.pop(name, None)
    run.state.ran.add(name)
    run.state.reloaded[name] = module
    run.state.seen[module] = None


def unload(run: Run, name: str) -> None:
    """`del sys.modules[name]`: from here on an import runs the module again."""
    module = loaded(run, name)
    if module is not None:
        look_imports_up(run, module)
        run.changed()
        run.state.ran.discard(name)
        run.state.unloaded[name] = run.state.path


def rewrite(run: Run, module: Module) -> None:
    """A module is to run again in its own names, which `names_as_before` gives back."""
    imported_modules.flush(run)
    look_imports_up(run, module)
    run.changed()
    run.state.rewritten.append((module.scope, dict(module.scope.names)))


def names_as_before(run: Run, count: int = 0) -> None:
    """All but the first `count` modules that ran again have the names that they had before:
    another file that is checked begins anew."""
    while len(run.state.rewritten) > count:
        scope, names = run.state.rewritten.pop()
        scope.names = dict(names)


def look_imports_up(run: Run, module: Module) -> None:
    """`from module import name` has bound what the name stood for then: whatever is not looked up
    yet is, before the module changes."""
    scopes = [one.scope for one in run.program.modules()]
    for scope in run.now.scopes:
        above: Scope | None = scope
        while above is not None:
            scopes.append(above)
            above = above.parent
    for scope in scopes:
        for name, value in list(scope.names.items()):
            if _is_imported_from(value, module.name):
                scope.own(name)


def _is_imported_from(value: Value, module: str) -> bool:
    several = value.alternatives if isinstance(value, Union) else (value,)
    return any(isinstance(one, Imported) and one.module == module for one in several)
