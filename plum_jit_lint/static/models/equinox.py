"""Calls into Equinox that neither compile nor batch."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge.equinox import CALLBACKS
from plum_jit_lint.static.interpreter.library_values import (
    Sequential,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    SequenceValue,
    Value,
)
from plum_jit_lint.static.models.common import Handler, opaque, same, second
from plum_jit_lint.static.models.standard.objects import field


def _partition(run: Run, arguments: Arguments, place: Place) -> Value:
    """`equinox.partition(tree, ...)`: two trees of the same shape."""
    tree = arguments.get(0, "pytree") or TOP
    return SequenceValue("tuple", [tree, tree])


def _sequential(run: Run, arguments: Arguments, place: Place) -> Value:
    layers = arguments.get(0, "layers")
    return Sequential(layers) if isinstance(layers, SequenceValue) else TOP


def call_sequential(run: Run, model: Sequential, arguments: Arguments, place: Place) -> Value:
    """Calls the layers of an `equinox.nn.Sequential` one after the other."""
    result = arguments.get(0) or TOP
    for layer in model.layers.items:
        result = run.call(layer, Arguments([result]), place)
    return result


HANDLERS: Mapping[str, Handler] = {
    "equinox.tree_at": second,
    "equinox.partition": _partition,
    "equinox.combine": same,
    "equinox.filter": same,
    "equinox.apply_updates": same,
    "equinox.nn.Lambda": same,
    "equinox.nn.Sequential": _sequential,
    "equinox.field": field,
    **dict.fromkeys(CALLBACKS, opaque),
}
