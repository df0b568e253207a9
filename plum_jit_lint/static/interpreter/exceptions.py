"""Exceptions: which one is raised, and which `except` takes it.

What a program does is taken to work, except where it says itself that it may fail: what evidently
raises counts where a handler waits for it.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Literal

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import class_lookup
from plum_jit_lint.static.interpreter.leaving import Catching, Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    Arguments,
    ClassValue,
    Instance,
    SequenceValue,
    Symbol,
    Typed,
    Union,
    Value,
)
from plum_jit_lint.static.types.answers import any_of
from plum_jit_lint.static.types.hints import Cls, InstanceArg


def error(name: str) -> Value:
    """An exception that Python itself raises."""
    return Typed(InstanceArg(Cls(f"builtins.{name}"), True))


def error_of_plum(why: Literal["NotFound", "Ambiguous"]) -> Value:
    """What plum raises where it finds no method."""
    return Typed(InstanceArg(Cls(f"plum.{why}LookupError"), True))


def raised(run: Run, value: Value, place: Place) -> Value:
    """The exception that `raise value` raises: a class is called first."""
    if isinstance(value, Symbol | ClassValue):
        return run.call(value, Arguments([]), place)
    return value


def fail(run: Run, name: str) -> None:
    """Something evidently raises, where that is waited for."""
    if _awaited(run, error(name)) is not None:
        raise Raised(error(name))


def may_fail(run: Run, name: str) -> None:
    """Something may raise: where that is waited for, what follows in the block may not run."""
    block = _awaited(run, error(name))
    if block is not None:
        branch_id = run.branch_ids.new()
        block.branch_ids.append(branch_id)
        run.state.path = run.state.path | {(branch_id, 0)}


def _awaited(run: Run, found: Value) -> Catching | None:
    """The innermost block that surely takes an exception, where no other may take it before."""
    for block in reversed(run.now.catching):
        answers = [catches(one, found) for one in block.classes]
        if True in answers:
            return block
        if None in answers:
            return None
    return None


def catches(handler: Value | None, found: Value) -> bool | None:
    """Whether `except handler` takes an exception, `None` where that is not known."""
    match handler, found:
        case None, _:
            return True
        case SequenceValue(items=items), _ if handler.complete:
            return any_of(catches(one, found) for one in items)
        case Union(alternatives), _:
            return _agreed({catches(one, found) for one in alternatives})
        case _, Union(alternatives):
            return _agreed({catches(handler, one) for one in alternatives})
    classes, complete = _classes_of(found)
    wanted = _named(handler) if isinstance(handler, Symbol) else handler
    if wanted in classes:
        return True
    if complete and (isinstance(wanted, type | ClassValue)):
        return False
    return True if wanted in (Exception, BaseException) and not complete else None


def is_exception(value: Value) -> bool:
    """Whether a value is evidently an exception."""
    return isinstance(value, Typed | Instance) and BaseException in _classes_of(value)[0]


def _agreed(answers: set[bool | None]) -> bool | None:
    return answers.pop() if len(answers) == 1 else None


def _named(symbol: Symbol) -> object:
    """A class of Python as itself, of other libraries by its name."""
    owner, _, name = symbol.path.rpartition(".")
    found = getattr(builtins, name, None) if owner == "builtins" else None
    return found if isinstance(found, type) else symbol


def _classes_of(found: Value) -> tuple[list[object], bool]:
    """The classes that an exception is of, and whether these are all."""
    match found:
        case Instance(cls):
            order = class_lookup.mro(cls)

            bases = [base for one in order for base in one.bases]
            known = all(isinstance(base, Symbol | ClassValue) for base in bases)
            above, complete = _above(base for base in bases if isinstance(base, Symbol))
            return [*order, *above], complete and known and found.exact
        case Typed(InstanceArg(cls, exact)):
            above, complete = _above([Symbol(cls.name)])
            return above, complete and exact
    return [], False


def _above(symbols: Iterable[Symbol]) -> tuple[list[object], bool]:
    classes: list[object] = []
    complete = True
    for symbol in symbols:
        base = PLUMS.get(symbol.path) or _named(symbol)
        classes.append(symbol)
        complete = complete and isinstance(base, type)
        classes.extend(base.__mro__ if isinstance(base, type) else ())
    return classes, complete


PLUMS: dict[str, type[Exception]] = {
    "plum.NotFoundLookupError": LookupError,
    "plum.AmbiguousLookupError": LookupError,
}
