"""Calls into pytest: fixtures, marks, parameters, and what skips a test."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import literals
from plum_jit_lint.static.interpreter.inspection import function_under
from plum_jit_lint.static.interpreter.library_values import (
    FixtureValue,
    ForeignManager,
)
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    Arguments,
    ClassValue,
    Partial,
    Symbol,
    Value,
)
from plum_jit_lint.static.models.common import Handler, leave
from plum_jit_lint.static.models.standard.loading import import_module


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


def _mark(path: str, arguments: Arguments) -> Value:
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


def unlisted(path: str, arguments: Arguments) -> Value | None:
    """What marks, and other functions of pytest, give."""
    if path.startswith("pytest.mark."):
        return _mark(path, arguments)
    return ForeignManager(path) if path.startswith("pytest.") else None


HANDLERS: Mapping[str, Handler] = {
    "pytest.importorskip": import_module,
    "pytest.fixture": _fixture,
    "pytest.hookimpl": _hook,
    "pytest.param": _param,
    "pytest.skip": leave,
    "pytest.xfail": leave,
    "pytest.fail": leave,
    "unittest.skipIf": lambda run, arguments, place: _mark("unittest.skipIf", arguments),
    "unittest.skipUnless": lambda run, arguments, place: _mark("unittest.skipUnless", arguments),
    "unittest.skip": lambda run, arguments, place: Partial(Symbol("pytest.mark.skip"), (), {}),
}
