"""What qualified names of other libraries stand for."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.events import FunctionId
from plum_jit_lint.knowledge import SAME
from plum_jit_lint.knowledge.plum import DISPATCHERS, MODULES, PREFIX
from plum_jit_lint.static.interpreter.values import (
    BoundBuiltin,
    DispatcherValue,
    PlumFunction,
    Registrar,
    Symbol,
    Value,
)


def symbol(dispatchers: Mapping[str, str], path: str) -> Value:
    """What a qualified name of another library stands for, with the dispatchers that are known."""
    path = canonical(path)
    if path in dispatchers:
        return DispatcherValue(dispatchers[path])
    owner, _, name = path.rpartition(".")
    if name in ("dispatch", "dispatch_multi") and "." in owner:
        # A dispatched function of another library: its methods are not seen.
        function = PlumFunction(FunctionId(owner, None, owner.rpartition(".")[2]), open=True)
        return Registrar(function) if name == "dispatch" else BoundBuiltin(function, name)
    return Symbol(path)


def canonical(path: str) -> str:
    """One name for what has several."""
    if path in SAME:
        return SAME[path]
    for prefix in MODULES:
        if path.startswith(f"{prefix}."):
            return f"{PREFIX}{path.rpartition('.')[2]}" if path not in DISPATCHERS else path
    return path
