"""Calls into JAX that neither compile nor make arrays: pytrees, settings, caches."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge.jax import CALLBACKS, CONTEXTS_IN_KEY, FLAGS_IN_KEY, PYTREE_REGISTRARS
from plum_jit_lint.static.interpreter import literals, pytrees, settings, trace_table, trees
from plum_jit_lint.static.interpreter.inspection import abstract_key
from plum_jit_lint.static.interpreter.library_values import (
    ExportedFunction,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Manager,
    Value,
    array,
    scalar,
)
from plum_jit_lint.static.models.common import Handler, opaque, same
from plum_jit_lint.static.models.standard.wrappers import partial


def _pytree(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.tree_util.register_dataclass(cls, ...)` and its like; without a class it waits."""
    cls = arguments.get(0, "cls", "nodetype")
    pytrees.register_class(run, cls)
    return cls or TOP


def _tree_map(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.tree.map(f, tree, *rest)`: `f` of each leaf."""
    function, tree = arguments.get(0, "f"), arguments.get(1, "tree")
    if function is None or tree is None:
        return TOP
    others = [TOP] * max(0, len(arguments.positional) - 2)
    return trees.of_each(tree, lambda leaf: run.call(function, Arguments([leaf, *others]), place))


def _config_update(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.config.update(name, value)`: a trace is kept for one configuration."""
    given = arguments.get(0, "name")
    name = None if given is None else literals.literal(given)
    if name == "jax_disable_jit":
        settings.configure_jit(run, _switched(arguments.get(1, "val") or TOP))
    elif name in FLAGS_IN_KEY:
        trace_table.clear(run, None, place)
    return NONE


def _switched(value: Value) -> frozenset[bool | None]:
    """What a switch may be after it was set to a value."""
    known = literals.truth(value)
    return frozenset({True, False}) if known is None else frozenset({known})


def _exported(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.export.export(jitted)(x)` traces into the cache that the jitted function reads."""
    target = arguments.get(0, "fun_jit")
    return TOP if target is None else ExportedFunction(target)


def _clear_caches(run: Run, arguments: Arguments, place: Place) -> Value:
    trace_table.clear(run, None, place)
    return NONE


def _disable_jit(run: Run, arguments: Arguments, place: Place) -> Value:
    off = _switched(arguments.get(0, "disable") or scalar("bool", True))
    return Manager(lambda place: (NONE, settings.hold_jit(run, off)))


def _context(path: str) -> Handler:
    """A context manager that is part of the key of a trace."""

    def make(run: Run, arguments: Arguments, place: Place) -> Value:
        given = tuple(arguments.positional)
        value = None if given == (NONE,) else tuple(map(abstract_key, given))
        return Manager(lambda place: (TOP, settings.set_context(run, path, value)), given)

    return make


HANDLERS: Mapping[str, Handler] = {
    "jax.tree.map": _tree_map,
    "jax.tree_util.tree_map": _tree_map,
    "jax.tree_util.Partial": partial,
    **{f"jax.tree_util.{name}": _pytree for name in PYTREE_REGISTRARS},
    "jax.config.update": _config_update,
    "jax.clear_caches": _clear_caches,
    "jax.disable_jit": _disable_jit,
    **{path: _context(path) for path in CONTEXTS_IN_KEY},
    **dict.fromkeys(CALLBACKS, opaque),
    "jax.export.export": _exported,
    "jax.block_until_ready": same,
    "jax.device_put": same,
    "jax.lax.stop_gradient": same,
    "jax.ShapeDtypeStruct": lambda run, arguments, place: array(),
}
