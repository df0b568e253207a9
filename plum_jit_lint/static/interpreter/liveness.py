"""What a run can still reach, so that JAX has not let go of what it keeps of it."""

from __future__ import annotations

from collections.abc import Iterator

from plum_jit_lint.static.interpreter.inspection import all_reachable, layers
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import FunctionValue, Scope, Union, Value


def held_anywhere(run: Run, value: Value) -> bool:
    """Whether something that is still there holds the value."""
    return at_home(value) or id(value) in reachable(run)


def reachable(run: Run) -> set[int]:
    """The `id`s of all values that something holds."""
    return all_reachable(roots(run))


def scopes(run: Run) -> Iterator[Scope]:
    """The scopes that hold names: of modules and of what is being run, and those around them."""
    modules = [*run.program.modules(), *run.state.reloaded.values()]
    seen: set[int] = set()
    for scope in (*(module.scope for module in modules), *run.now.scopes):
        current: Scope | None = scope
        while current is not None and id(current) not in seen:
            seen.add(id(current))
            yield current
            current = current.parent


def roots(run: Run) -> Iterator[Value]:
    """What is held by itself: names, what is being run, other libraries and plum's tables."""
    for scope in scopes(run):
        yield from scope.names.values()
    yield from run.state.replaced.values()
    for frame in run.now.call_stack:
        yield from frame.returned
        yield from frame.temporaries
    for records in run.state.tables.values():
        for record in records:
            yield record.body


def at_home(value: Value) -> bool:
    """Whether a function or method of a module is what is there under its name: most are."""
    if not isinstance(value, FunctionValue):
        return False
    scope: Scope | None = value.scope
    while scope is not None and scope.kind == "class":
        scope = scope.parent
    if scope is None or scope.kind != "module":
        return False
    here = value.scope.names.get(value.name)
    # A property or what one of two branches defined is several values under one name.
    there = here.alternatives if isinstance(here, Union) else (here,)
    return any(one is value for outer in there if outer is not None for one in layers(outer))
