"""Hooks of `conftest.py` files and their plugins: what pytest calls around a session and a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import pytest
from plum_jit_lint.static.interpreter import bodies, definitions, generators, iteration, literals
from plum_jit_lint.static.interpreter.inspection import function_under
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import FunctionValue, Partial, Symbol, Value
from plum_jit_lint.static.modules import Module

BEFORE_THE_MODULE = ("pytest_configure", "pytest_sessionstart", "pytest_collection")
BEFORE_THE_TESTS = (
    "pytest_collection_modifyitems",
    "pytest_collection_finish",
    "pytest_runtestloop",
)
AFTER_THE_TESTS = ("pytest_sessionfinish", "pytest_unconfigure")
AFTER_A_PHASE = ("pytest_runtest_makereport", "pytest_runtest_logreport")


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook of pytest in a `conftest.py`. `last`: it is called after those that are not."""

    function: FunctionValue
    wraps: bool
    """Whether it runs around the others, up to its `yield` and from there."""
    last: bool


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of plugins, of which those that were found last are called first."""

    run: Run
    plugins: Sequence[Module]

    def call(self, *names: str) -> None:
        """Calls hooks that are around nothing."""
        for name in names:
            with self.around(name):
                pass

    @contextmanager
    def around(self, name: str) -> Iterator[None]:
        """Calls a hook; the block is what pytest itself does in it."""
        found = list(self._named(name))
        leaving = [self._begin(hook.function) for hook in found if hook.wraps]
        for hook in found:
            if not (hook.wraps or hook.last):
                self._call(hook.function)
        yield
        for hook in found:
            if hook.last and not hook.wraps:
                self._call(hook.function)
        for leave in reversed(leaving):
            self._safely(leave)

    def _named(self, name: str) -> Iterator[Hook]:
        for plugin in reversed(self.plugins):
            value = plugin.scope.own(name)
            function = None if value is None else function_under(value)
            if function is None:
                continue
            options = _options(function)
            wraps = any(_is_true(options.get(one)) for one in ("wrapper", "hookwrapper"))
            yield Hook(function, wraps, _is_true(options.get("trylast")))

    def _begin(self, function: FunctionValue) -> Callable[[], object]:
        arguments = definitions.unknown_arguments(function, None)
        scope = bodies.body_scope(self.run, function, arguments)
        self.run.called.add(id(function.definition))
        leaving: list[Callable[[], object]] = []

        def begin() -> None:
            leaving.append(generators.enter(self.run, function, scope, _header(function))[1])

        self._safely(begin)
        return leaving[0] if leaving else lambda: None

    def _call(self, function: FunctionValue) -> None:
        given = definitions.unknown_arguments(function, None)

        def work() -> None:
            called = self.run.call(function, given, _header(function))
            iteration.expand(self.run, called)

        self._safely(work)

    def _safely(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Raised:
            return
        finally:
            self.run.now.frame.temporaries.clear()


def _options(function: FunctionValue) -> dict[str, Value]:
    for mark in function.marks:
        if isinstance(mark, Partial) and mark.function == Symbol(pytest.HOOK):
            return mark.keywords
    return {}


def _is_true(value: Value | None) -> bool:
    return value is not None and literals.truth(value) is True


def _header(function: FunctionValue) -> Place:
    return Place(function.scope.module.path, *function.definition.at)
