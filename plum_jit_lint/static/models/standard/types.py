"""Calls of `typing`."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.annotation_values import hint_of
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    Arguments,
    HintValue,
    Value,
)
from plum_jit_lint.static.models.common import Handler, same, second
from plum_jit_lint.static.types.hints import OpaqueHint


def _typevar(run: Run, arguments: Arguments, place: Place) -> Value:
    bound = arguments.keywords.get("bound")
    if bound is not None:
        return HintValue(OpaqueHint("a type variable", hint_of(bound, "?")), (bound,))
    return HintValue(OpaqueHint("a type variable"))


HANDLERS: Mapping[str, Handler] = {
    "typing.TypeVar": _typevar,
    "typing_extensions.TypeVar": _typevar,
    "typing.cast": second,
    "typing.override": same,
    "typing.final": same,
    "typing.no_type_check": same,
    "typing_extensions.override": same,
    "types.MappingProxyType": same,
    "enum.member": same,
}
