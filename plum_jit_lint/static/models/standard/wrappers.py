"""Calls that wrap functions and blocks: `functools`, `contextlib`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter.library_values import (
    ContextManagerFunction,
    ForeignManager,
    Suppress,
    WrapsDecorator,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    ExitStack,
    FunctionValue,
    Manager,
    Memoised,
    Partial,
    SequenceValue,
    Symbol,
    Typed,
    Value,
)
from plum_jit_lint.static.models.common import Handler, opaque


def partial(run: Run, arguments: Arguments, place: Place) -> Value:
    """`functools.partial(...)`."""
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
    """What `@functools.wraps(wrapped)` makes of a function: the same one, which knows `wrapped`."""
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


def _suppress(run: Run, arguments: Arguments, place: Place) -> Value:
    """`contextlib.suppress(...)`: the exceptions that it takes."""
    return Suppress(SequenceValue("tuple", arguments.positional, not arguments.open))


def unlisted(path: str, arguments: Arguments) -> Value | None:
    """What other functions of `contextlib` give."""
    return ForeignManager(path) if path.startswith("contextlib.") else None


HANDLERS: Mapping[str, Handler] = {
    "functools.partial": partial,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _update_wrapper,
    "functools.lru_cache": _lru_cache,
    "functools.cache": _lru_cache,
    "functools.singledispatch": opaque,
    "contextlib.suppress": _suppress,
    "contextlib.contextmanager": _contextmanager,
    "contextlib.asynccontextmanager": _contextmanager,
    "contextlib.ExitStack": lambda run, arguments, place: ExitStack(),
    "contextlib.nullcontext": _null_context,
    "contextlib.closing": _closing,
}
