"""Registrations: every way in which plum takes a method, and definitions that mix in a jit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plum_jit_lint.dispatch.resolution import Registration, Signature, with_defaults
from plum_jit_lint.events import (
    SURELY,
    Displaced,
    FunctionId,
    Method,
    MethodParameter,
    PathCondition,
    Registered,
)
from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import jax, numpy, standard
from plum_jit_lint.static.interpreter import (
    annotation_values,
    choices,
    definitions,
    imported_modules,
    literals,
    method_tables,
    retraces,
)
from plum_jit_lint.static.interpreter.annotation_values import hint_of
from plum_jit_lint.static.interpreter.effects import Addition
from plum_jit_lint.static.interpreter.inspection import abstract_key, function_under, name_of
from plum_jit_lint.static.interpreter.records import Key, Record
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    PLUM,
    TOP,
    Arguments,
    DispatcherValue,
    FunctionValue,
    Instance,
    MappingValue,
    PlumFunction,
    Registrar,
    Scope,
    SequenceValue,
    SignatureValue,
    Top,
    Typed,
    Union,
    Value,
)
from plum_jit_lint.static.types.hints import (
    ANY,
    AnnotatedHint,
    Cls,
    Hint,
    JaxtypedHint,
    LiteralHint,
    ScalarArg,
    UnionHint,
    describe,
)
from plum_jit_lint.static.types.oracle import admits_tracer, traceable
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.walk import names_in

# -- what takes a method ---------------------------------------------------------------------


def call_registrar(
    run: Run, callee: DispatcherValue | Registrar, arguments: Arguments, place: Place
) -> Value:
    """`dispatch(f)`, `dispatch(precedence=1)`, `f.dispatch(g)`, and what those return."""
    registrar = callee if isinstance(callee, Registrar) else Registrar(callee)
    if "precedence" in arguments.keywords:
        registrar = replace(registrar, precedence=arguments.keywords["precedence"])
    method = arguments.get(0, "method")
    if method is None:
        return registrar
    return register(run, registrar, method, place)


def call_method(
    run: Run,
    receiver: DispatcherValue | PlumFunction,
    name: str,
    arguments: Arguments,
    place: Place,
) -> Value:
    """Calls of the methods of a dispatcher or of a dispatched function."""
    first = arguments.get(0, "method", "f")
    if isinstance(receiver, DispatcherValue):
        if name == "multi":
            return Registrar(receiver, signatures=tuple(arguments.positional))
        if name == "abstract" and first is not None:
            return register(run, Registrar(receiver, abstract=True), first, place)
        return TOP
    if name == "dispatch_multi":
        return Registrar(receiver, signatures=tuple(arguments.positional))
    if name == "register" and first is not None:
        signature = arguments.get(1, "signature")
        signatures = None if signature is None else (signature,)
        precedence = arguments.get(2, "precedence")
        register(run, Registrar(receiver, precedence, signatures), first, place)
    if name == "invoke":
        return choices.invoked(run, receiver, arguments, place)
    if name == "resolve_method":
        return choices.resolved(run, receiver, arguments.get(0, "target"), place)
    return TOP


# -- the registration itself -----------------------------------------------------------------


def register(run: Run, registrar: Registrar, method: Value, place: Place) -> Value:
    """Registers `method`; what the decorator returns: the dispatched function."""
    if isinstance(method, Union):
        method = next((m for m in method.alternatives if function_under(m)), TOP)
    under = function_under(method)
    name = name_of(method)
    if isinstance(registrar.onto, PlumFunction):
        function = registrar.onto
    elif name is None:
        return TOP
    else:
        function = PlumFunction(_function_id(registrar.onto, name, under))
    names = parameter_names(under)
    if registrar.abstract:
        method_tables.create(run, function.id, names)
        return function
    if under is None:
        return function if isinstance(registrar.onto, PlumFunction) else TOP
    overloads = run.state.overloads.get((under.scope.module.name, under.qualname), ())
    if overloads and isinstance(registrar.onto, DispatcherValue) and registrar.signatures is None:
        displaced = _add_overloads(run, registrar, function, method, under, place)
        # Until the definition is bound, the name stands for the last overload.
        with retraces.bound(under, function):
            retraces.follow(run, displaced, place)
        return function
    retraces.follow(run, _add(run, registrar, function, method, under, place), place)
    return function


def _add_overloads(
    run: Run,
    registrar: Registrar,
    function: PlumFunction,
    method: Value,
    under: FunctionValue,
    place: Place,
) -> tuple[Displaced, ...]:
    """Registers the overloads of a definition, and itself where there may be none. They are
    registered in one go: nobody can ask for a method in between."""
    overloads = run.state.overloads[under.scope.module.name, under.qualname]
    by_condition: dict[PathCondition, list[FunctionValue]] = {}
    for overload, when in overloads:
        by_condition.setdefault(when - run.state.path, []).append(overload)
    displaced: list[Displaced] = []
    for when, several in by_condition.items():
        if run.possible(when):
            with run.under(*when):
                added = [_addition(run, registrar, function, one, one, place) for one in several]
                displaced.extend(imported_modules.register(run, added, function.open))
    if SURELY not in by_condition:
        without = _without(run, [when for _, when in overloads])
        if run.possible(frozenset({without})):
            with run.under(without):
                displaced.extend(_add(run, registrar, function, method, under, place))
    return tuple(displaced)


def _defaults(function: FunctionValue) -> int:
    return sum(p.default is not None for p in definitions.positional_parameters(function))


def _without(run: Run, ways: list[PathCondition]) -> tuple[int, int]:
    """The branch in which none of `ways` is taken."""
    conditions = {one for way in ways for one in way - run.state.path}
    if len(conditions) == 1:
        ((branch_id, branch),) = conditions
        return (branch_id, 1 - branch)
    return (run.branch_ids.new(), 0)


def _function_id(dispatcher: DispatcherValue, name: str, under: FunctionValue | None) -> FunctionId:
    """plum's own rule: a method belongs to a class when its `__qualname__` says so."""
    owner = None
    if under is not None:
        parts = under.qualname.split(".")
        if len(parts) >= 2 and parts[-2] != "<locals>":
            owner = ".".join([under.scope.module.name, *parts[:-1]])
    return FunctionId(dispatcher.id, owner, name)


def parameter_names(function: FunctionValue | None) -> tuple[str, ...] | None:
    """All that `static_argnames` may name and `static_argnums` may count: `*` marks variadics."""
    if function is None:
        return None
    marks = {"*": "*", "**": "**", "keyword-only": "=", "positional": ""}
    return tuple(marks[p.kind] + p.name for p in function.definition.parameters)


def _add(
    run: Run,
    registrar: Registrar,
    function: PlumFunction,
    method: Value,
    under: FunctionValue,
    place: Place,
) -> tuple[Displaced, ...]:
    added = [_addition(run, registrar, function, method, under, place)]
    return imported_modules.register(run, added, function.open)


def _addition(
    run: Run,
    registrar: Registrar,
    function: PlumFunction,
    method: Value,
    under: FunctionValue,
    place: Place,
) -> Addition:
    precedence = literals.literal(registrar.precedence) if registrar.precedence else 0
    level = precedence if isinstance(precedence, int) else 0
    types, varargs = signature_types(run, under)
    label = _label(function.id, under, types, varargs)
    signatures = _given_signatures(registrar.signatures, level)
    if signatures is None:
        signatures = (Signature(types, varargs, level),)
    else:
        label = f"{function.id} for {' and '.join(map(_shown, signatures))}"
    expanded = tuple(s for one in signatures for s in with_defaults(one, _defaults(under)))
    key = _key(under)
    described = Method(label, definitions.definition_place(under), key)
    record = Record(
        function.id,
        Registration(expanded, key),
        described,
        key,
        method,
        run.state.path,
        parameter_names(under),
    )
    # A decorator of the program may do it: the registration is that of the definition.
    own = [stack for decorated, stack in run.now.decorating if decorated is under]
    event = Registered(
        own[-1] if own else run.stack_at(place),
        run.state.path,
        function.id,
        described,
        parameters(run, under),
        binds=None,
        scope="",
        jitted=False,
    )
    return record, event


def _key(function: FunctionValue) -> Key:
    """The same definition run again is the same method, unless it captures something else."""
    captured: list[Value] = list(function.defaults.values())
    scope: Scope | None = function.scope
    if scope is not None and scope.kind == "function":
        for name in sorted(names_in(function.definition)):
            value = scope.find(name)
            if value is not None and value is not scope.module.scope.names.get(name):
                captured.append(value)
    certain = all(_is_exact(value) for value in captured)
    return Key(
        definitions.definition_place(function),
        tuple(map(abstract_key, captured)) if certain else object(),
        certain,
    )


def _is_exact(value: Value) -> bool:
    """Whether two values with one fingerprint are surely the same."""
    match value:
        case Typed(ScalarArg(_, known)):
            return known is not None or value == NONE
        case Typed() | SequenceValue() | MappingValue() | Union() | Top() | Instance():
            return False
    return True


RULE = Place(PLUM, 1, 1, 1, 1)


def register_rule(
    run: Run,
    function: FunctionId,
    types: Sequence[tuple[Hint, ...]],
    label: str,
    body: Value,
    place: Place,
) -> None:
    """A conversion or promotion: a method of one of plum's own functions."""
    under = function_under(body)
    home = place if under is None else definitions.definition_place(under)
    # A rule that names a type is a function of plum's own, the same one for the same type.
    key = _key(under) if under else Key(RULE, abstract_key(body)) if _is_exact(body) else Key(home)
    signatures = tuple(Signature(one) for one in types)
    method = Method(label, home, key)
    record = Record(
        function, Registration(signatures, key), method, key, body, run.state.path, None
    )
    event = Registered(
        run.stack_at(place),
        run.state.path,
        function,
        method,
        (),
        binds=None,
        scope="",
        jitted=False,
    )
    displaced = imported_modules.register(run, [(record, event)], open_function=False)
    retraces.follow(run, displaced, place)


def _label(
    function: FunctionId, under: FunctionValue, types: Sequence[Hint], varargs: Hint | None
) -> str:
    shown: list[str] = []
    for parameter, hint in zip(definitions.positional_parameters(under), types, strict=False):
        annotated = parameter.annotation is not None
        shown.append(f"{parameter.name}: {describe(hint)}" if annotated else parameter.name)
    if varargs is not None:
        shown.append("*args" if varargs == ANY else f"*args: {describe(varargs)}")
    return f"{function}({', '.join(shown)})"


def _shown(signature: Signature[Hint]) -> str:
    shown = [describe(hint) for hint in signature.types]
    if signature.varargs is not None:
        shown.append(f"*{describe(signature.varargs)}")
    return f"({', '.join(shown)})"


def signature_types(run: Run, function: FunctionValue) -> tuple[tuple[Hint, ...], Hint | None]:
    """The types that plum reads off a function: of its positional parameters, and of `*args`.
    An annotation is evaluated with its definition, once, however often that is registered."""
    known = run.state.signatures.get(id(function))
    if known is not None:
        return known[1:]
    types: list[Hint] = []
    varargs: Hint | None = None
    for parameter in function.definition.parameters:
        if parameter.kind == "positional":
            types.append(_parameter_hint(run, function, parameter))
        elif parameter.kind == "*":
            varargs = _parameter_hint(run, function, parameter)
    run.state.signatures[id(function)] = (function, tuple(types), varargs)
    return tuple(types), varargs


def hint_in(run: Run, function: FunctionValue, annotation: nodes.Annotation | None) -> Hint:
    """The type that an annotation of a function means."""
    return annotation_values.hint(run, function.scope, annotation)[1]


def _parameter_hint(run: Run, function: FunctionValue, parameter: nodes.Parameter) -> Hint:
    assigned = function.annotations
    if isinstance(assigned, MappingValue) and parameter.name in assigned.items:
        return hint_of(assigned.items[parameter.name], parameter.name)
    return hint_in(run, function, parameter.annotation)


def _given_signatures(
    values: tuple[Value, ...] | None, precedence: int
) -> tuple[Signature[Hint], ...] | None:
    """The signatures of `multi(...)` or `register(..., signature=...)`."""
    if values is None:
        return None
    found: list[Signature[Hint]] = []
    for value in values:
        if isinstance(value, SignatureValue):
            varargs = None if value.varargs is None else hint_of(value.varargs, "?")
            types = tuple(hint_of(one, "?") for one in value.types)
            found.append(Signature(types, varargs, value.precedence or 0))
        elif isinstance(value, SequenceValue) and value.complete:
            types = tuple(hint_of(one, "?") for one in value.items)
            found.append(Signature(types, None, 0))
    return tuple(found)


def parameters(
    run: Run, function: FunctionValue, scalars_traced: bool = True
) -> tuple[MethodParameter, ...]:
    """The parameters of a method, as the rules want to know them."""
    found: list[MethodParameter] = []
    for position, parameter in enumerate(function.definition.parameters):
        annotation = parameter.annotation
        hint = hint_in(run, function, annotation)
        found.append(
            MethodParameter(
                parameter.name,
                position if parameter.kind == "positional" else None,
                None if annotation is None else annotation.text,
                traceable(hint),
                becomes_tracer(hint, scalars_traced),
                admits_tracer(hint),
                optional=parameter.default is not None or parameter.kind in ("*", "**"),
            )
        )
    return tuple(found)


def becomes_tracer(hint: Hint, scalars: bool = True) -> bool:
    """Whether jit hands a value of that type on as one traced array. `scalars`: numbers too."""
    match hint:
        case UnionHint(members):
            return all(becomes_tracer(member, scalars) for member in members)
        case Cls(name) if not scalars:
            return name in (jax.ARRAY, numpy.NDARRAY)
        case LiteralHint(values):
            return all(isinstance(value, int | float) for value in values)
        case JaxtypedHint():
            return True
        case AnnotatedHint(of):
            return becomes_tracer(of, scalars)
        case Cls(name):
            return name in LEAVES or name.startswith((numpy.PREFIX, standard.NUMBERS))
    return False


LEAVES = {f"builtins.{name}" for name in ("int", "float", "complex", "bool")} | {jax.ARRAY}
