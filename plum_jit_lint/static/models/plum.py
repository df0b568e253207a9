"""Calls into plum: dispatchers, signatures, overloads, conversions and promotions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from plum_jit_lint.events import FunctionId
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import choices, literals, method_tables, registration
from plum_jit_lint.static.interpreter.annotation_values import hint_of
from plum_jit_lint.static.interpreter.inspection import function_under, name_of
from plum_jit_lint.static.interpreter.library_values import ConversionDecorator
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    CONVERT,
    NONE,
    PROMOTE,
    TOP,
    Arguments,
    ClassValue,
    DispatcherValue,
    FunctionValue,
    Instance,
    PlumFunction,
    SequenceValue,
    SignatureValue,
    Symbol,
    Value,
)
from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.static.types.hints import InstanceArg, ScalarArg, describe


def _home(place: Place) -> str:
    """Where an object is made, the same for every way to the file."""
    return f"{os.path.realpath(place.path)}:{place.line}:{place.column}"


def _dispatcher(run: Run, arguments: Arguments, place: Place) -> Value:
    # A factory makes another one at each call.
    again = f"#{run.program.next_number()}" if run.now.functions else ""
    return DispatcherValue(f"{_home(place)}{again}")


def _function(run: Run, arguments: Arguments, place: Place) -> Value:
    """`plum.Function(f)`: a dispatched function that no dispatcher knows."""
    method = arguments.get(0, "f")
    name = None if method is None else name_of(method)
    home = _home(place)
    function = FunctionId(home, None, name or "a function")
    method_tables.create(
        run, function, registration.parameter_names(function_under(method) if method else None)
    )
    return PlumFunction(function)


def _signature(run: Run, arguments: Arguments, place: Place) -> Value:
    precedence = arguments.keywords.get("precedence")
    level = None if precedence is None else literals.literal(precedence)
    return SignatureValue(
        tuple(arguments.positional),
        arguments.keywords.get("varargs"),
        level if isinstance(level, int) else None,
    )


def _overload(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0)
    if isinstance(function, FunctionValue):
        key = (function.scope.module.name, function.qualname)
        known = run.state.overloads.get(key, ())
        # The same definition run again takes its own place (a loop, a reload).
        others = [one for one in known if one[0].definition is not function.definition]
        run.state.overloads[key] = (*others, (function, run.state.path))
    return function or TOP


def _parametric(run: Run, arguments: Arguments, place: Place) -> Value:
    cls = arguments.get(0)
    if isinstance(cls, ClassValue):
        cls.scope.names["__plum_parametric__"] = NONE
    return cls or Symbol("plum.parametric")


def _add_conversion(run: Run, arguments: Arguments, place: Place) -> Value:
    of, to, method = (arguments.get(i, n) for i, n in enumerate(("type_from", "type_to", "f")))
    if of is not None and to is not None and method is not None:
        register_conversion(run, of, to, method, place)
    return NONE


def _conversion_method(run: Run, arguments: Arguments, place: Place) -> Value:
    of, to = arguments.get(0, "type_from"), arguments.get(1, "type_to")
    if of is None or to is None:
        return TOP
    return ConversionDecorator(of, to)


def call_conversion_decorator(
    run: Run, decorator: ConversionDecorator, arguments: Arguments, place: Place
) -> Value:
    """Registers what `@conversion_method(of, to)` decorates, and gives it back."""
    method = arguments.get(0)
    if method is None:
        return TOP
    register_conversion(run, decorator.of, decorator.to, method, place)
    return method


def register_conversion(run: Run, of: Value, to: Value, method: Value, place: Place) -> None:
    """A conversion is a method of plum's own function, which every return annotation asks."""
    types = (hint_of(of, "?"), hint_of(to, "?"))
    label = f"the conversion from {describe(types[0])} to {describe(types[1])}"
    registration.register_rule(run, CONVERT, (types,), label, method, place)


def _add_promotion(run: Run, arguments: Arguments, place: Place) -> Value:
    names = ("type1", "type2", "type_to")
    first, second, to = (arguments.get(i, n) for i, n in enumerate(names))
    if first is not None and second is not None and to is not None:
        types = (hint_of(first, "?"), hint_of(second, "?"))
        label = f"the promotion rule for {describe(types[0])} and {describe(types[1])}"
        both = (types,) if types[0] == types[1] else (types, types[::-1])
        registration.register_rule(run, PROMOTE, both, label, to, place)
    return NONE


def _convert(run: Run, arguments: Arguments, place: Place) -> Value:
    value, to = arguments.get(0, "obj"), arguments.get(1, "type_to")
    if value is None or to is None:
        return TOP
    return choices.convert(run, value, to, hint_of(to, "?"), place)


def _promote(run: Run, arguments: Arguments, place: Place) -> Value:
    """`plum.promote(a, b)`: each is converted to the type that the rule for both names."""
    values = arguments.positional
    if len(values) != 2 or arguments.open:
        return TOP
    given = tuple(map(choices.type_given, values))
    chosen = choices.choose(run, PlumFunction(PROMOTE, open=True), given, place)
    if len(chosen) > 1:
        return TOP
    to = chosen[0].body if chosen else _wider(run, values)
    if to is None:
        same_type = given[0] == given[1] and isinstance(given[0], InstanceArg | ScalarArg)
        return SequenceValue("tuple", list(values)) if same_type else TOP
    hint = hint_of(to, "?")
    return SequenceValue(
        "tuple", [choices.convert(run, value, to, hint, place) for value in values]
    )


def _wider(run: Run, values: Sequence[Value]) -> ClassValue | None:
    """The class of one of two objects that the other is of as well."""
    first, second = values
    if not (isinstance(first, Instance) and isinstance(second, Instance)):
        return None
    if run.state.oracle.below(first.cls.cls, second.cls.cls):
        return second.cls
    return first.cls if run.state.oracle.below(second.cls.cls, first.cls.cls) else None


HANDLERS: Mapping[str, Handler] = {
    "typing.overload": _overload,
    "typing_extensions.overload": _overload,
    "plum.Dispatcher": _dispatcher,
    "plum.Function": _function,
    "plum.Signature": _signature,
    "plum.overload": _overload,
    "plum.parametric": _parametric,
    "plum.add_conversion_method": _add_conversion,
    "plum.conversion_method": _conversion_method,
    "plum.add_promotion_rule": _add_promotion,
    "plum.convert": _convert,
    "plum.promote": _promote,
}
