"""Function objects of the program: making them, calling them, classes and their instances."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from plum_jit_lint.events import Step
from plum_jit_lint.findings import Place
from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.run import (
    attributes,
    calls,
    containers,
    evaluate,
    statements,
    suspended,
)
from plum_jit_lint.static.run.inspection import fingerprint
from plum_jit_lint.static.run.machine import DEEPEST_CALL, Raised, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ClassValue,
    Data,
    DictItems,
    Func,
    Generator,
    Instance,
    Items,
    Operation,
    Scope,
    Super,
    Unknown,
    Value,
    join,
    keyword_items,
    scalar,
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
    if isinstance(definition, facts.FunctionDef) and (definition.generator or definition.coroutine):
        held = (function, *arguments.values())
        scope = body_scope(run, function, arguments)
        suspension = None
        if definition.generator:
            suspension = suspended.Suspension(run, function, scope, place)
        work = partial(run_body, run, function, scope, place, None)
        return Generator(work, held, suspension=suspension)
    key = (function, tuple(map(fingerprint, arguments.values())), tuple(arguments.keywords))
    known = run.frames[-1].visited if run.frames else run.quiet
    if key in known and known[key][1] <= run.path:
        return known[key][0]
    returns = definition.returns if isinstance(definition, facts.FunctionDef) else None
    too_deep = (
        len(run.active) >= DEEPEST_CALL
        or run.active.count(function) >= MOST_RECURSIVE
        or sum(one.definition is definition for one in run.active) >= MOST_NESTED
    )
    if too_deep or run.calls_left <= 0:
        return evaluate.typed(run, function.scope, returns)
    run.calls_left -= 1
    path, version = run.path, run.version
    if run.frames:
        # Until the result is known, a recursive call gives nothing new.
        known[key] = (UNKNOWN, path)
    scope = body_scope(run, function, arguments)
    result = run_body(run, function, scope, place, returns)
    if run.frames:
        run.frames[-1].visited[key] = (result, path)
    elif run.version == version and isinstance(result, Data | Unknown):
        run.quiet[key] = (result, path)
    return result


def expand(run: Run, value: Value) -> Value:
    """What is looped over: the body of a generator runs now, once."""
    if isinstance(value, Instance) and containers.is_named_tuple(value.cls):
        return containers.as_tuple(value)
    if isinstance(value, Instance):
        return _iterated(run, value)
    if isinstance(value, ClassValue) and attributes.is_enum(value):
        return Items("list", attributes.enum_members(value))
    if not isinstance(value, Generator):
        return value
    if value.result is None:
        value.result = UNKNOWN
        begun = value.suspension is not None and value.suspension.begun
        value.result = value.suspension.rest() if begun else value.work()  # type: ignore[union-attr]
    return value.result


def _iterated(run: Run, value: Instance) -> Value:
    """What a loop over an object of the program goes through: by `__iter__`, by `__next__` or
    by `__getitem__`; of the last two the first members."""
    found = attributes.class_attribute(value.cls, "__iter__")
    if found is not None:
        home = Place(value.cls.scope.module.path, 1, 1, 1, 1)
        place = run.stack[-1] if run.stack else home
        place = definition_place(found) if isinstance(found, Func) else place
        given = calls.call(run, attributes.bind(run, found, value, place), Arguments([]), place)
        if not isinstance(given, Instance):
            return expand(run, given)
        value = given
    for name in ("__next__", "__getitem__"):
        method = attributes.class_attribute(value.cls, name)
        if isinstance(method, Func):
            return Items("list", _first_members(run, value, method), complete=False, alike=True)
    return value


def _first_members(run: Run, value: Instance, method: Func) -> list[Value]:
    place = definition_place(method)
    found: list[Value] = []
    for number in range(2):
        index = [scalar("int", number)] if method.name == "__getitem__" else []
        try:
            found.append(call_function(run, method, Arguments([value, *index]), place))
        except Raised:
            break
    return found


MOST_RECURSIVE = 2
"""How often one function may be active at once."""

MOST_NESTED = 12
"""How often one definition may be active at once: decorators nest their wrappers."""


def body_scope(run: Run, function: Func, arguments: Arguments) -> Scope:
    """The scope of a call, with its parameters bound."""
    scope = Scope(
        function.scope.module, "function", function.scope, f"{function.qualname}.<locals>."
    )
    _bind_parameters(run, function, arguments, scope)
    return scope


def run_body(
    run: Run,
    function: Func,
    scope: Scope,
    place: Place,
    returns: facts.Annotation | None,
    part: Callable[[], bool] | None = None,
) -> Value:
    """Runs the body of a function, or a `part` of it, which tells whether it falls out at its
    end."""
    definition = function.definition
    if len(run.active) > DEEPEST_CALL or run.active.count(function) > MOST_RECURSIVE:
        # A generator that yields from itself is only met here.
        return UNKNOWN
    run.active.append(function)
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
            try:
                falls = statements.execute(run, scope, definition.body) if part is None else part()
            except Raised:
                # It may have returned on another way before it would raise on this one.
                if not run.returned[-1]:
                    raise
                falls = False
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


def mro(cls: ClassValue) -> list[ClassValue]:
    """The classes of the program in the order in which Python looks attributes up."""
    order = [cls]
    while len(bases := _known_bases(order[-1])) == 1:
        order += bases
    rows = [mro(base) for base in bases]
    rows.append(bases)
    while rows := [row for row in rows if row]:
        heads = (row[0] for row in rows if not any(row[0] in other[1:] for other in rows))
        # Python refuses a hierarchy without an order; any will do here.
        head = next(heads, rows[0][0])
        order.append(head)
        rows = [[one for one in row if one is not head] for row in rows]
    return order


def _known_bases(cls: ClassValue) -> list[ClassValue]:
    return [base for base in cls.bases if isinstance(base, ClassValue)]


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
    if attributes.is_enum(cls) and arguments.positional and not arguments.open:
        members = attributes.enum_members(cls)
        wanted = containers.key_of(arguments.positional[0])
        found = [m for m in members if containers.key_of(_value_of(m)) == wanted is not None]
        return found[0] if found else join(members)
    new = attributes.class_attribute(cls, "__new__")
    instance: Value = Instance(cls, {})
    if isinstance(new, Func):
        made = Arguments([cls, *arguments.positional], arguments.keywords)
        instance = calls.call(run, new, made, place)
        if not isinstance(instance, Instance) or instance.cls is not cls:
            return instance
    assert isinstance(instance, Instance)
    init = attributes.class_attribute(cls, "__init__")
    if init is not None:
        bound = attributes.bind(run, init, instance, place)
        calls.call(run, bound, arguments, place)
        return instance
    if isinstance(new, Func):
        return instance
    names = field_names(cls)
    for name, value in zip(names, arguments.positional, strict=False):
        instance.attributes[name] = value
    instance.attributes.update(arguments.keywords)
    for name in names:
        _finish_field(run, instance, name, place)
    after = attributes.class_attribute(cls, "__post_init__")
    if after is not None:
        calls.call(run, attributes.bind(run, after, instance, place), Arguments([]), place)
    return instance


def _value_of(member: Value) -> Value:
    return member.attributes["value"] if isinstance(member, Instance) else UNKNOWN


def _finish_field(run: Run, instance: Instance, name: str, place: Place) -> None:
    """`field(default_factory=...)` and `eqx.field(converter=...)`."""
    described = attributes.class_attribute(instance.cls, name)
    if not isinstance(described, Operation) or described.name != "field":
        return
    options = described.receiver.items if isinstance(described.receiver, DictItems) else {}
    if name not in instance.attributes:
        if "default_factory" in options:
            made = calls.call(run, options["default_factory"], Arguments([]), place)
            instance.attributes[name] = made
        elif "default" in options:
            instance.attributes[name] = options["default"]
    if "converter" in options and name in instance.attributes:
        given = Arguments([instance.attributes[name]])
        instance.attributes[name] = calls.call(run, options["converter"], given, place)


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
