"""Function objects of the program: making them, calling them, classes and their instances."""

from __future__ import annotations

from plum_jit_lint.events import Step
from plum_jit_lint.findings import Place
from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.run import calls, evaluate, statements
from plum_jit_lint.static.run.inspection import fingerprint
from plum_jit_lint.static.run.machine import DEEPEST_CALL, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ClassValue,
    Data,
    Func,
    Generator,
    Instance,
    Items,
    Scope,
    Super,
    Unknown,
    Value,
    join,
    keyword_items,
)


def make_function(run: Run, scope: Scope, definition: facts.FunctionDef | facts.Lambda) -> Func:
    """The function object that running a definition makes, undecorated."""
    name = definition.name if isinstance(definition, facts.FunctionDef) else "<lambda>"
    defaults = {
        parameter.name: evaluate.evaluate(run, scope, parameter.default)
        for parameter in definition.parameters
        if parameter.default is not None
    }
    return Func(definition, scope, name, scope.qualname + name, defaults)


def definition_place(function: Func) -> Place:
    """Where Python says that a function begins (`co_firstlineno`)."""
    definition = function.definition
    span = definition.place if isinstance(definition, facts.FunctionDef) else definition.at
    return Place(function.scope.module.path, *span)


def positional_parameters(function: Func) -> tuple[facts.Parameter, ...]:
    return tuple(p for p in function.definition.parameters if p.kind == "positional")


def call_function(run: Run, function: Func, arguments: Arguments, place: Place) -> Value:
    """Runs the body of a function of the program; what it returns."""
    definition = function.definition
    run.called.add(id(definition))
    if isinstance(definition, facts.FunctionDef) and definition.generator:
        return Generator(function, arguments, place)
    key = (function, tuple(map(fingerprint, arguments.values())), tuple(arguments.keywords))
    known = run.frames[-1].visited if run.frames else run.quiet
    if key in known:
        return known[key]
    returns = definition.returns if isinstance(definition, facts.FunctionDef) else None
    too_deep = len(run.active) >= DEEPEST_CALL or run.active.count(definition) >= MOST_NESTED
    if too_deep or run.calls_left <= 0:
        return evaluate.typed(run, function.scope, returns)
    run.calls_left -= 1
    if run.frames:
        # Until the result is known, a recursive call gives nothing new.
        known[key] = UNKNOWN
    happened = len(run.events)
    result = _run_body(run, function, arguments, place, returns)
    if run.frames or (len(run.events) == happened and isinstance(result, Data | Unknown)):
        known[key] = result
    return result


def expand(run: Run, value: Value) -> Value:
    """What is looped over: the body of a generator runs now, once."""
    if not isinstance(value, Generator):
        return value
    if value.result is None:
        value.result = UNKNOWN
        value.result = _run_body(run, value.function, value.arguments, value.place, None)
    return value.result


MOST_NESTED = 3
"""How often one definition may be active at once: decorators nest their wrappers."""


def _run_body(
    run: Run,
    function: Func,
    arguments: Arguments,
    place: Place,
    returns: facts.Annotation | None,
) -> Value:
    definition = function.definition
    scope = Scope(
        function.scope.module, "function", function.scope, f"{function.qualname}.<locals>."
    )
    _bind_parameters(run, function, arguments, scope)
    run.active.append(definition)
    run.stack.append(place)
    run.steps.append(Step(place, run.callers[-1]))
    run.callers.append(function.name)
    run.scopes.append(scope)
    run.returned.append([])
    run.yielded.append([])
    run.temporaries.append([])
    path = run.path
    result: Value = UNKNOWN
    try:
        if isinstance(definition, facts.Lambda):
            result = evaluate.evaluate(run, scope, definition.body)
        else:
            falls = statements.execute(run, scope, definition.body)
            results = [*run.returned[-1], *([NONE] if falls else [])]
            result = join(results)
            if result == UNKNOWN:
                result = evaluate.typed(run, function.scope, returns)
            if definition.generator:
                result = Items("list", run.yielded[-1], complete=False)
        return result
    finally:
        run.path = path
        run.scopes.pop()
        run.active.pop()
        run.stack.pop()
        run.steps.pop()
        run.callers.pop()
        run.returned.pop()
        run.yielded.pop()
        run.temporaries.pop()
        # Until the caller's statement is over, what was returned is still held.
        run.temporaries[-1].append(result)


def _bind_parameters(run: Run, function: Func, arguments: Arguments, scope: Scope) -> None:
    definition = function.definition
    if isinstance(definition, facts.FunctionDef):
        for name in definition.type_parameters:
            scope.names[name] = UNKNOWN
    left = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for parameter in definition.parameters:
        name = parameter.name
        if parameter.kind == "*":
            scope.names[name] = Items("tuple", left, complete=not arguments.open)
            left = []
        elif parameter.kind == "**":
            others: list[Value] = [UNKNOWN] if arguments.open_keywords else []
            scope.names[name] = keyword_items(keywords, others)
        elif parameter.kind == "positional" and left:
            scope.names[name] = left.pop(0)
        elif name in keywords:
            scope.names[name] = keywords.pop(name)
        elif name in function.defaults and not (arguments.open or arguments.open_keywords):
            scope.names[name] = function.defaults[name]
        else:
            scope.names[name] = UNKNOWN
        if scope.names[name] == UNKNOWN and parameter.kind in ("positional", "keyword-only"):
            scope.names[name] = evaluate.typed(run, function.scope, parameter.annotation)


def unknown_arguments(function: Func, receiver: Value | None) -> Arguments:
    """Arguments of which only the annotations tell anything."""
    count = len(positional_parameters(function))
    names = [p.name for p in function.definition.parameters if p.kind == "keyword-only"]
    positional: list[Value] = [UNKNOWN] * count
    if receiver is not None and positional:
        positional[0] = receiver
    return Arguments(positional, dict.fromkeys(names, UNKNOWN))


# -- classes ---------------------------------------------------------------------------------


def super_of(scope: Scope) -> Value:
    """What `super()` means in a method."""
    method: Scope | None = scope
    while method is not None and not (method.parent and method.parent.kind == "class"):
        method = method.parent
    if method is None or method.parent is None:
        return UNKNOWN
    cls = method.parent.names.get("__class__")
    receiver = next(iter(method.names.values()), UNKNOWN)
    return Super(cls, receiver) if isinstance(cls, ClassValue) else UNKNOWN


def field_names(cls: ClassValue) -> list[str]:
    """The fields of a dataclass in order, those of its bases first."""
    names: dict[str, None] = {}
    for base in cls.bases:
        if isinstance(base, ClassValue):
            names.update(dict.fromkeys(field_names(base)))
    names.update(dict.fromkeys(cls.annotated))
    return list(names)


def construct(run: Run, cls: ClassValue, arguments: Arguments, place: Place) -> Value:
    """A new instance: through `__init__` where the program defines one, else field by field."""
    instance = Instance(cls, {})
    init = calls.class_attribute(cls, "__init__")
    if init is not None:
        bound = calls.bind(run, init, instance, place)
        calls.call(run, bound, arguments, place)
        return instance
    names = field_names(cls)
    for name, value in zip(names, arguments.positional, strict=False):
        instance.attributes[name] = value
    instance.attributes.update(arguments.keywords)
    after = calls.class_attribute(cls, "__post_init__")
    if after is not None:
        calls.call(run, calls.bind(run, after, instance, place), Arguments([]), place)
    return instance


def annotated_field(run: Run, cls: ClassValue, name: str) -> Value | None:
    """What the annotation of a field tells of it."""
    if name in cls.annotated:
        return evaluate.typed(run, cls.scope, cls.annotated[name])
    for base in cls.bases:
        if isinstance(base, ClassValue):
            found = annotated_field(run, base, name)
            if found is not None:
                return found
    return None
