"""Calls into the standard library, and the small helpers of JAX, that hand functions on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.relevance import absolute_name
from plum_jit_lint.static.run import (
    attributes,
    calls,
    containers,
    functions,
    imports,
    operators,
)
from plum_jit_lint.static.run.annotations import hint_of
from plum_jit_lint.static.run.inspection import argument_of
from plum_jit_lint.static.run.machine import Exited, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Arguments,
    ClassValue,
    Data,
    Descriptor,
    DictItems,
    Func,
    Generator,
    HintValue,
    Instance,
    Items,
    Memoised,
    ModuleValue,
    Operation,
    Partial,
    Scope,
    Symbol,
    Value,
    array,
    keyword_items,
    scalar,
)
from plum_jit_lint.static.types.answers import any_of
from plum_jit_lint.static.types.hints import Cls, InstanceArg, OpaqueHint

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


def _new(run: Run, arguments: Arguments, place: Place) -> Value:
    cls = arguments.get(0)
    return Instance(cls, {}) if isinstance(cls, ClassValue) else UNKNOWN


def _contextmanager(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "func")
    return UNKNOWN if function is None else Operation(function, "contextmanager")


def _opaque(run: Run, arguments: Arguments, place: Place) -> Value:
    return UNKNOWN


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
    """`map` runs nothing until somebody iterates."""
    return Generator(lambda: _mapped(run, arguments, place), tuple(arguments.values()))


def _filter(run: Run, arguments: Arguments, place: Place) -> Value:
    def work() -> Value:
        _mapped(run, arguments, place)
        kept = _iterated(run, arguments, 1)
        if isinstance(kept, Items):
            return Items("list", list(kept.items), complete=False, alike=True)
        return UNKNOWN

    return Generator(work, tuple(arguments.values()))


def _mapped(run: Run, arguments: Arguments, place: Place) -> Value:
    function, iterable = arguments.get(0), _iterated(run, arguments, 1)
    if function is None or iterable is None:
        return UNKNOWN
    known = containers.members(iterable)
    if known is None:
        with run.under((run.new_point(), 0)):
            member = containers.element(iterable)
            return Items("list", [calls.call(run, function, Arguments([member]), place)], False)
    results = [calls.call(run, function, Arguments([one]), place) for one in known]
    return Items("list", results)


def _sequence(run: Run, arguments: Arguments, place: Place) -> Value:
    """`list(x)`, `tuple(x)`, `sorted(x)`, `reversed(x)`, `iter(x)`."""
    given = _iterated(run, arguments, 0)
    if given is None:
        return Items("list", [])
    known = containers.members(given)
    if known is None:
        return given if isinstance(given, Items) else UNKNOWN
    return Items("list", list(known))


def _zip(run: Run, arguments: Arguments, place: Place) -> Value:
    columns = [containers.members(functions.expand(run, one)) for one in arguments.positional]
    if any(column is None for column in columns):
        return UNKNOWN
    known = [column for column in columns if column is not None]
    return Items("list", [Items("tuple", list(row)) for row in zip(*known, strict=False)])


def _enumerate(run: Run, arguments: Arguments, place: Place) -> Value:
    given = _iterated(run, arguments, 0)
    known = None if given is None else containers.members(given)
    if known is None:
        return UNKNOWN
    rows: list[Value] = [Items("tuple", [scalar("int", i), v]) for i, v in enumerate(known)]
    return Items("list", rows)


def _range(run: Run, arguments: Arguments, place: Place) -> Value:
    bounds = [operators.literal(one) for one in arguments.positional]
    known = [bound for bound in bounds if isinstance(bound, int)]
    if not known or len(known) != len(bounds):
        return Items("list", [scalar("int")], complete=False)
    numbers = range(*known)
    if len(numbers) > containers.MOST_ITERATIONS:
        return Items("list", [scalar("int"), scalar("int")], alike=True)
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
    text = None if name is None else operators.literal(name)
    if owner is not None and value is not None and isinstance(text, str):
        attributes.set_attribute(run, owner, text, value)
    return NONE


def _getattr(run: Run, arguments: Arguments, place: Place) -> Value:
    owner, name = arguments.get(0), arguments.get(1)
    text = None if name is None else operators.literal(name)
    if owner is not None and isinstance(text, str):
        return attributes.attribute(run, owner, text, place)
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
    text = None if name is None else operators.literal(name)
    if not isinstance(text, str):
        return UNKNOWN
    if text.startswith("."):
        package = arguments.get(1, "package")
        base = None if package is None else operators.literal(package)
        level = len(text) - len(text.lstrip("."))
        if not isinstance(base, str):
            return UNKNOWN
        text = absolute_name(base, True, level, text[level:])
    return imports.run_module(run, run.scopes[-1], text, place)


def _dunder_import(run: Run, arguments: Arguments, place: Place) -> Value:
    _import_module(run, Arguments(arguments.positional[:1]), place)
    name = operators.literal(arguments.positional[0]) if arguments.positional else None
    top = name.partition(".")[0] if isinstance(name, str) else ""
    return run.scopes[-1].module.load(top) if top else UNKNOWN


def _attach(run: Run, arguments: Arguments, place: Place) -> Value:
    """`lazy_loader.attach(package, submodules, submod_attrs)`: modules by attribute name."""
    scope = run.scopes[-1]
    package = scope.module.name
    found = DictItems({})
    submodules = arguments.get(1, "submodules")
    if isinstance(submodules, Items):
        for one in submodules.items:
            name = operators.literal(one)
            if isinstance(name, str):
                found.items[name] = scalar("str", f"{package}.{name}")
    attributes = arguments.get(2, "submod_attrs")
    if isinstance(attributes, DictItems):
        for module, names in attributes.items.items():
            for one in names.items if isinstance(names, Items) else ():
                name = operators.literal(one)
                if isinstance(name, str):
                    found.items[name] = scalar("str", f"{package}.{module}:{name}")
    return Items("tuple", [Operation(found, "attach"), UNKNOWN, UNKNOWN])


def attached(run: Run, mapping: DictItems, name: Value, place: Place) -> Value:
    """The attribute of a package that `lazy_loader` imports when it is asked for."""
    key = operators.literal(name)
    target = operators.literal(mapping.items[key]) if key in mapping.items else None
    if not isinstance(target, str):
        return UNKNOWN
    module, _, attribute = target.partition(":")
    found = imports.run_module(run, run.scopes[-1], module, place)
    if attribute and isinstance(found, ModuleValue):
        return found.module.member(attribute)
    return found


def _fixture(run: Run, arguments: Arguments, place: Place) -> Value:
    """`@pytest.fixture`, plain or with arguments."""
    function = arguments.get(0, "fixture_function")
    keywords = arguments.keywords
    if function is None:
        return Partial(Symbol("pytest.fixture"), (), dict(keywords))
    automatic = "autouse" in keywords and operators.literal(keywords["autouse"]) is True
    scope = operators.literal(keywords["scope"]) if "scope" in keywords else "function"
    kind = " autouse" if automatic else "" if scope == "function" else " kept"
    return Operation(function, f"fixture{kind}")


def _reduce(run: Run, arguments: Arguments, place: Place) -> Value:
    function, iterable = arguments.get(0), _iterated(run, arguments, 1)
    if function is None or iterable is None:
        return UNKNOWN
    known = containers.members(iterable)
    if known is None:
        member = containers.element(iterable)
        with run.under((run.new_point(), 0)):
            return calls.call(run, function, Arguments([member, member]), place)
    first = arguments.get(2)
    rest = list(known) if first is None else [first, *known]
    result = rest[0] if rest else UNKNOWN
    for member in rest[1:]:
        result = calls.call(run, function, Arguments([result, member]), place)
    return result


def _isinstance(run: Run, arguments: Arguments, place: Place) -> Value:
    value, cls = arguments.get(0), arguments.get(1)
    if value is None or cls is None:
        return scalar("bool")
    several = cls.items if isinstance(cls, Items) and cls.complete else [cls]
    given = argument_of(value)
    answers = [run.oracle.admits(hint_of(one, "a class"), given) for one in several]
    return scalar("bool", any_of(answers))


def _len(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    if isinstance(given, Items) and given.complete:
        return scalar("int", len(given.items))
    return scalar("int")


def _abs(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0) or UNKNOWN
    return operators.unary(run, "abs", given, place) or given


def _exit(run: Run, arguments: Arguments, place: Place) -> Value:
    raise Exited


def _tree_map(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.tree.map(f, tree, *rest)`: `f` of each leaf."""
    function, tree = arguments.get(0, "f"), arguments.get(1, "tree")
    if function is None or tree is None:
        return UNKNOWN
    others = [UNKNOWN] * max(0, len(arguments.positional) - 2)

    def leaves(value: Value) -> Value:
        if isinstance(value, Items) and value.complete:
            return Items(value.kind, [leaves(one) for one in value.items])
        if isinstance(value, DictItems) and not value.others:
            return DictItems({key: leaves(one) for key, one in value.items.items()})
        if isinstance(value, Instance):
            return Instance(value.cls, {k: leaves(v) for k, v in value.attributes.items()})
        return calls.call(run, function, Arguments([value, *others]), place)

    return leaves(tree)


def _replaced(run: Run, arguments: Arguments, place: Place) -> Value:
    """`dataclasses.replace(x, ...)`: another object of the same class."""
    given = arguments.get(0, "obj")
    if isinstance(given, Instance):
        return Instance(given.cls, {**given.attributes, **arguments.keywords}, given.exact)
    return UNKNOWN


def _thread(run: Run, arguments: Arguments, place: Place) -> Value:
    target, given = arguments.keywords.get("target"), arguments.keywords.get("args")
    if target is None:
        return UNKNOWN
    known = given.items if isinstance(given, Items) else []
    return Partial(target, tuple(known), {})


def _executor(run: Run, arguments: Arguments, place: Place) -> Value:
    return Data(InstanceArg(Cls("concurrent.futures.Executor", opaque=True), False))


def _timeit(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "stmt")
    if function is not None:
        calls.call(run, function, Arguments([]), place)
    return scalar("float")


def _gather(run: Run, arguments: Arguments, place: Place) -> Value:
    return Items("list", [functions.expand(run, value) for value in arguments.positional])


def _field(run: Run, arguments: Arguments, place: Place) -> Value:
    return Operation(keyword_items(arguments.keywords), "field")


def _config_update(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.config.update(name, value)`: a trace is kept for one configuration."""
    name, value = (operators.literal(v) if v else None for v in map(arguments.get, (0, 1)))
    if name == "jax_disable_jit":
        run.jit_disabled += 1 if value else -run.jit_disabled
    elif name in PART_OF_KEY:
        run.clear(None, place)
    return NONE


PART_OF_KEY = {"jax_enable_x64", "jax_default_matmul_precision", "jax_numpy_dtype_promotion"}


def _exported(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.export.export(jitted)(x)` traces into the cache that the jitted function reads."""
    target = arguments.get(0, "fun_jit")
    return UNKNOWN if target is None else Operation(target, "exported")


def _namespace(run: Run, arguments: Arguments, place: Place) -> Value:
    """`types.SimpleNamespace(...)` and the like: an object with any attributes."""
    scope = Scope(run.scopes[-1].module, "class")
    cls = ClassValue(Cls("types.SimpleNamespace", opaque=True), scope, ())
    return Instance(cls, dict(arguments.keywords))


HANDLERS: Mapping[str, Callable[[Run, Arguments, Place], Value]] = {
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _update_wrapper,
    "functools.lru_cache": _lru_cache,
    "functools.cache": _lru_cache,
    "functools.reduce": _reduce,
    "functools.singledispatch": _opaque,
    "builtins.filter": _filter,
    "builtins.isinstance": _isinstance,
    "builtins.len": _len,
    "builtins.abs": _abs,
    "builtins.exit": _exit,
    "builtins.quit": _exit,
    "sys.exit": _exit,
    "os._exit": _exit,
    "dataclasses.replace": _replaced,
    "dataclasses.field": _field,
    "equinox.field": _field,
    "equinox.tree_at": _second,
    "enum.member": _same,
    "threading.Thread": _thread,
    "concurrent.futures.ThreadPoolExecutor": _executor,
    "timeit.timeit": _timeit,
    "timeit.repeat": _timeit,
    "asyncio.run": _same,
    "asyncio.gather": _gather,
    "asyncio.create_task": _same,
    "types.SimpleNamespace": _namespace,
    "types.ModuleType": _namespace,
    "jax.tree.map": _tree_map,
    "jax.tree_util.tree_map": _tree_map,
    "jax.tree_util.Partial": _partial,
    "jax.config.update": _config_update,
    "jax.export.export": _exported,
    "builtins.staticmethod": _descriptor("staticmethod"),
    "builtins.classmethod": _descriptor("classmethod"),
    "builtins.property": _descriptor("property"),
    "functools.cached_property": _descriptor("cached_property"),
    "builtins.object.__new__": _new,
    "contextlib.contextmanager": _contextmanager,
    "contextlib.asynccontextmanager": _contextmanager,
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
    "typing_extensions.override": _same,
    "importlib.import_module": _import_module,
    "builtins.__import__": _dunder_import,
    "pytest.importorskip": _import_module,
    "lazy_loader.attach": _attach,
    "pytest.fixture": _fixture,
    "jax.block_until_ready": _same,
    "jax.device_put": _same,
    "jax.lax.stop_gradient": _same,
    "jax.tree_util.register_pytree_node_class": _same,
    "jax.tree_util.register_dataclass": _same,
    "jax.ShapeDtypeStruct": lambda run, arguments, place: array(),
}
