"""What the abstract run knows of other libraries: plum, JAX, Equinox, numpy, the standard one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.events import FunctionId
from plum_jit_lint.findings import Place
from plum_jit_lint.static import calls, evaluate, functions, registering, tracing
from plum_jit_lint.static.annotations import hint_of
from plum_jit_lint.static.hints import (
    BUILTIN,
    ArrayArg,
    Cls,
    InstanceArg,
    OpaqueHint,
    ScalarArg,
    describe,
)
from plum_jit_lint.static.knowledge import (
    CLEAR_ALL,
    CONCRETE,
    DISABLE_JIT,
    DISPATCHERS,
    PLUM,
    SAME,
)
from plum_jit_lint.static.machine import Run
from plum_jit_lint.static.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ClassValue,
    Data,
    Descriptor,
    DictItems,
    DispatcherValue,
    Func,
    HintValue,
    Instance,
    Items,
    Memoised,
    ModuleValue,
    Operation,
    Partial,
    PlumFunction,
    Registrar,
    SignatureValue,
    Symbol,
    Value,
    argument_of,
    array,
    function_under,
    keyword_items,
    name_of,
    scalar,
)

OBJECT = BUILTIN["builtins.object"]


def canonical(path: str) -> str:
    """One name for what has several."""
    if path in SAME:
        return SAME[path]
    for prefix in PLUM:
        if path.startswith(f"{prefix}."):
            return f"plum.{path.rpartition('.')[2]}" if path not in DISPATCHERS else path
    return path


def symbol(dispatchers: Mapping[str, str], path: str) -> Value:
    """What a qualified name of another library stands for, with the dispatchers that are known."""
    path = canonical(path)
    if path in dispatchers:
        return DispatcherValue(dispatchers[path])
    owner, _, name = path.rpartition(".")
    if name in ("dispatch", "dispatch_multi") and "." in owner:
        # A dispatched function of another library: its methods are not seen.
        function = PlumFunction(FunctionId(owner, None, owner.rpartition(".")[2]), open=True)
        return Registrar(function) if name == "dispatch" else Operation(function, name)
    return Symbol(path)


def class_of(path: str) -> Cls:
    """A class of another library."""
    return BUILTIN.get(path) or Cls(path, opaque=True)


def call(run: Run, path: str, arguments: Arguments, place: Place) -> Value:
    """A call of something that another library defines."""
    path = canonical(path)
    row = run.program.rows.get(path)
    if row is not None:
        if row.kind in ("caching-call", "call"):
            return tracing.call_transform(run, row, arguments, place)
        target = arguments.get(0, *row.keywords)
        if target is None:
            # `jax.jit(static_argnames=...)` waits for the function.
            return Partial(Symbol(path), (), dict(arguments.keywords))
        return tracing.wrap(run, row, target, arguments)
    handler = HANDLERS.get(path)
    if handler is not None:
        return handler(run, arguments, place)
    if path in CLEAR_ALL:
        run.clear(None, place)
        return NONE
    if path == "equinox.clear_caches":
        run.clear([e.id for e in run.entries.values() if e.space != "equinox.filter_jit"], place)
        return NONE
    if path in CONCRETE:
        return UNKNOWN
    if path in DISABLE_JIT or path.startswith(("pytest.", "contextlib.")):
        return Operation(Symbol(path), "enter")
    tracing.may_call(run, arguments, place)
    return _by_prefix(path, arguments)


# -- arrays ----------------------------------------------------------------------------------

ARRAY_MAKERS = (
    "jax.numpy.",
    "jax.random.",
    "jax.lax.",
    "jax.nn.",
    "jax.scipy.",
    "jax.ops.",
    "quaxed.numpy.",
)
SHAPED = {"ones", "zeros", "empty", "full"}
DTYPES = {"int32", "float32", "bool_", "int64", "float64", "complex64", "uint32", "int8", "float16"}
NOT_ARRAYS = {"shape", "ndim", "size", "dtype", "result_type", "iinfo", "finfo", "issubdtype"}


def _by_prefix(path: str, arguments: Arguments) -> Value:
    name = path.rpartition(".")[2]
    if path.startswith(ARRAY_MAKERS):
        if name in NOT_ARRAYS:
            return UNKNOWN
        known = (v.argument for v in arguments.values() if isinstance(v, Data))
        traced = any(isinstance(a, ArrayArg) and a.traced for a in known)
        return Data(ArrayArg(traced, _shape(name, arguments), _dtype(name, arguments)))
    if path.startswith("numpy."):
        if path in BUILTIN:
            return Data(ScalarArg(BUILTIN[path]))
        return Data(InstanceArg(BUILTIN["numpy.ndarray"], True))
    if path in BUILTIN and path.startswith("builtins."):
        return Data(ScalarArg(BUILTIN[path])) if name in SCALARS else UNKNOWN
    if name[:1].isupper() and "." in path:
        return Data(InstanceArg(class_of(path), False))
    return UNKNOWN


def _shape(name: str, arguments: Arguments) -> tuple[int, ...] | None:
    if name not in SHAPED:
        return None
    shape = arguments.get(0, "shape")
    members = shape.items if isinstance(shape, Items) and shape.complete else [shape]
    sizes = [None if one is None else evaluate.literal(one) for one in members]
    known = [size for size in sizes if isinstance(size, int)]
    return tuple(known) if len(known) == len(sizes) else None


def _dtype(name: str, arguments: Arguments) -> str | None:
    dtype = arguments.keywords.get("dtype")
    if isinstance(dtype, Symbol):
        named = dtype.path.rpartition(".")[2]
        return named if named in DTYPES else None
    if dtype is None and name in ("ones", "zeros", "empty") and len(arguments.positional) < 2:
        return "float32"
    return None


# -- the standard library --------------------------------------------------------------------

SCALARS = {"int", "float", "complex", "bool", "str", "bytes"}


def _partial(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0)
    if function is None:
        return UNKNOWN
    keywords = dict(arguments.keywords)
    if arguments.open_keywords:
        # `partial(jax.jit, **options)`: what is static is not known.
        keywords.setdefault("static_argnames", UNKNOWN)
    return Partial(function, tuple(arguments.positional[1:]), keywords)


def _wraps(run: Run, arguments: Arguments, place: Place) -> Value:
    wrapped = arguments.get(0, "wrapped")
    return UNKNOWN if wrapped is None else Operation(wrapped, "wraps")


def _update_wrapper(run: Run, arguments: Arguments, place: Place) -> Value:
    wrapper, wrapped = arguments.get(0, "wrapper"), arguments.get(1, "wrapped")
    if isinstance(wrapper, Func) and wrapped is not None:
        wrapper.wraps = wrapped
    return wrapper or UNKNOWN


def _lru_cache(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "user_function")
    if function is None or isinstance(function, Data):
        return Symbol("functools.cache")
    return Memoised(function)


def _same(run: Run, arguments: Arguments, place: Place) -> Value:
    return arguments.get(0) or UNKNOWN


def _second(run: Run, arguments: Arguments, place: Place) -> Value:
    """`typing.cast(type, value)`."""
    return arguments.get(1) or UNKNOWN


def _descriptor(kind: str) -> Callable[[Run, Arguments, Place], Value]:
    def make(run: Run, arguments: Arguments, place: Place) -> Value:
        inner = arguments.get(0)
        return UNKNOWN if inner is None else Descriptor(kind, inner)  # type: ignore[arg-type]

    return make


def _iterated(run: Run, arguments: Arguments, position: int) -> Value | None:
    value = arguments.get(position)
    return None if value is None else functions.expand(run, value)


def _map(run: Run, arguments: Arguments, place: Place) -> Value:
    function, iterable = arguments.get(0), _iterated(run, arguments, 1)
    if function is None or iterable is None:
        return UNKNOWN
    known = evaluate.members(iterable)
    if known is None:
        with run.under((run.new_point(), 0)):
            member = evaluate.element(iterable)
            return Items("list", [calls.call(run, function, Arguments([member]), place)], False)
    results = [calls.call(run, function, Arguments([one]), place) for one in known]
    return Items("list", results)


def _sequence(run: Run, arguments: Arguments, place: Place) -> Value:
    """`list(x)`, `tuple(x)`, `sorted(x)`, `reversed(x)`, `iter(x)`."""
    given = _iterated(run, arguments, 0)
    if given is None:
        return Items("list", [])
    known = evaluate.members(given)
    if known is None:
        return given if isinstance(given, Items) else UNKNOWN
    return Items("list", list(known))


def _zip(run: Run, arguments: Arguments, place: Place) -> Value:
    columns = [evaluate.members(functions.expand(run, one)) for one in arguments.positional]
    if any(column is None for column in columns):
        return UNKNOWN
    known = [column for column in columns if column is not None]
    return Items("list", [Items("tuple", list(row)) for row in zip(*known, strict=False)])


def _enumerate(run: Run, arguments: Arguments, place: Place) -> Value:
    given = _iterated(run, arguments, 0)
    known = None if given is None else evaluate.members(given)
    if known is None:
        return UNKNOWN
    rows: list[Value] = [Items("tuple", [scalar("int", i), v]) for i, v in enumerate(known)]
    return Items("list", rows)


def _range(run: Run, arguments: Arguments, place: Place) -> Value:
    bounds = [evaluate.literal(one) for one in arguments.positional]
    known = [bound for bound in bounds if isinstance(bound, int)]
    if not known or len(known) != len(bounds):
        return Items("list", [scalar("int")], complete=False)
    # Two rounds show what one round leaves for the next.
    numbers = list(range(*known)[:2])
    return Items("list", [scalar("int", number) for number in numbers])


def _dict(run: Run, arguments: Arguments, place: Place) -> Value:
    found = keyword_items(arguments.keywords)
    given = arguments.get(0)
    if isinstance(given, DictItems):
        found.items.update(given.items)
        found.others.extend(given.others)
    elif given is not None:
        found.others.append(UNKNOWN)
    return found


def _next(run: Run, arguments: Arguments, place: Place) -> Value:
    given = _iterated(run, arguments, 0)
    if isinstance(given, Items) and given.items:
        return given.items[0]
    return UNKNOWN


def _setattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name, value = (arguments.get(i) for i in range(3))
    text = None if name is None else evaluate.literal(name)
    if owner is not None and value is not None and isinstance(text, str):
        calls.set_attribute(run, owner, text, value)
    return NONE


def _getattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    text = None if name is None else evaluate.literal(name)
    if owner is not None and isinstance(text, str):
        return calls.attribute(run, owner, text, place)
    return UNKNOWN


def _type(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    return given.cls if isinstance(given, Instance) else UNKNOWN


def _typevar(run: Run, arguments: Arguments, place: Place) -> Value:
    bound = arguments.keywords.get("bound")
    if bound is not None:
        return HintValue(OpaqueHint("a type variable", hint_of(bound, "?")))
    return HintValue(OpaqueHint("a type variable"))


def _new_type(run: Run, arguments: Arguments, place: Place) -> Value:
    return UNKNOWN


def _import_module(run: Run, arguments: Arguments, place: Place) -> Value:
    name = arguments.get(0, "name")
    text = None if name is None else evaluate.literal(name)
    if not isinstance(text, str) or text.startswith("."):
        return UNKNOWN
    module = run.scopes[-1].module.load(text)
    if isinstance(module, ModuleValue):
        run.adopt(module.module)
    return module


def _reduce(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0)
    if function is None:
        return UNKNOWN
    with run.under((run.new_point(), 0)):
        return calls.call(run, function, Arguments([UNKNOWN, UNKNOWN]), place)


# -- plum ------------------------------------------------------------------------------------

CONVERT = tracing.CONVERT
PROMOTE = FunctionId("plum's own", None, "promote")


def _dispatcher(run: Run, arguments: Arguments, place: Place) -> Value:
    return DispatcherValue(f"{place.path}:{place.line}:{place.column}")


def _function(run: Run, arguments: Arguments, place: Place) -> Value:
    """`plum.Function(f)`: a dispatched function that no dispatcher knows."""
    method = arguments.get(0, "f")
    name = None if method is None else name_of(method)
    home = f"{place.path}:{place.line}:{place.column}"
    function = FunctionId(home, None, name or "a function")
    run.create(function, registering.parameter_names(function_under(method) if method else None))
    return PlumFunction(function)


def _signature(run: Run, arguments: Arguments, place: Place) -> Value:
    precedence = arguments.keywords.get("precedence")
    level = None if precedence is None else evaluate.literal(precedence)
    return SignatureValue(
        tuple(arguments.positional),
        arguments.keywords.get("varargs"),
        level if isinstance(level, int) else None,
    )


def _overload(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0)
    if isinstance(function, Func):
        key = (function.scope.module.name, function.qualname)
        known = run.overloads.setdefault(key, [])
        # The same definition run again takes its own place (a loop, a reload).
        known[:] = [f for f in known if f.definition is not function.definition] + [function]
    return function or UNKNOWN


def _parametric(run: Run, arguments: Arguments, place: Place) -> Value:
    cls = arguments.get(0)
    if isinstance(cls, ClassValue):
        cls.scope.names["__plum_parametric__"] = NONE
    return cls or Symbol("plum.parametric")


def _add_conversion(run: Run, arguments: Arguments, place: Place) -> Value:
    of, to, method = (arguments.get(i, n) for i, n in enumerate(("type_from", "type_to", "f")))
    if of is not None and to is not None and method is not None:
        register_conversion(run, of, to, method, place)
    return NONE


def _conversion_method(run: Run, arguments: Arguments, place: Place) -> Value:
    of, to = arguments.get(0, "type_from"), arguments.get(1, "type_to")
    if of is None or to is None:
        return UNKNOWN
    return Operation(Items("tuple", [of, to]), "conversion")


def register_conversion(run: Run, of: Value, to: Value, method: Value, place: Place) -> None:
    """A conversion is a method of plum's own function, which every return annotation asks."""
    types = (hint_of(of, "?"), hint_of(to, "?"))
    label = f"the conversion from {describe(types[0])} to {describe(types[1])}"
    registering.register_rule(run, CONVERT, (types,), label, method, place)


def _add_promotion(run: Run, arguments: Arguments, place: Place) -> Value:
    names = ("type1", "type2", "type_to")
    first, second, to = (arguments.get(i, n) for i, n in enumerate(names))
    if first is not None and second is not None and to is not None:
        types = (hint_of(first, "?"), hint_of(second, "?"))
        label = f"the promotion rule for {describe(types[0])} and {describe(types[1])}"
        both = (types,) if types[0] == types[1] else (types, types[::-1])
        registering.register_rule(run, PROMOTE, both, label, to, place)
    return NONE


def _convert(run: Run, arguments: Arguments, place: Place) -> Value:
    value, to = arguments.get(0, "obj"), arguments.get(1, "type_to")
    if value is None or to is None:
        return UNKNOWN
    return tracing.convert(run, value, to, hint_of(to, "?"), place)


def _promote(run: Run, arguments: Arguments, place: Place) -> Value:
    values = arguments.positional
    if len(values) == 2 and not arguments.open:
        given = tuple(argument_of(value) for value in values)
        tracing.choose(run, PlumFunction(PROMOTE, open=True), given, place)
    return UNKNOWN


HANDLERS: Mapping[str, Callable[[Run, Arguments, Place], Value]] = {
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _update_wrapper,
    "functools.lru_cache": _lru_cache,
    "functools.cache": _lru_cache,
    "functools.reduce": _reduce,
    "builtins.staticmethod": _descriptor("staticmethod"),
    "builtins.classmethod": _descriptor("classmethod"),
    "builtins.property": _descriptor("property"),
    "functools.cached_property": _descriptor("property"),
    "builtins.map": _map,
    "builtins.list": _sequence,
    "builtins.tuple": _sequence,
    "builtins.set": _sequence,
    "builtins.sorted": _sequence,
    "builtins.reversed": _sequence,
    "builtins.iter": _sequence,
    "builtins.zip": _zip,
    "builtins.enumerate": _enumerate,
    "builtins.range": _range,
    "builtins.dict": _dict,
    "builtins.next": _next,
    "builtins.setattr": _setattr,
    "builtins.getattr": _getattr,
    "builtins.type": _type,
    "typing.TypeVar": _typevar,
    "typing_extensions.TypeVar": _typevar,
    "typing.NewType": _new_type,
    "typing.cast": _second,
    "typing.override": _same,
    "typing.final": _same,
    "typing.no_type_check": _same,
    "typing.overload": _overload,
    "typing_extensions.overload": _overload,
    "typing_extensions.override": _same,
    "importlib.import_module": _import_module,
    "jax.block_until_ready": _same,
    "jax.device_put": _same,
    "jax.lax.stop_gradient": _same,
    "jax.tree_util.register_pytree_node_class": _same,
    "jax.tree_util.register_dataclass": _same,
    "jax.ShapeDtypeStruct": lambda run, arguments, place: array(),
    "plum.Dispatcher": _dispatcher,
    "plum.Function": _function,
    "plum.Signature": _signature,
    "plum.overload": _overload,
    "plum.parametric": _parametric,
    "plum.add_conversion_method": _add_conversion,
    "plum.conversion_method": _conversion_method,
    "plum.add_promotion_rule": _add_promotion,
    "plum.convert": _convert,
    "plum.promote": _promote,
}
