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
    registration,
    tracing,
)
from plum_jit_lint.static.interpreter.inspection import fingerprint
from plum_jit_lint.static.interpreter.state import Raised, Run
from plum_jit_lint.static.interpreter.values import (
    UNKNOWN,
    Arguments,
    Bound,
    Builtin,
    ClassValue,
    Compiled,
    Data,
    Descriptor,
    DictItems,
    DispatcherValue,
    ExitStack,
    Func,
    Generator,
    Instance,
    Items,
    Jitted,
    Lowered,
    Managed,
    Manager,
    Memoised,
    OneOf,
    Operation,
    Partial,
    PlumFunction,
    Registrar,
    Symbol,
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
        case Operation(Func() as function, "contextmanager"):
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
        case Func():
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
                return UNKNOWN
            return run.call(run.bind(method, callee, place), arguments, place)
        case Memoised(target, known):
            key = (tuple(map(fingerprint, arguments.values())), tuple(arguments.keywords))
            if key not in known:
                known[key] = run.call(target, arguments, place)
            return known[key]
        case DispatcherValue() | Registrar():
            return registration.call_registrar(run, callee, arguments, place)
        case Operation(receiver, name):
            return _operate(run, receiver, name, arguments, place)
        case Compiled():
            return tracing.use_compiled(run, callee, place)
        case OneOf(alternatives):
            results: list[Value] = []
            for conditions, one in zip(run.arms(len(alternatives)), alternatives, strict=True):
                with run.under(*conditions), suppress(Raised):
                    results.append(run.call(one, arguments, place))
            if not results:
                raise Raised
            return join(results)
        case Descriptor("staticmethod", inner):
            return run.call(inner, arguments, place)
    transforms.may_call(run, arguments, place)
    return UNKNOWN


def _operate(run: Run, receiver: Value, name: str, arguments: Arguments, place: Place) -> Value:
    """A call of a method of something that the run knows by itself."""
    first = arguments.get(0)
    if name == "wraps" and isinstance(first, Func):
        first.wraps = receiver
        return first
    if isinstance(receiver, Wrapper):
        if first is not None and name.startswith("def"):
            receiver.rules.extend((name, rule) for rule in arguments.positional)
            return first
        return UNKNOWN
    if isinstance(receiver, Partial):
        # A thread: it runs when it is started.
        return run.call(receiver, Arguments([]), place) if name == "start" else UNKNOWN
    if isinstance(receiver, Data) and first is not None and name in ("submit", "map"):
        if name == "submit":
            return run.call(first, arguments.after(1), place)
        return iteration.expand(run, library.call(run, "builtins.map", arguments, place))
    if isinstance(receiver, ExitStack):
        return context_managers.operate(run, receiver, name, arguments, place)
    if isinstance(receiver, Manager):
        return context_managers.operate_manager(run, receiver, name, place)
    if isinstance(receiver, Generator):
        return iterables.operate(run, receiver, name, place)
    if isinstance(receiver, ClassValue) and name == "register" and isinstance(first, ClassValue):
        run.count_as(first, receiver)
        return first
    if isinstance(receiver, Items) and name in ("attrgetter", "itemgetter", "methodcaller"):
        return objects.operate(run, receiver, name, arguments, place)
    if isinstance(receiver, Items) and name == "sequential":
        result = first or UNKNOWN
        for layer in receiver.items:
            result = run.call(layer, Arguments([result]), place)
        return result
    if name == "exported" and isinstance(receiver, Jitted):
        return tracing.operate(run, receiver, "lower", arguments, place)
    if name == "attach" and isinstance(receiver, DictItems) and first is not None:
        return standard_library.attached(run, receiver, first, place)
    if name == "conversion" and isinstance(receiver, Items) and first is not None:
        plum.register_conversion(run, receiver.items[0], receiver.items[1], first, place)
        return first
    match receiver:
        case DispatcherValue() | PlumFunction():
            return registration.operate(run, receiver, name, arguments, place)
        case Jitted() | Lowered():
            return tracing.operate(run, receiver, name, arguments, place)
        case Data(ScalarArg(_, str() as text)):
            return known_values.of_text(text, name, arguments) or UNKNOWN
        case Data(ArrayArg() as array):
            return arrays.method(array, name, arguments)
        case Operation(Data(ArrayArg()) as array, "at"):
            # `x.at[i].set(y)` is another array like `x`.
            return UNKNOWN if name == "get" else array
        case Items():
            return containers.call_items(run, receiver, name, arguments, place)
        case DictItems():
            return containers.call_dict(run, receiver, name, arguments)
        case Memoised() if name == "cache_clear":
            receiver.results.clear()
    return UNKNOWN
