"""Attributes and calls of everything that the abstract run knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    arrays,
    attributes,
    choices,
    class_lookup,
    classes,
    containers,
    context_managers,
    functions,
    generators,
    iteration,
    known_values,
    pytrees,
    registration,
    tracing,
)
from plum_jit_lint.static.interpreter.inspection import abstract_key
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.library_values import (
    ArrayUpdater,
    Attrgetter,
    ContextManagerFunction,
    ConversionDecorator,
    ExportedFunction,
    FieldValue,
    FixtureValue,
    ForeignManager,
    FunctionTable,
    Itemgetter,
    LazyAttributes,
    Methodcaller,
    PathValue,
    Sequential,
    Suppress,
    WrapsDecorator,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Bound,
    BoundBuiltin,
    Builtin,
    ClassValue,
    Compiled,
    Descriptor,
    DispatcherValue,
    ExitStack,
    FunctionValue,
    Generator,
    Instance,
    Jitted,
    Lowered,
    Managed,
    Manager,
    MappingValue,
    Memoised,
    Partial,
    PlumFunction,
    Registrar,
    SequenceValue,
    Symbol,
    Typed,
    Union,
    Value,
    Wrapper,
    join,
)
from plum_jit_lint.static.models import equinox, library, others, plum
from plum_jit_lint.static.models.jax import transforms
from plum_jit_lint.static.models.pytest import patches
from plum_jit_lint.static.models.standard import iterables, objects, wrappers
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg

# -- calls -----------------------------------------------------------------------------------


def call(run: Run, callee: Value, arguments: Arguments, place: Place) -> Value:
    """`callee(arguments)`, called at `place`."""
    return CALLS.get(type(callee), _unknown)(run, callee, arguments, place)


def _unknown(run: Run, callee: Value, arguments: Arguments, place: Place) -> Value:
    pytrees.may_register_classes(arguments.values())
    transforms.may_call(run, arguments, place)
    return TOP


def _nothing(run: Run, callee: Value, arguments: Arguments, place: Place) -> Value:
    return TOP


def _context_manager_function(
    run: Run, callee: ContextManagerFunction, arguments: Arguments, place: Place
) -> Value:
    if isinstance(callee.function, FunctionValue):
        return generators.of_generator(run, callee.function, arguments)
    return TOP


def _builtin(run: Run, callee: Builtin, arguments: Arguments, place: Place) -> Value:
    return callee.work(arguments, place)


def _manager(run: Run, callee: Manager, arguments: Arguments, place: Place) -> Value:
    if not arguments.positional:
        return _unknown(run, callee, arguments, place)
    first = arguments.positional[0]
    if isinstance(first, ClassValue):
        return patches.decorate_tests(first, callee)
    return Managed(first, callee)


def _bound(run: Run, callee: Bound, arguments: Arguments, place: Place) -> Value:
    inner = Arguments(
        [callee.receiver, *arguments.positional],
        arguments.keywords,
        arguments.open,
        arguments.open_keywords,
    )
    return run.call(callee.function, inner, place)


def _symbol(run: Run, callee: Symbol, arguments: Arguments, place: Place) -> Value:
    return library.call(run, callee.path, arguments, place)


def _wrapper(run: Run, callee: Wrapper, arguments: Arguments, place: Place) -> Value:
    if run.now.differentiating:
        transforms.may_call_rules(run, callee, arguments, place)
    return transforms.call_wrapper(run, callee, arguments, place)


def _partial(run: Run, callee: Partial, arguments: Arguments, place: Place) -> Value:
    inner = Arguments(
        [*callee.positional, *arguments.positional],
        {**callee.keywords, **arguments.keywords},
        arguments.open,
        arguments.open_keywords,
    )
    return run.call(callee.function, inner, place)


def _class(run: Run, callee: ClassValue, arguments: Arguments, place: Place) -> Value:
    meta = attributes.special(run, callee, "__call__", place)
    if meta is not None:
        return run.call(meta, arguments, place)
    return functions.construct(run, callee, arguments, place)


def _instance(run: Run, callee: Instance, arguments: Arguments, place: Place) -> Value:
    if context_managers.decorates(callee) and arguments.positional:
        return Managed(arguments.positional[0], callee)
    method = class_lookup.class_attribute(callee.cls, "__call__")
    if method is None:
        return TOP
    return run.call(run.bind(method, callee, place), arguments, place)


def _memoised(run: Run, callee: Memoised, arguments: Arguments, place: Place) -> Value:
    key = (tuple(map(abstract_key, arguments.values())), tuple(arguments.keywords))
    if key not in callee.results:
        callee.results[key] = run.call(callee.target, arguments, place)
    return callee.results[key]


def _bound_builtin(run: Run, callee: BoundBuiltin, arguments: Arguments, place: Place) -> Value:
    method = METHODS.get(type(callee.receiver))
    return TOP if method is None else method(run, callee.receiver, callee.name, arguments, place)


def _compiled(run: Run, callee: Compiled, arguments: Arguments, place: Place) -> Value:
    return tracing.use_compiled(run, callee, place)


def _union(run: Run, callee: Union, arguments: Arguments, place: Place) -> Value:
    results: list[Value] = []
    alternatives = callee.alternatives
    for conditions, one in zip(run.branch_ids.one_of(len(alternatives)), alternatives, strict=True):
        with run.under(*conditions), suppress(Raised):
            results.append(run.call(one, arguments, place))
    if not results:
        raise Raised
    return join(results)


def _descriptor(run: Run, callee: Descriptor, arguments: Arguments, place: Place) -> Value:
    if callee.kind == "staticmethod":
        return run.call(callee.value, arguments, place)
    return _unknown(run, callee, arguments, place)


def _exported(run: Run, callee: ExportedFunction, arguments: Arguments, place: Place) -> Value:
    if isinstance(callee.function, Jitted):
        return tracing.call_method(run, callee.function, "lower", arguments, place)
    return TOP


# A handler takes the one type that it stands under.
CALLS: Mapping[type, Callable[[Run, Any, Arguments, Place], Value]] = {
    FunctionValue: functions.call_function,
    Bound: _bound,
    Symbol: _symbol,
    PlumFunction: choices.call_dispatched,
    Jitted: tracing.call_jitted,
    Wrapper: _wrapper,
    Partial: _partial,
    ClassValue: _class,
    Instance: _instance,
    Builtin: _builtin,
    BoundBuiltin: _bound_builtin,
    Union: _union,
    Memoised: _memoised,
    DispatcherValue: registration.call_registrar,
    Registrar: registration.call_registrar,
    Compiled: _compiled,
    Descriptor: _descriptor,
    Manager: _manager,
    Managed: context_managers.call_managed,
    ContextManagerFunction: _context_manager_function,
    WrapsDecorator: wrappers.call_wraps_decorator,
    Attrgetter: objects.call_attrgetter,
    Itemgetter: objects.call_itemgetter,
    Methodcaller: objects.call_methodcaller,
    LazyAttributes: others.call_lazy_attributes,
    ConversionDecorator: plum.call_conversion_decorator,
    ExportedFunction: _exported,
    Sequential: equinox.call_sequential,
    # Python raises where these are called.
    PathValue: _nothing,
    Suppress: _nothing,
    ForeignManager: _nothing,
    FieldValue: _nothing,
    FixtureValue: _nothing,
    FunctionTable: _nothing,
    ArrayUpdater: _nothing,
}


# -- methods ---------------------------------------------------------------------------------


def _of_wrapper(
    run: Run, receiver: Wrapper, name: str, arguments: Arguments, place: Place
) -> Value:
    first = arguments.get(0)
    if first is None or not name.startswith("def"):
        return TOP
    receiver.rules.extend((name, rule) for rule in arguments.positional)
    return first


def _of_partial(
    run: Run, receiver: Partial, name: str, arguments: Arguments, place: Place
) -> Value:
    # A thread: it runs when it is started.
    return run.call(receiver, Arguments([]), place) if name == "start" else TOP


def _of_typed(run: Run, receiver: Typed, name: str, arguments: Arguments, place: Place) -> Value:
    first = arguments.get(0)
    if name == "submit" and first is not None:
        return run.call(first, arguments.after(1), place)
    if name == "map" and first is not None:
        return iteration.expand(run, library.call(run, "builtins.map", arguments, place))
    match receiver.argument:
        case ScalarArg(_, str() as text):
            return known_values.of_text(text, name, arguments) or TOP
        case ArrayArg() as array:
            return arrays.method(array, name, arguments)
    return TOP


def _of_class(
    run: Run, receiver: ClassValue, name: str, arguments: Arguments, place: Place
) -> Value:
    first = arguments.get(0)
    if name != "register" or not isinstance(first, ClassValue):
        return TOP
    classes.count_as(run, first, receiver)
    return first


def _of_array_updater(
    run: Run, receiver: ArrayUpdater, name: str, arguments: Arguments, place: Place
) -> Value:
    # `x.at[i].set(y)` is another array like `x`.
    return TOP if name == "get" else receiver.array


def _of_memoised(
    run: Run, receiver: Memoised, name: str, arguments: Arguments, place: Place
) -> Value:
    if name == "cache_clear":
        receiver.results.clear()
    return TOP


METHODS: Mapping[type, Callable[[Run, Any, str, Arguments, Place], Value]] = {
    Wrapper: _of_wrapper,
    Partial: _of_partial,
    Typed: _of_typed,
    ExitStack: context_managers.call_method,
    Manager: context_managers.call_manager_method,
    Generator: iterables.call_method,
    ClassValue: _of_class,
    DispatcherValue: registration.call_method,
    PlumFunction: registration.call_method,
    Jitted: tracing.call_method,
    Lowered: tracing.call_method,
    ArrayUpdater: _of_array_updater,
    SequenceValue: containers.call_items,
    MappingValue: containers.call_dict,
    Memoised: _of_memoised,
}
"""Methods of what the run knows by itself, by what they are methods of."""
