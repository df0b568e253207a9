"""Class statements: what a class is, and what its definition makes happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import ADD_NO_METHOD, DATACLASSES, standard
from plum_jit_lint.static.interpreter import attributes, class_lookup, definitions, literals
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    Descriptor,
    FunctionValue,
    HintValue,
    Instance,
    MappingValue,
    Scope,
    SequenceValue,
    Symbol,
    Value,
    namespace,
    scalar,
)
from plum_jit_lint.static.types.hints import BUILTIN, HAVING, Cls, describe
from plum_jit_lint.static.types.oracle import UNKNOWN_BASE, StaticOracle
from plum_jit_lint.syntax import nodes


def define(run: Run, scope: Scope, node: nodes.ClassDef) -> bool:
    """Runs a class statement."""
    place = definitions.place_of(scope, node.at)
    bases = [run.evaluate(scope, b.value) for b in node.bases if b.keyword is None]
    keywords = {b.keyword: run.evaluate(scope, b.value) for b in node.bases if b.keyword}
    metaclass = keywords.pop("metaclass", None)
    value = _new(run, scope, node.name, bases, metaclass, _says_itself(node, bases, metaclass))
    inner = value.scope
    for parameter in node.type_parameters:
        inner.names[parameter] = TOP
    run.now.frame.scopes.append(inner)
    run.execute(inner, node.body)
    run.now.frame.scopes.pop()
    for statement in node.body:
        if isinstance(statement, nodes.AnnotatedAssign) and isinstance(
            statement.target, nodes.Name
        ):
            value.annotated[statement.target.id] = statement.annotation
    if metaclass in (None, Symbol(standard.ABSTRACT_META)) and all(
        _adds_no_method(run, scope, one) for one in node.decorators
    ):
        value.cls = replace(value.cls, methods=_special_methods(node, inner))
    _made(run, value, node.name, keywords, place)
    value.by_value = any(_compares_fields(run, scope, one) for one in node.decorators)
    result: Value = value
    for decorator in reversed(node.decorators):
        decorated = run.call(run.evaluate(scope, decorator), Arguments([result]), place)
        result = decorated if isinstance(decorated, ClassValue) else result
    scope.bind(node.name, result)
    return True


def made_by_call(run: Run, arguments: Arguments, place: Place) -> Value:
    """`type(name, bases, names)`."""
    name, bases, names = arguments.positional
    text = literals.literal(name)
    if not isinstance(text, str) or not isinstance(bases, SequenceValue) or not bases.complete:
        return TOP
    if not isinstance(names, MappingValue) or names.others:
        return TOP
    value = _new(run, run.now.scope, text, bases.items)
    value.scope.names.update({str(key): one for key, one in names.items.items()})
    special = {
        str(key): isinstance(one, FunctionValue)
        for key, one in names.items.items()
        if key in HAVING
    }
    value.cls = replace(value.cls, methods=special)
    _made(run, value, text, arguments.keywords, place)
    return value


def _new(
    run: Run,
    scope: Scope,
    name: str,
    bases: Sequence[Value],
    metaclass: Value | None = None,
    hooked: bool = False,
) -> ClassValue:
    """A class without a body yet."""
    inner = Scope(scope.module, "class", scope, f"{scope.qualname}{name}.")
    qualified = f"{scope.module.name}.{scope.qualname}{name}"
    above = tuple(_class_of(base) or UNKNOWN_BASE for base in bases)
    number = scope.module.times_defined[qualified]
    cls = Cls(qualified, above, hooked=hooked, number=number)
    value = ClassValue(cls, inner, tuple(bases), metaclass=metaclass)
    inner.names["__class__"] = value
    scope.module.classes.append(value)
    scope.module.times_defined[qualified] += 1
    # Beside the body, what a class costs grows with those above it.
    run.takes(sum(len(class_lookup.mro(base)) for base in bases if isinstance(base, ClassValue)))
    return value


def _special_methods(node: nodes.ClassDef, scope: Scope) -> dict[str, bool]:
    """The special methods that a class body binds, and whether that is a plain definition."""
    surely = {one.name for one in node.body if isinstance(one, nodes.FunctionDef)}
    return {name: name in surely for name in scope.names if name in HAVING}


def _adds_no_method(run: Run, scope: Scope, decorator: nodes.Expression) -> bool:
    made = run.evaluate(scope, _without_options(decorator))
    # What a decorator of the program writes to a class is seen.
    return isinstance(made, FunctionValue) or (
        isinstance(made, Symbol) and made.path.startswith(ADD_NO_METHOD)
    )


def _without_options(decorator: nodes.Expression) -> nodes.Expression:
    return decorator.function if isinstance(decorator, nodes.Call) else decorator


def _compares_fields(run: Run, scope: Scope, decorator: nodes.Expression) -> bool:
    """Whether a decorator is that of a dataclass which compares its fields."""
    options: tuple[nodes.Argument, ...] = ()
    if isinstance(decorator, nodes.Call):
        options, decorator = tuple(decorator.arguments), decorator.function
    if not isinstance(decorator, nodes.Name | nodes.Attribute):
        return False
    made = run.evaluate(scope, decorator)
    without = any(
        one.keyword == "eq" and isinstance(one.value, nodes.Constant) and one.value.value is False
        for one in options
    )
    return isinstance(made, Symbol) and made.path in DATACLASSES and not without


HOOKS = {"__instancecheck__", "__subclasscheck__", "__subclasshook__"}


def _says_itself(node: nodes.ClassDef, bases: list[Value], metaclass: Value | None) -> bool:
    """Whether the class or its metaclass decides what is an instance of it."""
    if any(isinstance(b, Symbol) and b.path.endswith("Protocol") for b in bases):
        return True
    if any(isinstance(one, nodes.FunctionDef) and one.name in HOOKS for one in node.body):
        return True
    match metaclass:
        case None | Symbol(standard.ABSTRACT_META):
            return False
        case ClassValue():
            return any(class_lookup.class_attribute(metaclass, name) for name in HOOKS)
    return True


def _made(run: Run, cls: ClassValue, name: str, keywords: dict[str, Value], place: Place) -> None:
    """What happens once the body of a class has run: its metaclass makes it, and it tells its
    descriptors and its bases."""
    given = Arguments(
        [
            scalar("str", name),
            SequenceValue("tuple", list(cls.bases)),
            namespace(cls.scope.names, cls.scope.serial),
        ],
        keywords,
    )
    new = class_lookup.meta_attribute(cls, "__new__")
    metaclass = next((c.metaclass for c in class_lookup.mro(cls) if c.metaclass), TOP)
    if isinstance(new, FunctionValue):
        inner = Arguments([metaclass, *given.positional], keywords)
        run.call(new, inner, place)
    for attribute, held in list(cls.scope.names.items()):
        tell = attributes.special(run, held, "__set_name__", place)
        if isinstance(held, Instance) and tell is not None:
            run.call(tell, Arguments([cls, scalar("str", attribute)]), place)
    for one in class_lookup.mro(cls)[1:]:
        hook = one.scope.names.get("__init_subclass__")
        if hook is not None:
            inner_hook = hook.value if isinstance(hook, Descriptor) else hook
            run.call(inner_hook, Arguments([cls], keywords), place)
            break
    init = attributes.special(run, cls, "__init__", place)
    if init is not None:
        run.call(init, given, place)


def _class_of(base: Value) -> Cls | None:
    match base:
        case ClassValue():
            return base.cls
        case Symbol("builtins.object"):
            return class_lookup.OBJECT
        case Symbol(path) if path in standard.NAMED_TUPLES:
            return BUILTIN["builtins.tuple"]
        case Symbol(path):
            return class_lookup.class_of(path)
        case HintValue(hint):
            within = getattr(hint, "within", None)
            return Cls(describe(hint), (within,), methods={}) if isinstance(within, Cls) else None
    return None


def count_as(run: Run, cls: ClassValue, above: ClassValue) -> None:
    """`above.register(cls)`: from here on objects of `cls` are instances of `above`."""
    cls.cls = replace(cls.cls, bases=(*cls.cls.bases, above.cls))
    run.state.oracle = StaticOracle()
    run.changed()
