"""Calls into the standard library, and the small helpers of JAX, that hand functions on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    imports,
    iteration,
    literals,
    operators,
    pytrees,
    settings,
    trace_table,
)
from plum_jit_lint.static.interpreter.annotation_values import hint_of
from plum_jit_lint.static.interpreter.inspection import function_under
from plum_jit_lint.static.interpreter.leaving import Exited
from plum_jit_lint.static.interpreter.library_values import (
    ContextManagerFunction,
    ExportedFunction,
    FixtureValue,
    LazyAttributes,
    Sequential,
    Suppress,
    WrapsDecorator,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    ClassValue,
    ExitStack,
    FunctionValue,
    HintValue,
    Instance,
    Manager,
    MappingValue,
    Memoised,
    ModuleValue,
    Partial,
    SequenceValue,
    Symbol,
    Typed,
    Value,
    array,
    scalar,
)
from plum_jit_lint.static.types.hints import OpaqueHint
from plum_jit_lint.syntax.walk import absolute_name

SCALARS = {"int", "float", "complex", "bool", "str", "bytes"}


def _partial(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0)
    if function is None:
        return TOP
    keywords = dict(arguments.keywords)
    if arguments.open_keywords:
        # `partial(jax.jit, **options)`: what is static is not known.
        keywords.setdefault("static_argnames", TOP)
    return Partial(function, tuple(arguments.positional[1:]), keywords)


def _wraps(run: Run, arguments: Arguments, place: Place) -> Value:
    wrapped = arguments.get(0, "wrapped")
    return TOP if wrapped is None else WrapsDecorator(wrapped)


def call_wraps_decorator(
    run: Run, decorator: WrapsDecorator, arguments: Arguments, place: Place
) -> Value:
    function = arguments.get(0)
    if not isinstance(function, FunctionValue):
        return TOP
    function.wraps = decorator.wrapped
    return function


def _update_wrapper(run: Run, arguments: Arguments, place: Place) -> Value:
    wrapper, wrapped = arguments.get(0, "wrapper"), arguments.get(1, "wrapped")
    if isinstance(wrapper, FunctionValue) and wrapped is not None:
        wrapper.wraps = wrapped
    return wrapper or TOP


def _lru_cache(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "user_function")
    if function is None or isinstance(function, Typed):
        return Symbol("functools.cache")
    return Memoised(function)


def _contextmanager(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "func")
    return TOP if function is None else ContextManagerFunction(function)


def _null_context(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0, "enter_result") or NONE
    return Manager(lambda place: (given, lambda: None), (given,))


def _closing(run: Run, arguments: Arguments, place: Place) -> Value:
    closed = arguments.get(0, "thing") or TOP

    def entering(place: Place) -> tuple[Value, Callable[[], object]]:
        close = run.get_attribute(closed, "close", place)
        return closed, lambda: run.call(close, Arguments([]), place)

    return Manager(entering, (closed,))


def _bool(run: Run, arguments: Arguments, place: Place) -> Value:
    given = arguments.get(0)
    return scalar("bool", given is not None and operators.truth_in(run, given, place))


def _suppress(run: Run, arguments: Arguments, place: Place) -> Value:
    """`contextlib.suppress(...)`: the exceptions that it takes."""
    return Suppress(SequenceValue("tuple", arguments.positional, not arguments.open))


def _opaque(run: Run, arguments: Arguments, place: Place) -> Value:
    return TOP


def _same(run: Run, arguments: Arguments, place: Place) -> Value:
    return arguments.get(0) or TOP


def _pytree(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.tree_util.register_dataclass(cls, ...)` and its like; without a class it waits."""
    cls = arguments.get(0, "cls", "nodetype")
    pytrees.told(run, cls)
    return cls or TOP


def _second(run: Run, arguments: Arguments, place: Place) -> Value:
    """`typing.cast(type, value)`."""
    return arguments.get(1) or TOP


def _typevar(run: Run, arguments: Arguments, place: Place) -> Value:
    bound = arguments.keywords.get("bound")
    if bound is not None:
        return HintValue(OpaqueHint("a type variable", hint_of(bound, "?")), (bound,))
    return HintValue(OpaqueHint("a type variable"))


def _import_module(run: Run, arguments: Arguments, place: Place) -> Value:
    name = arguments.get(0, "name")
    text = None if name is None else literals.literal(name)
    if not isinstance(text, str):
        return TOP
    if text.startswith("."):
        package = arguments.get(1, "package")
        base = None if package is None else literals.literal(package)
        level = len(text) - len(text.lstrip("."))
        if not isinstance(base, str):
            return TOP
        text = absolute_name(base, True, level, text[level:])
    return imports.run_module(run, run.now.scope, text, place)


def _dunder_import(run: Run, arguments: Arguments, place: Place) -> Value:
    _import_module(run, Arguments(arguments.positional[:1]), place)
    name = literals.literal(arguments.positional[0]) if arguments.positional else None
    top = name.partition(".")[0] if isinstance(name, str) else ""
    return run.now.scope.module.load(top) if top else TOP


def _attach(run: Run, arguments: Arguments, place: Place) -> Value:
    """`lazy_loader.attach(package, submodules, submod_attrs)`: modules by attribute name."""
    scope = run.now.scope
    package = scope.module.name
    found: dict[str, str] = {}
    submodules = arguments.get(1, "submodules")
    if isinstance(submodules, SequenceValue):
        for one in submodules.items:
            name = literals.literal(one)
            if isinstance(name, str):
                found[name] = f"{package}.{name}"
    attributes = arguments.get(2, "submod_attrs")
    if isinstance(attributes, MappingValue):
        for module, names in attributes.items.items():
            for one in names.items if isinstance(names, SequenceValue) else ():
                name = literals.literal(one)
                if isinstance(name, str):
                    found[name] = f"{package}.{module}:{name}"
    return SequenceValue("tuple", [LazyAttributes(found), TOP, TOP])


def call_lazy_attributes(
    run: Run, attached: LazyAttributes, arguments: Arguments, place: Place
) -> Value:
    """The attribute of a package that `lazy_loader` imports when it is asked for."""
    name = arguments.get(0)
    key = None if name is None else literals.literal(name)
    if not isinstance(key, str) or key not in attached.targets:
        return TOP
    target = attached.targets[key]
    module, _, attribute = target.partition(":")
    found = imports.run_module(run, run.now.scope, module, place)
    if attribute and isinstance(found, ModuleValue):
        return found.module.member(attribute)
    return found


def _fixture(run: Run, arguments: Arguments, place: Place) -> Value:
    """`@pytest.fixture`, plain or with arguments."""
    function = arguments.get(0, "fixture_function")
    keywords = arguments.keywords
    if function is None:
        return Partial(Symbol("pytest.fixture"), (), dict(keywords))
    scope, autouse, name = (_option(keywords, one) for one in ("scope", "autouse", "name"))
    return FixtureValue(
        function,
        scope if isinstance(scope, str) and scope else "function",
        autouse is True,
        name if isinstance(name, str) and name else None,
        keywords.get("params"),
    )


def _option(keywords: Mapping[str, Value], name: str) -> object:
    return literals.literal(keywords[name]) if name in keywords else None


def _hook(run: Run, arguments: Arguments, place: Place) -> Value:
    """`@pytest.hookimpl`, plain or with arguments."""
    function = arguments.get(0, "function")
    under = None if function is None else function_under(function)
    if function is None or under is None:
        return Partial(Symbol("pytest.hookimpl"), (), dict(arguments.keywords))
    under.marks.append(Partial(Symbol("pytest.hookimpl"), (), dict(arguments.keywords)))
    return function


def _at_exit(run: Run, arguments: Arguments, place: Place) -> Value:
    """`atexit.register(f)`: it is called, once everything is over."""
    function = arguments.get(0, "func")
    under = None if function is None else function_under(function)
    if under is not None:
        run.called.add(id(under.definition))
    return function or TOP


def _partition(run: Run, arguments: Arguments, place: Place) -> Value:
    """`equinox.partition(tree, ...)`: two trees of the same shape."""
    tree = arguments.get(0, "pytree") or TOP
    return SequenceValue("tuple", [tree, tree])


def _sequential(run: Run, arguments: Arguments, place: Place) -> Value:
    layers = arguments.get(0, "layers")
    return Sequential(layers) if isinstance(layers, SequenceValue) else TOP


def call_sequential(run: Run, model: Sequential, arguments: Arguments, place: Place) -> Value:
    result = arguments.get(0) or TOP
    for layer in model.layers.items:
        result = run.call(layer, Arguments([result]), place)
    return result


def mark(path: str, arguments: Arguments) -> Value:
    """`pytest.mark.skipif(...)`, and what it does as a decorator: the test is told of it."""
    *given, last = arguments.positional or [TOP]
    target = last if isinstance(last, ClassValue) else function_under(last)
    if target is None:
        return Partial(Symbol(path), tuple(arguments.positional), arguments.keywords)
    target.marks.append(Partial(Symbol(path), tuple(given), arguments.keywords))
    return last


def _param(run: Run, arguments: Arguments, place: Place) -> Value:
    """`pytest.param(...)`."""
    return Partial(Symbol("pytest.param"), tuple(arguments.positional), arguments.keywords)


def _exit(run: Run, arguments: Arguments, place: Place) -> Value:
    raise Exited


def _tree_map(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.tree.map(f, tree, *rest)`: `f` of each leaf."""
    function, tree = arguments.get(0, "f"), arguments.get(1, "tree")
    if function is None or tree is None:
        return TOP
    others = [TOP] * max(0, len(arguments.positional) - 2)

    def leaves(value: Value) -> Value:
        if isinstance(value, SequenceValue) and value.complete:
            return SequenceValue(value.kind, [leaves(one) for one in value.items])
        if isinstance(value, MappingValue) and not value.others:
            return MappingValue({key: leaves(one) for key, one in value.items.items()})
        if isinstance(value, Instance):
            return Instance(value.cls, {k: leaves(v) for k, v in value.attributes.items()})
        return run.call(function, Arguments([value, *others]), place)

    return leaves(tree)


def _thread(run: Run, arguments: Arguments, place: Place) -> Value:
    target, given = arguments.keywords.get("target"), arguments.keywords.get("args")
    if target is None:
        return TOP
    known = given.items if isinstance(given, SequenceValue) else []
    return Partial(target, tuple(known), {})


def _timeit(run: Run, arguments: Arguments, place: Place) -> Value:
    function = arguments.get(0, "stmt")
    if function is not None:
        run.call(function, Arguments([]), place)
    return scalar("float")


def _gather(run: Run, arguments: Arguments, place: Place) -> Value:
    return SequenceValue("list", [iteration.expand(run, value) for value in arguments.positional])


def _config_update(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.config.update(name, value)`: a trace is kept for one configuration."""
    given = arguments.get(0, "name")
    name = None if given is None else literals.literal(given)
    if name == "jax_disable_jit":
        settings.configure_jit(run, switched(arguments.get(1, "val") or TOP))
    elif name in PART_OF_KEY:
        trace_table.clear(run, None, place)
    return NONE


def switched(value: Value) -> frozenset[bool | None]:
    """What a switch may be after it was set to a value."""
    known = literals.truth(value)
    return frozenset({True, False}) if known is None else frozenset({known})


PART_OF_KEY = {"jax_enable_x64", "jax_default_matmul_precision", "jax_numpy_dtype_promotion"}


def _exported(run: Run, arguments: Arguments, place: Place) -> Value:
    """`jax.export.export(jitted)(x)` traces into the cache that the jitted function reads."""
    target = arguments.get(0, "fun_jit")
    return TOP if target is None else ExportedFunction(target)


HANDLERS: Mapping[str, Callable[[Run, Arguments, Place], Value]] = {
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _update_wrapper,
    "functools.lru_cache": _lru_cache,
    "functools.cache": _lru_cache,
    "functools.singledispatch": _opaque,
    "builtins.abs": _same,
    "builtins.bool": _bool,
    "builtins.exit": _exit,
    "builtins.quit": _exit,
    "sys.exit": _exit,
    "os._exit": _exit,
    "equinox.tree_at": _second,
    "equinox.partition": _partition,
    "equinox.combine": _same,
    "equinox.filter": _same,
    "equinox.apply_updates": _same,
    "equinox.nn.Lambda": _same,
    "equinox.nn.Sequential": _sequential,
    "optax.apply_updates": _same,
    "types.MappingProxyType": _same,
    "atexit.register": _at_exit,
    "enum.member": _same,
    "threading.Thread": _thread,
    "timeit.timeit": _timeit,
    "timeit.repeat": _timeit,
    "asyncio.run": _same,
    "asyncio.gather": _gather,
    "asyncio.create_task": _same,
    "jax.tree.map": _tree_map,
    "jax.tree_util.tree_map": _tree_map,
    "jax.tree_util.Partial": _partial,
    "jax.config.update": _config_update,
    "jax.export.export": _exported,
    "contextlib.suppress": _suppress,
    "contextlib.contextmanager": _contextmanager,
    "contextlib.asynccontextmanager": _contextmanager,
    "typing.TypeVar": _typevar,
    "typing_extensions.TypeVar": _typevar,
    "typing.cast": _second,
    "typing.override": _same,
    "typing.final": _same,
    "typing.no_type_check": _same,
    "typing_extensions.override": _same,
    "importlib.import_module": _import_module,
    "builtins.__import__": _dunder_import,
    "contextlib.ExitStack": lambda run, arguments, place: ExitStack(),
    "contextlib.nullcontext": _null_context,
    "contextlib.closing": _closing,
    "pytest.importorskip": _import_module,
    "lazy_loader.attach": _attach,
    "pytest.fixture": _fixture,
    "pytest.hookimpl": _hook,
    "pytest.param": _param,
    "pytest.skip": _exit,
    "pytest.xfail": _exit,
    "pytest.fail": _exit,
    "unittest.skip": lambda run, arguments, place: Partial(Symbol("pytest.mark.skip"), (), {}),
    "jax.block_until_ready": _same,
    "jax.device_put": _same,
    "jax.lax.stop_gradient": _same,
    **{f"jax.tree_util.{name}": _pytree for name in pytrees.REGISTERING},
    "jax.ShapeDtypeStruct": lambda run, arguments, place: array(),
}
