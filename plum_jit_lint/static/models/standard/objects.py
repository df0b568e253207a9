"""Looking at objects and making them: `getattr`, `type`, `isinstance`, descriptors, fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    arrays,
    attributes,
    classes,
    containers,
    exceptions,
    functions,
    literals,
)
from plum_jit_lint.static.interpreter.annotation_values import hint_of
from plum_jit_lint.static.interpreter.inspection import argument_of
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.library_values import (
    Attrgetter,
    FieldValue,
    Itemgetter,
    Methodcaller,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    ClassValue,
    Descriptor,
    Instance,
    MappingValue,
    Partial,
    Scope,
    SequenceValue,
    Symbol,
    Typed,
    Value,
    namespace,
    scalar,
)
from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.static.types.answers import any_of
from plum_jit_lint.static.types.hints import BUILTIN, ArrayArg, Cls
from plum_jit_lint.syntax import nodes


def _descriptor(kind: str) -> Callable[[Run, Arguments, Place], Value]:
    def make(run: Run, arguments: Arguments, place: Place) -> Value:
        inner = arguments.get(0)
        return TOP if inner is None else Descriptor(kind, inner)  # type: ignore[arg-type]

    return make


def _new(run: Run, arguments: Arguments, place: Place) -> Value:
    cls = arguments.get(0)
    if not isinstance(cls, ClassValue):
        return TOP
    namespace = arguments.get(3)
    if isinstance(namespace, MappingValue):
        # In a metaclass: the class that is being made is there already, by its names.
        made = [one for one in run.classes() if one.scope.names is namespace.items]
        return made[-1] if made else TOP
    return Instance(cls, {})


def _setattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name, value = (arguments.get(i) for i in range(3))
    text = None if name is None else literals.literal(name)
    if owner is not None and value is not None and isinstance(text, str):
        attributes.set_attribute(run, owner, text, value, place)
    return NONE


def _getattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    text = None if name is None else literals.literal(name)
    if owner is not None and isinstance(text, str):
        default = arguments.get(2)
        try:
            found = run.get_attribute(owner, text, place)
        except Raised:
            if default is None:
                raise
            return default
        return default if found == TOP and default is not None else found
    return TOP


def _hasattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    text = None if name is None else literals.literal(name)
    if isinstance(owner, Typed) and isinstance(owner.argument, ArrayArg) and isinstance(text, str):
        return scalar("bool", arrays.has(text))
    return scalar("bool")


def _type(run: Run, arguments: Arguments, place: Place) -> Value:
    if len(arguments.positional) == 3 and not arguments.open:
        return classes.made_by_call(run, arguments, place)
    given = arguments.get(0)
    if isinstance(given, ClassValue):
        return given.metaclass or Symbol("builtins.type")
    return given.cls if isinstance(given, Instance) else TOP


def _isinstance(run: Run, arguments: Arguments, place: Place) -> Value:
    value, cls = arguments.get(0), arguments.get(1)
    if value is None or cls is None:
        return scalar("bool")
    if exceptions.is_exception(value):
        return scalar("bool", exceptions.catches(cls, value))
    several = cls.items if isinstance(cls, SequenceValue) and cls.complete else [cls]
    given = argument_of(value)
    answers = [run.state.oracle.admits(hint_of(one, "a class"), given) for one in several]
    return scalar("bool", any_of(answers))


def _replaced(run: Run, arguments: Arguments, place: Place) -> Value:
    """`dataclasses.replace(x, ...)`: another object of the same class."""
    given = arguments.get(0, "obj")
    if isinstance(given, Instance):
        return Instance(given.cls, {**given.attributes, **arguments.keywords}, given.exact)
    return TOP


def field(run: Run, arguments: Arguments, place: Place) -> Value:
    """`dataclasses.field(...)`."""
    return FieldValue(dict(arguments.keywords))


def _namespace(run: Run, arguments: Arguments, place: Place) -> Value:
    """`types.SimpleNamespace(...)` and the like: an object with any attributes."""
    scope = Scope(run.now.scope.module, "class")
    cls = ClassValue(Cls("types.SimpleNamespace", opaque=True), scope, ())
    return Instance(cls, dict(arguments.keywords))


def _globals(run: Run, arguments: Arguments, place: Place) -> Value:
    """The names of the module, which may be read and written like a dict. What a module's own
    `__getattr__` keeps there is asked for again: another file may be the first to ask."""
    scope = run.now.scope.module.scope
    if run.now.functions and run.now.functions[-1].name == "__getattr__":
        return namespace(dict(scope.names), scope.serial)
    return namespace(scope.names, scope.serial)


def _vars(run: Run, arguments: Arguments, place: Place) -> Value:
    """`vars(x)`, `vars()`, `locals()`."""
    given = arguments.get(0)
    if given is not None:
        return run.get_attribute(given, "__dict__", place)
    scope = run.now.scope
    return namespace(scope.names, scope.serial)


def _type_call(run: Run, arguments: Arguments, place: Place) -> Value:
    """`type.__call__(cls, ...)`: what a call of a class does without its metaclass."""
    cls = arguments.get(0)
    return (
        functions.construct(run, cls, arguments.after(1), place)
        if isinstance(cls, ClassValue)
        else TOP
    )


def _partialmethod(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "func")
    if function is None:
        return TOP
    given = Partial(function, tuple(arguments.positional[1:]), arguments.keywords)
    return Descriptor("partialmethod", given)


def _attrgetter(run: Run, arguments: Arguments, place: Place) -> Value:
    return Attrgetter(tuple(arguments.positional))


def _itemgetter(run: Run, arguments: Arguments, place: Place) -> Value:
    return Itemgetter(tuple(arguments.positional))


def _methodcaller(run: Run, arguments: Arguments, place: Place) -> Value:
    name = arguments.get(0, "name") or TOP
    return Methodcaller(name, tuple(arguments.positional[1:]), arguments.keywords)


def call_attrgetter(run: Run, getter: Attrgetter, arguments: Arguments, place: Place) -> Value:
    """`operator.attrgetter(...)(owner)`."""
    owner = arguments.get(0)
    if owner is None:
        return TOP
    results: list[Value] = []
    for one in getter.names:
        result, text = owner, literals.literal(one)
        for part in text.split(".") if isinstance(text, str) else ():
            result = run.get_attribute(result, part, place)
        results.append(result if isinstance(text, str) else TOP)
    return _one_or_several(results)


def call_itemgetter(run: Run, getter: Itemgetter, arguments: Arguments, place: Place) -> Value:
    """`operator.itemgetter(...)(owner)`."""
    owner = arguments.get(0)
    if owner is None:
        return TOP
    return _one_or_several([containers.item_of(run, owner, [key], place) for key in getter.keys])


def _one_or_several(results: list[Value]) -> Value:
    return results[0] if len(results) == 1 else SequenceValue("tuple", results)


def call_methodcaller(run: Run, caller: Methodcaller, arguments: Arguments, place: Place) -> Value:
    """`operator.methodcaller(name, ...)(owner)`."""
    owner, name = arguments.get(0), literals.literal(caller.name)
    if owner is None or not isinstance(name, str):
        return TOP
    found = run.get_attribute(owner, name, place)
    return run.call(found, Arguments(list(caller.positional), dict(caller.keywords)), place)


def _named_tuple(run: Run, arguments: Arguments, place: Place) -> Value:
    """`namedtuple("Point", "x y")` and `NamedTuple("Point", [("x", int)])`."""
    name, fields = arguments.get(0, "typename"), arguments.get(1, "field_names", "fields")
    text = None if name is None else literals.literal(name)
    written = None if fields is None else literals.literal(fields)
    if isinstance(written, str):
        names: list[object] = [*written.replace(",", " ").split()]
    else:
        rows = containers.members(fields) if fields is not None else None
        firsts = [r.items[0] if isinstance(r, SequenceValue) and r.items else r for r in rows or ()]
        names = [literals.literal(one) for one in firsts]
    if not isinstance(text, str) or not all(isinstance(one, str) for one in names):
        return TOP
    inner = run.now.scope
    scope = Scope(inner.module, "class", inner, f"{inner.qualname}{text}.")
    base = Cls(f"{inner.module.name}.{inner.qualname}{text}", (BUILTIN["builtins.tuple"],))
    cls = ClassValue(base, scope, (Symbol("typing.NamedTuple"),))
    span = (place.line, place.column, place.line, place.column)
    anything = nodes.Annotation(nodes.Constant(span, "ellipsis"), False, "?")
    cls.annotated = {str(one): anything for one in names}
    defaults = arguments.keywords.get("defaults")
    if isinstance(defaults, SequenceValue) and defaults.items:
        last = [str(one) for one in names][-len(defaults.items) :]
        scope.names.update(zip(last, defaults.items, strict=False))
    return cls


HANDLERS: Mapping[str, Handler] = {
    "builtins.isinstance": _isinstance,
    "dataclasses.replace": _replaced,
    "dataclasses.field": field,
    "types.SimpleNamespace": _namespace,
    "types.ModuleType": _namespace,
    "builtins.staticmethod": _descriptor("staticmethod"),
    "builtins.classmethod": _descriptor("classmethod"),
    "builtins.property": _descriptor("property"),
    "functools.cached_property": _descriptor("cached_property"),
    "builtins.object.__new__": _new,
    "builtins.type.__new__": _new,
    "builtins.type.__call__": _type_call,
    "builtins.object.__setattr__": _setattr,
    "builtins.object.__getattribute__": _getattr,
    "builtins.globals": _globals,
    "builtins.vars": _vars,
    "builtins.locals": _vars,
    "functools.partialmethod": _partialmethod,
    "operator.attrgetter": _attrgetter,
    "operator.itemgetter": _itemgetter,
    "operator.methodcaller": _methodcaller,
    "collections.namedtuple": _named_tuple,
    "typing.NamedTuple": _named_tuple,
    "builtins.setattr": _setattr,
    "builtins.getattr": _getattr,
    "builtins.hasattr": _hasattr,
    "builtins.type": _type,
}
