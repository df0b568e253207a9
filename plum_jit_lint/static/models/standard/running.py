"""Calls that run functions elsewhere or later: threads, `asyncio`, `atexit`, `timeit`."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import iteration
from plum_jit_lint.static.interpreter.inspection import function_under
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    Partial,
    SequenceValue,
    Value,
    scalar,
)
from plum_jit_lint.static.models.common import Handler, leave, same


def _at_exit(run: Run, arguments: Arguments, place: Place) -> Value:
    """`atexit.register(f)`: it is called, once everything is over."""
    function = arguments.get(0, "func")
    under = None if function is None else function_under(function)
    if under is not None:
        run.called.add(id(under.definition))
    return function or TOP


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


HANDLERS: Mapping[str, Handler] = {
    "builtins.exit": leave,
    "builtins.quit": leave,
    "sys.exit": leave,
    "os._exit": leave,
    "atexit.register": _at_exit,
    "threading.Thread": _thread,
    "timeit.timeit": _timeit,
    "timeit.repeat": _timeit,
    "asyncio.run": same,
    "asyncio.gather": _gather,
    "asyncio.create_task": same,
}
