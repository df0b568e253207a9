"""Attributes and calls of everything that the abstract run knows."""

from __future__ import annotations

from contextlib import suppress

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    arrays,
    attributes,
    choices,
    class_lookup,
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
from plum_jit_lint.static.interpreter.state import Raised, Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Bound,
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
    Operation,
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
from plum_jit_lint.static.models import (
    iterables,
    library,
    objects,
    patches,
    plum,
    standard_library,
    transforms,
)
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg

# -- calls -----------------------------------------------------------------------------------


def call(run: Run, callee: Value, arguments: Arguments, place: Place) -> Value:
    """`callee(arguments)`, called at `place`."""
    match callee:
        case Operation(FunctionValue() as function, "contextmanager"):
            return generators.of_generator(run, function, arguments)
        case Managed():
            return context_managers.call_managed(run, callee, arguments, place)
        case Builtin(work):
            return work(arguments, place)
        case Manager() | Instance() if context_managers.decorates(callee) and arguments.positional:
            first = arguments.positional[0]
            if isinstance(callee, Manager) and isinstance(first, ClassValue):
                return patches.decorate_tests(first, callee)
            return Managed(first, callee)
        case FunctionValue():
            return functions.call_function(run, callee, arguments, place)
        case Bound(function, receiver):
            positional = [receiver, *arguments.positional]
            inner = Arguments(
                positional, arguments.keywords, arguments.open, arguments.open_keywords
            )
            return run.call(function, inner, place)
        case Symbol(path):
            return library.call(run, path, arguments, place)
        case PlumFunction():
            return choices.call_dispatched(run, callee, arguments, place)
        case Jitted():
            return tracing.call_jitted(run, callee, arguments, place)
        case Wrapper():
            if run.differentiating:
                transforms.may_call_rules(run, callee, arguments, place)
            return transforms.call_wrapper(run, callee, arguments, place)
        case Partial(function, positional, keywords):
            inner = Arguments(
                [*positional, *arguments.positional],
                {**keywords, **arguments.keywords},
                arguments.open,
                arguments.open_keywords,
            )
            return run.call(function, inner, place)
        case ClassValue():
            meta = attributes.special(run, callee, "__call__", place)
            if meta is not None:
                return run.call(meta, arguments, place)
            return functions.construct(run, callee, arguments, place)
        case Instance():
            method = class_lookup.class_attribute(callee.cls, "__call__")
            if method is None:
                return TOP
            return run.call(run.bind(method, callee, place), arguments, place)
        case Memoised(target, known):
            key = (tuple(map(abstract_key, arguments.values())), tuple(arguments.keywords))
            if key not in known:
                known[key] = run.call(target, arguments, place)
            return known[key]
        case DispatcherValue() | Registrar():
            return registration.call_registrar(run, callee, arguments, place)
        case Operation(receiver, name):
            return _call_builtin_method(run, receiver, name, arguments, place)
        case Compiled():
            return tracing.use_compiled(run, callee, place)
        case Union(alternatives):
            results: list[Value] = []
            for conditions, one in zip(run.arms(len(alternatives)), alternatives, strict=True):
                with run.under(*conditions), suppress(Raised):
                    results.append(run.call(one, arguments, place))
            if not results:
                raise Raised
            return join(results)
        case Descriptor("staticmethod", inner):
            return run.call(inner, arguments, place)
    pytrees.perhaps_told(arguments.values())
    transforms.may_call(run, arguments, place)
    return TOP


def _call_builtin_method(
    run: Run, receiver: Value, name: str, arguments: Arguments, place: Place
) -> Value:
    """A call of a method of something that the run knows by itself."""
    first = arguments.get(0)
    if name == "wraps" and isinstance(first, FunctionValue):
        first.wraps = receiver
        return first
    if isinstance(receiver, Wrapper):
        if first is not None and name.startswith("def"):
            receiver.rules.extend((name, rule) for rule in arguments.positional)
            return first
        return TOP
    if isinstance(receiver, Partial):
        # A thread: it runs when it is started.
        return run.call(receiver, Arguments([]), place) if name == "start" else TOP
    if isinstance(receiver, Typed) and first is not None and name in ("submit", "map"):
        if name == "submit":
            return run.call(first, arguments.after(1), place)
        return iteration.expand(run, library.call(run, "builtins.map", arguments, place))
    if isinstance(receiver, ExitStack):
        return context_managers.call_method(run, receiver, name, arguments, place)
    if isinstance(receiver, Manager):
        return context_managers.operate_manager(run, receiver, name, place)
    if isinstance(receiver, Generator):
        return iterables.call_method(run, receiver, name, place)
    if isinstance(receiver, ClassValue) and name == "register" and isinstance(first, ClassValue):
        run.count_as(first, receiver)
        return first
    if isinstance(receiver, SequenceValue) and name in ("attrgetter", "itemgetter", "methodcaller"):
        return objects.call_method(run, receiver, name, arguments, place)
    if isinstance(receiver, SequenceValue) and name == "sequential":
        result = first or TOP
        for layer in receiver.items:
            result = run.call(layer, Arguments([result]), place)
        return result
    if name == "exported" and isinstance(receiver, Jitted):
        return tracing.call_method(run, receiver, "lower", arguments, place)
    if name == "attach" and isinstance(receiver, MappingValue) and first is not None:
        return standard_library.attached(run, receiver, first, place)
    if name == "conversion" and isinstance(receiver, SequenceValue) and first is not None:
        plum.register_conversion(run, receiver.items[0], receiver.items[1], first, place)
        return first
    match receiver:
        case DispatcherValue() | PlumFunction():
            return registration.call_method(run, receiver, name, arguments, place)
        case Jitted() | Lowered():
            return tracing.call_method(run, receiver, name, arguments, place)
        case Typed(ScalarArg(_, str() as text)):
            return known_values.of_text(text, name, arguments) or TOP
        case Typed(ArrayArg() as array):
            return arrays.method(array, name, arguments)
        case Operation(Typed(ArrayArg()) as array, "at"):
            # `x.at[i].set(y)` is another array like `x`.
            return TOP if name == "get" else array
        case SequenceValue():
            return containers.call_items(run, receiver, name, arguments, place)
        case MappingValue():
            return containers.call_dict(run, receiver, name, arguments)
        case Memoised() if name == "cache_clear":
            receiver.results.clear()
    return TOP
