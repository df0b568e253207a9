"""Calls into libraries of which little is known: `lazy_loader`, `optax`."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import imports, literals
from plum_jit_lint.static.interpreter.library_values import (
    LazyAttributes,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    MappingValue,
    ModuleValue,
    SequenceValue,
    Value,
)
from plum_jit_lint.static.models.common import Handler, same


def _attach(run: Run, arguments: Arguments, place: Place) -> Value:
    """`lazy_loader.attach(package, submodules, submod_attrs)`: modules by attribute name."""
    scope = run.now.scope
    package = scope.module.name
    found: dict[str, str] = {}
    submodules = arguments.get(1, "submodules")
    if isinstance(submodules, SequenceValue):
        for one in submodules.items:
            name = literals.literal(one)
            if isinstance(name, str):
                found[name] = f"{package}.{name}"
    attributes = arguments.get(2, "submod_attrs")
    if isinstance(attributes, MappingValue):
        for module, names in attributes.items.items():
            for one in names.items if isinstance(names, SequenceValue) else ():
                name = literals.literal(one)
                if isinstance(name, str):
                    found[name] = f"{package}.{module}:{name}"
    return SequenceValue("tuple", [LazyAttributes(found), TOP, TOP])


def call_lazy_attributes(
    run: Run, attached: LazyAttributes, arguments: Arguments, place: Place
) -> Value:
    """The attribute of a package that `lazy_loader` imports when it is asked for."""
    name = arguments.get(0)
    key = None if name is None else literals.literal(name)
    if not isinstance(key, str) or key not in attached.targets:
        return TOP
    target = attached.targets[key]
    module, _, attribute = target.partition(":")
    found = imports.run_module(run, run.now.scope, module, place)
    if attribute and isinstance(found, ModuleValue):
        return found.module.member(attribute)
    return found


HANDLERS: Mapping[str, Handler] = {
    "lazy_loader.attach": _attach,
    "optax.apply_updates": same,
}
