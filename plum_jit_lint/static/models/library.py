"""What the abstract run knows of other libraries: plum, JAX, Equinox, numpy, the standard one."""

from __future__ import annotations

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import CLEAR_ALL, CONCRETE, DISABLE_JIT, PART_OF_KEY, Row
from plum_jit_lint.static.interpreter import (
    arrays,
    exceptions,
    iteration,
    known_values,
    operators,
    paths,
    pytrees,
    qualified_names,
    settings,
    trace_table,
)
from plum_jit_lint.static.interpreter.class_lookup import class_of
from plum_jit_lint.static.interpreter.inspection import abstract_key
from plum_jit_lint.static.interpreter.library_values import ForeignManager
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    Generator,
    Manager,
    Partial,
    Symbol,
    Typed,
    Value,
    scalar,
)
from plum_jit_lint.static.models import (
    array_functions,
    iterables,
    loading,
    objects,
    patches,
    plum,
    standard_library,
    transforms,
)
from plum_jit_lint.static.types.hints import BUILTIN, ArrayArg, InstanceArg, ScalarArg

LAZY = {
    *(f"builtins.{name}" for name in ("map", "filter", "iter", "enumerate", "zip", "next")),
    "itertools.starmap",
}
"""Callables that do not run what they are given."""


def call(run: Run, path: str, arguments: Arguments, place: Place) -> Value:
    """A call of something that another library defines."""
    path = qualified_names.canonical(path)
    if path not in LAZY:
        arguments = _expanded(run, path, arguments)
    row = run.program.rows.get(path)
    if row is not None:
        return _of_row(run, row, path, arguments, place)
    special = operators.by_special(run, path, arguments, place)
    if special is not None:
        return special
    found = known_values.converted(path, arguments)
    if isinstance(found, type):
        exceptions.fail(run, found.__name__)
    elif found is not None:
        return found
    handler = HANDLERS.get(path)
    if handler is not None:
        return handler(run, arguments, place)
    if path.startswith("pytest.mark.") or path in ("unittest.skipIf", "unittest.skipUnless"):
        return standard_library.mark(path, arguments)
    if path in CONCRETE:
        return TOP
    of_jax = _of_jax_state(run, path, arguments, place)
    if of_jax is not None:
        return of_jax
    if path.startswith(("pytest.", "contextlib.")):
        return ForeignManager(path)
    if not path.startswith(pytrees.TELLING_NOBODY):
        pytrees.perhaps_told(arguments.values())
    transforms.may_call(run, arguments, place)
    return _by_prefix(path, arguments)


def _expanded(run: Run, path: str, arguments: Arguments) -> Arguments:
    """The arguments, generators among them run: whoever is given one may run it."""
    return Arguments(
        [
            iteration.expand(run, value)
            if isinstance(value, Generator) or path in iterables.HANDLERS
            else value
            for value in arguments.positional
        ],
        arguments.keywords,
        arguments.open,
        arguments.open_keywords,
    )


def _of_row(run: Run, row: Row, path: str, arguments: Arguments, place: Place) -> Value:
    """A call of jit or of another transform."""
    if row.kind in ("caching-call", "call"):
        return transforms.call_transform(run, row, arguments, place)
    target = arguments.get(0, *row.keywords)
    if target is None:
        # `jax.jit(static_argnames=...)` waits for the function.
        return Partial(Symbol(path), (), dict(arguments.keywords))
    return transforms.wrap(run, row, target, arguments)


def _of_jax_state(run: Run, path: str, arguments: Arguments, place: Place) -> Value | None:
    """A call that empties JAX's caches, or changes for a while how it traces."""
    if path in CLEAR_ALL:
        trace_table.clear(run, None, place)
        return NONE
    if path == "equinox.clear_caches":
        trace_table.clear(
            run,
            [e.id for e in run.state.entries.values() if e.space != "equinox.filter_jit"],
            place,
        )
        return NONE
    if path in PART_OF_KEY:
        given = tuple(arguments.positional)
        value = None if given == (NONE,) else tuple(map(abstract_key, given))
        return Manager(lambda place: (TOP, settings.set_context(run, path, value)), given)
    if path in DISABLE_JIT:
        off = standard_library.switched(arguments.get(0, "disable") or scalar("bool", True))
        return Manager(lambda place: (NONE, settings.hold_jit(run, off)))
    return None


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
NOT_ARRAYS = {"shape", "ndim", "size", "dtype", "result_type", "iinfo", "finfo", "issubdtype"}


def _of_array(name: str, arguments: Arguments) -> Value:
    """`jnp.ndim(x)` and the like."""
    if name == "issubdtype":
        return scalar("bool")
    given = arguments.get(0, "a")
    if name not in ("shape", "ndim", "size") or not isinstance(given, Typed):
        return TOP
    if isinstance(given.argument, ArrayArg) and len(arguments.positional) < 2:
        return arrays.attribute(given.argument, name) or TOP
    return TOP


def _by_prefix(path: str, arguments: Arguments) -> Value:
    name = path.rpartition(".")[2]
    if path.startswith(ARRAY_MAKERS):
        if name in NOT_ARRAYS:
            return _of_array(name, arguments)
        return array_functions.made(path, arguments)
    if path.startswith("numpy."):
        if path in BUILTIN:
            return Typed(ScalarArg(BUILTIN[path]))
        return Typed(InstanceArg(BUILTIN["numpy.ndarray"], True))
    if path in BUILTIN and path.startswith("builtins."):
        return Typed(ScalarArg(BUILTIN[path])) if name in standard_library.SCALARS else TOP
    if name[:1].isupper() and "." in path:
        # Another library may give an object of a class below.
        return Typed(InstanceArg(class_of(path), path.startswith("builtins.")))
    return TOP


HANDLERS = {
    **standard_library.HANDLERS,
    **iterables.HANDLERS,
    **objects.HANDLERS,
    **plum.HANDLERS,
    **patches.HANDLERS,
    **loading.HANDLERS,
    **paths.HANDLERS,
}
