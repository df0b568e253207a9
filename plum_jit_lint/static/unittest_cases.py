"""What `unittest.TestCase` does around a test, as pytest has it done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge.pytest import TEST_CASES
from plum_jit_lint.static.interpreter import class_lookup, context_managers
from plum_jit_lint.static.interpreter.values import (
    NONE,
    Arguments,
    Builtin,
    ClassValue,
    FunctionValue,
    Symbol,
    Value,
)
from plum_jit_lint.static.pytest_fixtures import Leave, Session


def is_case(cls: ClassValue) -> bool:
    """Whether a class is a `TestCase`."""
    return any(
        isinstance(base, Symbol) and base.path in TEST_CASES
        for one in class_lookup.mro(cls)
        for base in one.bases
    )


@contextmanager
def around(session: Session, cls: ClassValue | None) -> Iterator[None]:
    """`setUp` before a test, `tearDown` and what was left to clean up after it."""
    receiver = session.receiver
    if cls is None or receiver is None or not is_case(cls):
        yield
        return
    cleanups: list[Leave] = []
    receiver.attributes.update(_cleaning(session, cleanups.append, ("addCleanup", "enterContext")))
    _call_method(session, "setUp")
    yield
    _call_method(session, "tearDown")
    context_managers.leave(cleanups)


def tell_class(session: Session, cls: ClassValue) -> None:
    """A `TestCase` cleans up after all tests of its class, too."""
    if is_case(cls):
        later = partial(session.add, "class")
        given = _cleaning(session, later, ("addClassCleanup", "enterClassContext"))
        cls.scope.names.update(given)


def _cleaning(
    session: Session, later: Callable[[Leave], None], names: tuple[str, str]
) -> dict[str, Value]:
    def clean_up(arguments: Arguments, place: Place) -> Value:
        function = arguments.get(0, "function")
        if function is not None:
            given = arguments.after(1, without=("function",))
            later(partial(session.run.call, function, given, place))
        return NONE

    def enter(arguments: Arguments, place: Place) -> Value:
        manager, leaving = arguments.get(0, "cm"), list[Leave]()
        if manager is None:
            return NONE
        entered = context_managers.enter(session.run, manager, place, leaving)
        later(partial(context_managers.leave, leaving))
        return entered

    add, context = names
    return {add: Builtin(clean_up), context: Builtin(enter)}


def _call_method(session: Session, name: str) -> None:
    receiver = session.receiver
    found = None if receiver is None else class_lookup.class_attribute(receiver.cls, name)
    if receiver is not None and isinstance(found, FunctionValue):
        place = Place(found.scope.module.path, *found.definition.at)
        session.call(found, Arguments([receiver]), place)
