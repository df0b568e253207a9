"""`with` statements, and the context managers that the run knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from plum_jit_lint.events import PathCondition
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import (
    class_lookup,
    definitions,
    exceptions,
    expressions,
    iteration,
    literals,
)
from plum_jit_lint.static.interpreter.leaving import Catching, Raised
from plum_jit_lint.static.interpreter.library_values import ForeignManager, Suppress
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    NONE,
    TOP,
    Arguments,
    ExitStack,
    Instance,
    Managed,
    Manager,
    Scope,
    Symbol,
    Union,
    Value,
    join,
)
from plum_jit_lint.syntax import nodes

Leave = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Leaving:
    """What leaves a context manager that has a say in what is raised under it."""

    work: Callable[[Value | None], bool | None]
    """Given what is raised, or `None`: whether that goes no further."""
    catches: Value | None = None
    """The classes that it surely takes."""

    def __call__(self) -> object:
        return self.work(None)


def execute(run: Run, scope: Scope, node: nodes.With) -> bool:
    """A `with` statement."""
    leaving = enter_items(run, scope, node)
    caught = [one.catches for one in leaving if isinstance(one, Leaving) and one.catches]
    block = Catching(tuple(caught))
    run.now.catching.append(block)
    try:
        falls = run.execute(scope, node.body)
    except Raised as raised:
        run.now.catching.pop()
        if not unwind(leaving, raised):
            run.state.path = run.state.path | {(run.branch_ids.new(), 0)}
        return True
    run.now.catching.pop()
    leave(leaving)
    # What may have failed is over in any case.
    run.state.path = frozenset(one for one in run.state.path if one[0] not in block.branch_ids)
    return falls


def enter_items(run: Run, scope: Scope, node: nodes.With) -> list[Leave]:
    """Enters the context managers of a `with` statement; what leaves them."""
    leaving: list[Leave] = []
    for expression, target in node.items:
        value = run.evaluate(scope, expression)
        entered = enter(run, value, definitions.place_of(scope, node.at), leaving)
        if target is not None:
            expressions.assign(run, scope, target, entered)
    return leaving


def leave(leaving: list[Leave]) -> None:
    """Leaves what was entered, the last first."""
    while leaving:
        leaving.pop()()


def unwind(leaving: list[Leave], raised: Raised) -> bool:
    """Leaves what was entered as something is raised: what goes further is raised again. Returns
    whether it surely goes no further."""
    stopped: bool | None = False
    while leaving:
        one = leaving.pop()
        try:
            if stopped is False and isinstance(one, Leaving):
                stopped = one.work(raised.error)
            else:
                one()
        except Raised as other:
            stopped = False
            if other.error is not raised.error:
                raised = other
    if stopped is False:
        raise raised
    return stopped is True


def enter(run: Run, manager: Value, place: Place, leaving: list[Leave]) -> Value:
    """What a context manager of the program gives; what it does at the end goes to `leaving`."""
    match manager:
        case Manager():
            entered, left = manager.enter(place)
            leaving.append(left)
            return entered
        case ExitStack():
            leaving.append(Leaving(partial(_leave_stack, manager)))
        case Suppress(classes):
            takes = partial(exceptions.catches, classes)
            leaving.append(Leaving(lambda error: error is not None and takes(error), classes))
        case ForeignManager("pytest.raises"):
            # What it waits for is what happens.
            leaving.append(Leaving(lambda error: True, Symbol("builtins.BaseException")))
        case Union(alternatives):
            return _enter_one_of(run, alternatives, place, leaving)
        case Instance(cls):
            method = class_lookup.class_attribute(cls, "__exit__")
            if method is not None:
                bound = run.bind(method, manager, place)
                leaving.append(Leaving(partial(_leave_instance, run, bound, place)))
            method = class_lookup.class_attribute(cls, "__enter__")
            if method is not None:
                return run.call(run.bind(method, manager, place), Arguments([]), place)
    return manager


def _leave_stack(stack: ExitStack, error: Value | None) -> bool | None:
    if error is not None:
        return unwind(stack.leaving, Raised(error)) or None
    leave(stack.leaving)
    return False


def _leave_instance(run: Run, method: Value, place: Place, error: Value | None) -> bool | None:
    """Calls `__exit__` of an object of the program."""
    told: list[Value] = [NONE] * 3 if error is None else [TOP, error, TOP]
    return literals.truth(run.call(method, Arguments(told), place))


def _enter_one_of(
    run: Run, alternatives: tuple[Value, ...], place: Place, leaving: list[Leave]
) -> Value:
    entered: list[Value] = []
    for conditions, one in zip(run.branch_ids.one_of(len(alternatives)), alternatives, strict=True):
        of_arm: list[Leave] = []
        with run.under(*conditions):
            entered.append(enter(run, one, place, of_arm))

        def left(conditions: PathCondition = conditions, of_arm: list[Leave] = of_arm) -> None:
            with run.under(*conditions):
                leave(of_arm)

        leaving.append(left)
    return join(entered)


def call_managed(run: Run, managed: Managed, arguments: Arguments, place: Place) -> Value:
    """A call of a function that context managers decorate."""
    leaving: list[Leave] = []
    handed: list[Value] = []
    for manager in of_managed(managed):
        entered = enter(run, manager, place, leaving)
        if isinstance(manager, Manager) and manager.hands_on:
            handed.insert(0, entered)
    given = Arguments(
        [*arguments.positional, *handed],
        arguments.keywords,
        arguments.open,
        arguments.open_keywords,
    )
    try:
        result = iteration.expand(run, run.call(undecorated(managed), given, place))
    except Raised as raised:
        return NONE if unwind(leaving, raised) else TOP
    leave(leaving)
    return result


def of_managed(value: Value) -> Iterator[Value]:
    """The context managers that decorate a function, the outermost first."""
    while isinstance(value, Managed):
        yield value.manager
        value = value.target


def undecorated(value: Value) -> Value:
    """A function without the context managers that decorate it."""
    while isinstance(value, Managed):
        value = value.target
    return value


def decorates(value: Value) -> bool:
    """Whether a call of a context manager, with a function, makes a decorated one of it."""
    return isinstance(value, Manager) or (
        isinstance(value, Instance)
        and any(
            Symbol("contextlib.ContextDecorator") in one.bases
            for one in class_lookup.mro(value.cls)
        )
    )


def call_manager_method(
    run: Run, manager: Manager, name: str, arguments: Arguments, place: Place
) -> Value:
    """`__enter__` and `__exit__`, or `start` and `stop`, called by themselves."""
    if name == "start":
        run.state.started.append(manager)
    if name in ("__enter__", "__aenter__", "start"):
        return enter(run, manager, place, manager.entered)
    if name in ("__exit__", "__aexit__", "stop") and manager.entered:
        manager.entered.pop()()
    return NONE


def call_method(run: Run, stack: ExitStack, name: str, arguments: Arguments, place: Place) -> Value:
    """A method of an `ExitStack`."""
    first = arguments.get(0)
    if name in ("close", "aclose", "__exit__", "__aexit__"):
        leave(stack.leaving)
    if name in ("__enter__", "__aenter__"):
        return stack
    if name == "pop_all":
        moved = ExitStack(list(stack.leaving))
        stack.leaving.clear()
        return moved
    if first is None:
        return TOP
    if name in ("enter_context", "enter_async_context"):
        return enter(run, first, place, stack.leaving)
    if name == "push":
        enter(run, first, place, stack.leaving)
    if name == "callback":
        given = arguments.after(1)
        stack.leaving.append(lambda: run.call(first, given, place))
    return first
