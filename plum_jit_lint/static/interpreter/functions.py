"""Function objects of the program: making them, calling them, classes and their instances."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from plum_jit_lint.findings import Place
from plum_jit_lint.limits import DEEPEST_CALL, MOST_COUNTED, MOST_NESTED, MOST_RECURSIVE
from plum_jit_lint.static.interpreter import annotation_values, class_lookup, generators, literals
from plum_jit_lint.static.interpreter.bodies import body_scope, run_body
from plum_jit_lint.static.interpreter.class_lookup import field_names
from plum_jit_lint.static.interpreter.inspection import abstract_key
from plum_jit_lint.static.interpreter.library_values import FieldValue
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    FunctionValue,
    Generator,
    Instance,
    Top,
    Typed,
    Value,
    join,
)
from plum_jit_lint.static.types.hints import ScalarArg
from plum_jit_lint.syntax import nodes


def call_function(run: Run, function: FunctionValue, arguments: Arguments, place: Place) -> Value:
    """Runs the body of a function of the program; what it returns."""
    definition = function.definition
    run.called.add(id(definition))
    if isinstance(definition, nodes.FunctionDef) and (definition.generator or definition.coroutine):
        held = (function, *arguments.values())
        scope = body_scope(run, function, arguments)
        suspension = None
        if definition.generator:
            suspension = generators.Suspension(run, function, scope, place)
        work = partial(run_body, run, function, scope, place, None)
        return Generator(work, held, suspension=suspension)
    active = run.now.functions.count(function)
    if active == MOST_COUNTED:
        # It need not count to its end: from here on it may go either way.
        arguments = _uncounted(arguments)
    key = (function, tuple(map(abstract_key, arguments.values())), tuple(arguments.keywords))
    counts = any(map(_is_number, arguments.values())) and key not in run.now.keys_of_calls
    known = run.now.open_traces[-1].summaries if run.now.open_traces else run.summaries
    if key in known and known[key][1] <= run.state.path:
        return known[key][0]
    returns = definition.returns if isinstance(definition, nodes.FunctionDef) else None
    too_deep = (
        len(run.now.functions) >= DEEPEST_CALL
        or active > MOST_COUNTED
        or (active >= MOST_RECURSIVE and not counts and active != MOST_COUNTED)
        or sum(one.definition is definition for one in run.now.functions) >= MOST_NESTED
    )
    if run.calls_left <= 0:
        run.not_followed("it makes more calls than are followed")
    if too_deep or run.calls_left <= 0:
        return annotation_values.typed(run, function.scope, returns)
    run.calls_left -= 1
    path, version = run.state.path, run.version
    if run.now.open_traces:
        # Until the result is known, a recursive call gives nothing new.
        known[key] = (TOP, path)
    scope = body_scope(run, function, arguments)
    run.now.keys_of_calls.append(key)
    try:
        result = run_body(run, function, scope, place, returns)
    finally:
        run.now.keys_of_calls.pop()
    if run.now.open_traces:
        run.now.open_traces[-1].summaries[key] = (result, path)
    elif run.version == version and isinstance(result, Typed | Top):
        run.summaries[key] = (result, path)
    return result


def _is_number(value: Value) -> bool:
    return isinstance(literals.literal(value), int | float)


def _uncounted(arguments: Arguments) -> Arguments:
    """The arguments with numbers of which no more than the type is known."""

    def typed(value: Value) -> Value:
        if isinstance(value, Typed) and isinstance(value.argument, ScalarArg):
            return Typed(replace(value.argument, value=None))
        return value

    keywords = {name: typed(value) for name, value in arguments.keywords.items()}
    return replace(arguments, positional=[*map(typed, arguments.positional)], keywords=keywords)


# -- classes ---------------------------------------------------------------------------------


def construct(run: Run, cls: ClassValue, arguments: Arguments, place: Place) -> Value:
    """A new instance: through `__init__` where the program defines one, else field by field."""
    if class_lookup.is_enum(cls) and arguments.positional and not arguments.open:
        members = class_lookup.enum_members(cls)
        wanted = literals.key_of(arguments.positional[0])
        found = [m for m in members if literals.key_of(_value_of(m)) == wanted is not None]
        return found[0] if found else join(members)
    new = class_lookup.class_attribute(cls, "__new__")
    instance: Value = Instance(cls, {})
    if isinstance(new, FunctionValue):
        made = Arguments([cls, *arguments.positional], arguments.keywords)
        instance = run.call(new, made, place)
        if not isinstance(instance, Instance) or instance.cls is not cls:
            return instance
    assert isinstance(instance, Instance)
    init = class_lookup.class_attribute(cls, "__init__")
    if init is not None:
        bound = run.bind(init, instance, place)
        run.call(bound, arguments, place)
        return instance
    if isinstance(new, FunctionValue):
        return instance
    names = field_names(cls)
    for name, value in zip(names, arguments.positional, strict=False):
        instance.attributes[name] = value
    instance.attributes.update(arguments.keywords)
    for name in names:
        _finish_field(run, instance, name, place)
    after = class_lookup.class_attribute(cls, "__post_init__")
    if after is not None:
        run.call(run.bind(after, instance, place), Arguments([]), place)
    return instance


def _value_of(member: Value) -> Value:
    return member.attributes["value"] if isinstance(member, Instance) else TOP


def _finish_field(run: Run, instance: Instance, name: str, place: Place) -> None:
    """`field(default_factory=...)` and `eqx.field(converter=...)`."""
    described = class_lookup.class_attribute(instance.cls, name)
    if not isinstance(described, FieldValue):
        return
    options = described.options
    if name not in instance.attributes:
        if "default_factory" in options:
            made = run.call(options["default_factory"], Arguments([]), place)
            instance.attributes[name] = made
        elif "default" in options:
            instance.attributes[name] = options["default"]
    if "converter" in options and name in instance.attributes:
        given = Arguments([instance.attributes[name]])
        instance.attributes[name] = run.call(options["converter"], given, place)
