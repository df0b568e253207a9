"""A call of something that another library defines: the tables of all libraries, put together."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import TELL_JAX_NOTHING
from plum_jit_lint.knowledge.rows import Row
from plum_jit_lint.static.interpreter import exceptions, iteration, pytrees, qualified_names
from plum_jit_lint.static.interpreter.class_lookup import class_of
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Generator,
    Partial,
    Symbol,
    Typed,
    Value,
)
from plum_jit_lint.static.models import equinox, jax, numpy, others, plum, pytest, standard
from plum_jit_lint.static.models.common import Handler
from plum_jit_lint.static.models.jax import array_functions, transforms
from plum_jit_lint.static.models.standard import iterables, scalars, wrappers
from plum_jit_lint.static.types.hints import InstanceArg

HANDLERS: Mapping[str, Handler] = {
    **standard.HANDLERS,
    **jax.HANDLERS,
    **equinox.HANDLERS,
    **plum.HANDLERS,
    **pytest.HANDLERS,
    **others.HANDLERS,
}
"""What calls do, by qualified name."""

MANAGERS = (pytest.handlers.unlisted, wrappers.unlisted)
"""Libraries whose other functions call nothing that they are given, and give context managers."""

RESULTS = (array_functions.result, numpy.result, scalars.result)
"""What the other functions of a library return, for those of which that is known."""


def call(run: Run, path: str, arguments: Arguments, place: Place) -> Value:
    """A call of something that another library defines."""
    path = qualified_names.canonical(path)
    if path not in iterables.LAZY:
        arguments = _expanded(run, path, arguments)
    row = run.program.rows.get(path)
    if row is not None:
        return _of_row(run, row, path, arguments, place)
    special = scalars.by_special(run, path, arguments, place)
    if special is not None:
        return special
    found = scalars.converted(path, arguments)
    if isinstance(found, type):
        exceptions.fail(run, found.__name__)
    elif found is not None:
        return found
    handler = HANDLERS.get(path)
    if handler is not None:
        return handler(run, arguments, place)
    for unlisted in MANAGERS:
        given = unlisted(path, arguments)
        if given is not None:
            return given
    if not path.startswith(TELL_JAX_NOTHING):
        pytrees.may_register_classes(arguments.values())
    transforms.may_call(run, arguments, place)
    return _result(path, arguments)


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


def _result(path: str, arguments: Arguments) -> Value:
    for result in RESULTS:
        given = result(path, arguments)
        if given is not None:
            return given
    if path.rpartition(".")[2][:1].isupper() and "." in path:
        # Another library may give an object of a class below.
        return Typed(InstanceArg(class_of(path), False))
    return TOP
