"""Registrations: every way in which plum takes a method, and definitions that mix in a jit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from plum_jit_lint.events import (
    FunctionId,
    Method,
    Parameter,
    Registered,
    Stacked,
)
from plum_jit_lint.findings import Place
from plum_jit_lint.resolution import Registration, Signature, with_defaults
from plum_jit_lint.static import calls, evaluate, facts, functions, tracing
from plum_jit_lint.static.annotations import hint_of
from plum_jit_lint.static.hints import (
    ANY,
    ArrayArg,
    Cls,
    Hint,
    JaxtypedHint,
    LiteralHint,
    ScalarArg,
    UnionHint,
    admits_tracer,
    convertible_from_tracer,
    describe,
    traceable,
)
from plum_jit_lint.static.machine import Key, Raised, Record, Run
from plum_jit_lint.static.relevance import names_in
from plum_jit_lint.static.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Data,
    DictItems,
    DispatcherValue,
    Func,
    Instance,
    Items,
    Jitted,
    OneOf,
    PlumFunction,
    Registrar,
    Scope,
    SignatureValue,
    Unknown,
    Value,
    Wrapper,
    fingerprint,
    function_under,
    name_of,
)

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


def operate(
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
        return UNKNOWN
    if name == "dispatch_multi":
        return Registrar(receiver, signatures=tuple(arguments.positional))
    if name == "register" and first is not None:
        signature = arguments.get(1, "signature")
        signatures = None if signature is None else (signature,)
        precedence = arguments.get(2, "precedence")
        register(run, Registrar(receiver, precedence, signatures), first, place)
    if name == "invoke":
        return tracing.invoked(run, receiver, arguments, place)
    return UNKNOWN


# -- the registration itself -----------------------------------------------------------------


def register(run: Run, registrar: Registrar, method: Value, place: Place) -> Value:
    """Registers `method`; what the decorator returns: the dispatched function."""
    if isinstance(method, OneOf):
        method = next((m for m in method.alternatives if function_under(m)), UNKNOWN)
    under = function_under(method)
    name = name_of(method)
    if isinstance(registrar.onto, PlumFunction):
        function = registrar.onto
    elif name is None:
        return UNKNOWN
    else:
        function = PlumFunction(_function_id(registrar.onto, name, under))
    names = parameter_names(under)
    if run.muted and not run.program.registrations:
        return function
    if registrar.abstract:
        run.create(function.id, names)
        return function
    if under is None:
        return function if isinstance(registrar.onto, PlumFunction) else UNKNOWN
    overloads = run.overloads.get((under.scope.module.name, under.qualname), [])
    if overloads and isinstance(registrar.onto, DispatcherValue) and registrar.signatures is None:
        for overload in overloads:
            _add(run, registrar, function, overload, overload, place)
        return function
    _add(run, registrar, function, method, under, place)
    return function


def _function_id(dispatcher: DispatcherValue, name: str, under: Func | None) -> FunctionId:
    """plum's own rule: a method belongs to a class when its `__qualname__` says so."""
    owner = None
    if under is not None:
        parts = under.qualname.split(".")
        if len(parts) >= 2 and parts[-2] != "<locals>":
            owner = ".".join([under.scope.module.name, *parts[:-1]])
    return FunctionId(dispatcher.id, owner, name)


def parameter_names(function: Func | None) -> tuple[str, ...] | None:
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
    under: Func,
    place: Place,
) -> None:
    precedence = evaluate.literal(registrar.precedence) if registrar.precedence else 0
    level = precedence if isinstance(precedence, int) else 0
    types, varargs = signature_types(run, under)
    label = _label(function.id, under, types, varargs)
    signatures = _given_signatures(registrar.signatures, level)
    if signatures is None:
        signatures = (Signature(types, varargs, level),)
    else:
        label = f"{function.id} for {' and '.join(map(_shown, signatures))}"
    defaults = sum(p.default is not None for p in functions.positional_parameters(under))
    expanded = tuple(s for one in signatures for s in with_defaults(one, defaults))
    described = Method(label, functions.definition_place(under))
    key = _key(under)
    record = Record(
        function.id,
        Registration(expanded, key),
        described,
        key,
        method,
        run.path,
        parameter_names(under),
    )
    event = Registered(
        run.stack_at(place),
        run.path,
        function.id,
        described,
        parameters(run, under),
        binds=None,
        scope="",
        jitted=False,
    )
    run.register(record, event, function.open)


def _key(function: Func) -> Key:
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
        functions.definition_place(function),
        tuple(map(fingerprint, captured)) if certain else object(),
        certain,
    )


def _is_exact(value: Value) -> bool:
    """Whether two values with one fingerprint are surely the same."""
    match value:
        case Data(ScalarArg(_, known)):
            return known is not None or value == NONE
        case Data() | Items() | DictItems() | OneOf() | Unknown() | Instance():
            return False
    return True


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
    home = place if under is None else functions.definition_place(under)
    key = Key(home) if under is None else _key(under)
    signatures = tuple(Signature(one) for one in types)
    method = Method(label, home)
    record = Record(function, Registration(signatures, key), method, key, body, run.path, None)
    event = Registered(
        run.stack_at(place), run.path, function, method, (), binds=None, scope="", jitted=False
    )
    run.register(record, event, open_function=False)


def _label(function: FunctionId, under: Func, types: Sequence[Hint], varargs: Hint | None) -> str:
    shown: list[str] = []
    for parameter, hint in zip(functions.positional_parameters(under), types, strict=False):
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


def signature_types(run: Run, function: Func) -> tuple[tuple[Hint, ...], Hint | None]:
    """The types that plum reads off a function: of its positional parameters, and of `*args`."""
    types: list[Hint] = []
    varargs: Hint | None = None
    for parameter in function.definition.parameters:
        if parameter.kind == "positional":
            types.append(_parameter_hint(run, function, parameter))
        elif parameter.kind == "*":
            varargs = _parameter_hint(run, function, parameter)
    return tuple(types), varargs


def _hint(run: Run, function: Func, annotation: facts.Annotation | None) -> Hint:
    return evaluate.hint(run, function.scope, annotation)[1]


def _parameter_hint(run: Run, function: Func, parameter: facts.Parameter) -> Hint:
    assigned = function.annotations
    if isinstance(assigned, DictItems) and parameter.name in assigned.items:
        return hint_of(assigned.items[parameter.name], parameter.name)
    return _hint(run, function, parameter.annotation)


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
        elif isinstance(value, Items) and value.complete:
            types = tuple(hint_of(one, "?") for one in value.items)
            found.append(Signature(types, None, 0))
    return tuple(found)


def parameters(run: Run, function: Func, scalars_traced: bool = True) -> tuple[Parameter, ...]:
    """The parameters of a method, as the rules want to know them."""
    found: list[Parameter] = []
    for position, parameter in enumerate(function.definition.parameters):
        annotation = parameter.annotation
        hint = _hint(run, function, annotation)
        found.append(
            Parameter(
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


# -- definitions with decorators -------------------------------------------------------------


def decorate(run: Run, scope: Scope, definition: facts.FunctionDef, function: Func) -> Value:
    """Applies the decorators of a definition, and notes a stack that mixes jit and dispatch."""
    decorators = [evaluate.evaluate(run, scope, one) for one in definition.decorators]
    place = evaluate.place_of(scope, definition.place)
    value: Value = function
    layers: list[str] = []
    jit: Jitted | None = None
    dispatched: FunctionId | None = None
    first_event = len(run.events)
    # The function's own first definition is what a jit above reads, so it is asked for later.
    for decorator in reversed(decorators):
        result = calls.call(run, decorator, Arguments([value]), place)
        made = _jit_of(result, value)
        registered = _registers(decorator) and isinstance(result, PlumFunction)
        if made is not None and (jit is None or not layers or layers[-1] != "jit"):
            jit = made
            layers.append("jit")
        elif registered and isinstance(result, PlumFunction):
            dispatched = result.id
            layers.append("dispatch")
        value = Wrapper(value, None) if result == UNKNOWN else result
    jitted = isinstance(value, Jitted)
    where = f"{scope.module.name}:{scope.qualname}"
    for index in range(first_event, len(run.events)):
        event = run.events[index]
        if isinstance(event, Registered) and event.stack[-1] == place:
            run.events[index] = replace(event, binds=definition.name, scope=where, jitted=jitted)
    if jit is not None and dispatched is not None and not run.muted:
        if isinstance(value, PlumFunction) and value.open:
            # Whether it is a function or a module that is extended is not seen.
            dispatched = replace(dispatched, name=definition.name)
        given = any(isinstance(d, Registrar) and d.signatures is not None for d in decorators)
        _tell_stack(run, where, function, layers, jit, dispatched, place, given)
    return value


def _registers(decorator: Value) -> bool:
    match decorator:
        case DispatcherValue() | Registrar():
            return True
        case OneOf(alternatives):
            return any(map(_registers, alternatives))
    return getattr(decorator, "name", None) == "abstract"


def _jit_of(result: Value, target: Value) -> Jitted | None:
    """The jit that a decorator put around `target`."""
    for one in result.alternatives if isinstance(result, OneOf) else (result,):
        if isinstance(one, Jitted) and one.target is target:
            return one
    return None


def _tell_stack(
    run: Run,
    where: str,
    function: Func,
    layers: list[str],
    jit: Jitted,
    dispatched: FunctionId,
    place: Place,
    given: bool,
) -> None:
    definition = function.definition
    assert isinstance(definition, facts.FunctionDef)
    annotations = [p.annotation for p in definition.parameters] + [definition.returns]
    present = [a for a in annotations if a is not None]
    # One annotation that is no string is enough for plum to resolve them all, and with
    # signatures given by `multi` it reads none.
    strings = (
        bool(present)
        and not given
        and (function.scope.module.facts.future_annotations or all(a.quoted for a in present))
    )
    returns = definition.returns
    pairs = list(pairwise(layers))
    for below, above in dict.fromkeys(pairs):
        run.emit(
            Stacked(
                run.stack_at(place),
                run.path,
                dispatched,
                binds=definition.name,
                scope=where,
                outer="dispatch" if (below, above) == ("jit", "dispatch") else "jit",
                jit=jit.row.path,
                statics=jit.statics,
                parameters=parameters(run, function, jit.row.scalars_traced),
                first_parameters=run.created.get(dispatched),
                string_annotations=strings,
                returns=None if returns is None else returns.text,
                returns_wrong=_returns_wrong(run, function, returns),
            )
        )


def _returns_wrong(run: Run, function: Func, returns: facts.Annotation | None) -> bool:
    """Whether the method surely returns a traced array where plum converts to something else.

    `-> int` is right for `a.ndim` and wrong for `a + 1`, so the body is asked, to one side of
    the run."""
    if returns is None or convertible_from_tracer(_hint(run, function, returns)) is not False:
        return False
    start, muted = run.snapshot(), run.muted
    run.muted = True
    try:
        given = [
            tracing.traced(_parameter_value(run, function, p))
            for p in function.definition.parameters
            if p.kind == "positional"
        ]
        place = functions.definition_place(function)
        result = functions.call_function(run, function, Arguments(given), place)
    except Raised:
        return False
    finally:
        run.muted = muted
        run.restore(start)
        run.called.discard(id(function.definition))
    return isinstance(result, Data) and isinstance(result.argument, ArrayArg)


def _parameter_value(run: Run, function: Func, parameter: facts.Parameter) -> Value:
    return evaluate.typed(run, function.scope, parameter.annotation)


def becomes_tracer(hint: Hint, scalars: bool = True) -> bool:
    """Whether jit hands a value of that type on as one traced array. `scalars`: numbers too."""
    match hint:
        case UnionHint(members):
            return all(becomes_tracer(member, scalars) for member in members)
        case Cls(name) if not scalars:
            return name in ("jax.Array", "numpy.ndarray")
        case LiteralHint(values):
            return all(isinstance(value, int | float) for value in values)
        case JaxtypedHint():
            return True
        case Cls(name):
            return name in LEAVES or name.startswith(("numpy.", "numbers."))
    return False


LEAVES = {f"builtins.{name}" for name in ("int", "float", "complex", "bool")} | {"jax.Array"}
