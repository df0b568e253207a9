"""Running statements: order, branches, loops, and what leaves a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from plum_jit_lint.events import Conditions
from plum_jit_lint.findings import Place
from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.reading.facts import Statement
from plum_jit_lint.static.relevance import nodes_in
from plum_jit_lint.static.run import (
    classes,
    containers,
    evaluate,
    functions,
    imports,
    managers,
    operators,
    stacks,
    suspended,
)
from plum_jit_lint.static.run.annotations import hint_of
from plum_jit_lint.static.run.branches import Branches
from plum_jit_lint.static.run.inspection import argument_of
from plum_jit_lint.static.run.machine import Exited, Raised, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Data,
    Generator,
    Items,
    ModuleValue,
    Scope,
    Symbol,
    Value,
)
from plum_jit_lint.static.types.hints import ScalarArg


def execute(run: Run, scope: Scope, body: Sequence[Statement]) -> bool:
    """Runs a block; whether control may come out at its end. `run.path` then says under which
    conditions it does."""
    for statement in body:
        falls = EXECUTORS[type(statement)](run, scope, statement)
        run.temporaries[-1].clear()
        if not falls:
            return False
    return True


def execute_each(run: Run, scope: Scope, body: Sequence[Statement]) -> None:
    """Runs a block at the top of a module, where a statement that surely raises is passed over:
    the rest is still worth knowing."""
    for statement in body:
        try:
            execute(run, scope, (statement,))
        except Exited:
            return
        except Raised:
            continue


# -- branches --------------------------------------------------------------------------------


def _if(run: Run, scope: Scope, node: facts.If) -> bool:
    branches = Branches(run, scope)
    conditions: Conditions = frozenset()
    for test, body in node.arms:
        known, point, yes = _known_test(scope, test), None, 0
        if known is None:
            known, point, yes = _tested(run, scope, test)
            branches.tested()
        if known is False:
            _bind_imports_only(run, scope, branches, test, body)
            continue
        if known is True:
            run_arm = partial(execute, run, scope, body)
            branches.arm(conditions, run_arm, whole=True)
            return branches.join()
        if point is None:
            point = run.new_point()
        arm = conditions | {(point, yes)}
        branches.arm(arm, partial(execute, run, scope, body))
        conditions = conditions | {(point, 1 - yes)}
        branches.between(conditions)
    branches.arm(conditions, lambda: execute(run, scope, node.otherwise), whole=True)
    return branches.join()


def evident_arm(run: Run, scope: Scope, node: facts.If) -> Sequence[Statement] | None:
    """The arm of an `if` that is taken, `None` where that is not evident."""
    for test, body in node.arms:
        known = _known_test(scope, test)
        if known is None:
            known = _tested(run, scope, test)[0]
        if known is None:
            return None
        if known:
            return body
    return node.otherwise


def _tested(
    run: Run, scope: Scope, test: facts.Expression
) -> tuple[bool | None, int | None, Literal[0, 1]]:
    """Whether a test holds, where that is evident; otherwise its branching point, and the arm in
    which it holds."""
    if isinstance(test, facts.Operation) and test.operators == ("not",):
        value = evaluate.evaluate(run, scope, test.operands[0])
        known, point, yes = _fixed(run, value, evaluate.place_of(scope, test.at))
        return (None if known is None else not known), point, (0 if yes else 1)
    value = evaluate.evaluate(run, scope, test)
    return _fixed(run, value, evaluate.place_of(scope, test.at))


def _fixed(run: Run, value: Value, place: Place) -> tuple[bool | None, int | None, Literal[0, 1]]:
    known = operators.truth_in(run, value, place)
    if known is not None:
        return known, None, 0
    point = run.point_of(value)
    taken = dict(run.path).get(point) if point is not None else None
    return (None if taken is None else taken == 0), point, 0


def _bind_imports_only(
    run: Run, scope: Scope, branches: Branches, test: facts.Expression, body: Sequence[Statement]
) -> None:
    """`if TYPE_CHECKING:` does not run, but its imports give the annotations their names."""
    if isinstance(evaluate.evaluate(run, scope, test), Symbol):
        for statement in body:
            if isinstance(statement, facts.Import | facts.ImportFrom):
                for name, value in imports.bound(scope, statement):
                    branches.offer(name, value)


def _known_test(scope: Scope, test: facts.Expression) -> bool | None:
    """`if __name__ == "__main__"`: the checked file is the program."""
    match test:
        case facts.Operation(_, "compare", ("==",), operands):
            names = [one.id for one in operands if isinstance(one, facts.Name)]
            texts = [one.value for one in operands if isinstance(one, facts.Constant)]
            if names == ["__name__"] and texts == ["__main__"]:
                return scope.module.is_root
    return None


def _match(run: Run, scope: Scope, node: facts.Match) -> bool:
    subject = evaluate.evaluate(run, scope, node.subject)
    branches = Branches(run, scope)
    conditions: Conditions = frozenset()
    for case in node.cases:

        def body(case: facts.Case = case) -> bool:
            for name in case.binds:
                scope.bind(name, UNKNOWN)
            if case.guard is not None:
                evaluate.evaluate(run, scope, case.guard)
            return execute(run, scope, case.body)

        known = case.always or _matches(run, scope, case, subject)
        if known is False:
            continue
        if known is True and case.guard is None:
            branches.arm(conditions, body, whole=True)
            return branches.join()
        point = run.new_point()
        branches.arm(conditions | {(point, 0)}, body)
        conditions = conditions | {(point, 1)}
    branches.arm(conditions, lambda: True)
    return branches.join()


def _matches(run: Run, scope: Scope, case: facts.Case, subject: Value) -> bool | None:
    """Whether a pattern of constants or of a class matches, where that is evident."""
    if case.cls is not None:
        cls = evaluate.evaluate(run, scope, case.cls)
        hint = hint_of(cls, "a class pattern")
        return run.oracle.admits(hint, argument_of(subject))
    key = containers.key_of(subject)
    known = [containers.key_of(evaluate.evaluate(run, scope, one)) for one in case.values]
    if not known or None in known or key is None:
        return None
    return key in known


# -- loops -----------------------------------------------------------------------------------


def _for(run: Run, scope: Scope, node: facts.For) -> bool:
    iterable = evaluate.evaluate(run, scope, node.iterable)
    if isinstance(iterable, Generator) and iterable.result is None:
        suspension = iterable.suspension
        if suspension is not None and suspension.stops_between_statements():
            return _for_each_yield(run, scope, node, suspension)
    return _for_each(run, scope, node, functions.expand(run, iterable))


def _for_each(run: Run, scope: Scope, node: facts.For, iterable: Value) -> bool:
    known = containers.members(iterable)
    if known is None:
        element = containers.element(iterable)
        return _loop(run, scope, node, [element, element], always=False)
    return _loop(run, scope, node, known, always=True)


def _for_each_yield(
    run: Run, scope: Scope, node: facts.For, suspension: suspended.Suspension
) -> bool:
    """A loop over a generator whose blocks stay entered while the body of the loop runs."""
    once = replace(node, otherwise=())
    may_break = any(isinstance(one, facts.Leave) for one in nodes_in(node.body))
    certain = True
    while not suspension.over:
        values = suspension.advance()
        given = Items("list", values, certain and suspension.exact, alike=True)
        if not _for_each(run, scope, once, given):
            return False
        certain = not may_break
    return execute(run, scope, node.otherwise)


def _while(run: Run, scope: Scope, node: facts.While) -> bool:
    known = operators.truth(evaluate.evaluate(run, scope, node.test))
    if known is False:
        return execute(run, scope, node.otherwise)
    return _loop(run, scope, node, [None, None], always=known is True)


def _loop(
    run: Run,
    scope: Scope,
    node: facts.For | facts.While,
    rounds: Sequence[Value | None],
    always: bool,
) -> bool:
    """Two rounds show what one round leaves for the next."""
    most = ROUNDS[min(run.loops, len(ROUNDS) - 1)]
    always = always and len(rounds) <= most
    rounds = rounds[:most]
    run.loops += 1
    try:
        return _rounds(run, scope, node, rounds, always)
    finally:
        run.loops -= 1


ROUNDS = (20, 6, 2, 1)
"""Rounds of a loop that are run, by how many loops are around it."""


def _rounds(
    run: Run,
    scope: Scope,
    node: facts.For | facts.While,
    rounds: Sequence[Value | None],
    always: bool,
) -> bool:
    before = dict(scope.names)
    # What counts the rounds has any value when fewer are run than there are.
    counted = isinstance(node, facts.While) or not always

    def body() -> bool:
        path = run.path
        for member in rounds:
            if counted:
                _forget_counts(scope, before)
            if isinstance(node, facts.For) and member is not None:
                evaluate.assign(run, scope, node.target, member)
            falls = execute(run, scope, node.body)
            if not falls and run.path == path and run.leaving in ("break", "return"):
                return run.leaving == "break"
            # `break`, `continue` and `return` may have narrowed the path: the next round, and
            # what follows the loop, may run all the same.
            run.path = path
            if isinstance(node, facts.While):
                evaluate.evaluate(run, scope, node.test)
        if counted:
            _forget_counts(scope, before)
        return True

    if always:
        if not body():
            return False
    else:
        branches = Branches(run, scope)
        point = run.new_point()
        branches.arm(frozenset({(point, 0)}), body)
        branches.arm(frozenset({(point, 1)}), lambda: True)
        branches.join()
    return execute(run, scope, node.otherwise)


def _forget_counts(scope: Scope, before: dict[str, Value]) -> None:
    """Numbers that a loop changes are not known beyond one round."""
    for name, value in scope.names.items():
        match value:
            case Data(ScalarArg(cls, known)) if known is not None and before.get(name) != value:
                scope.names[name] = Data(ScalarArg(cls))


# -- try, with -------------------------------------------------------------------------------


def _try(run: Run, scope: Scope, node: facts.Try) -> bool:
    branches = Branches(run, scope)
    raised = False

    def body() -> bool:
        nonlocal raised
        try:
            return execute(run, scope, node.body) and execute(run, scope, node.otherwise)
        except Raised:
            raised = True
            raise

    branches.arm(frozenset(), body)
    after_body = dict(scope.names)
    arms = run.arms(len(node.handlers) + 1)
    for arm, handler in zip(arms, node.handlers, strict=False):
        if not raised and _cannot_fail(scope, node.body, handler):
            continue

        def handle(handler: facts.Handler = handler) -> bool:
            # The body may have raised anywhere; what it bound may be bound.
            for name, value in after_body.items():
                scope.names.setdefault(name, value)
            if handler.name is not None:
                scope.bind(handler.name, UNKNOWN)
            return execute(run, scope, handler.body)

        only = raised and len(node.handlers) == 1
        branches.arm(frozenset() if only else arm, handle)
    try:
        falls = branches.join()
    except Raised:
        execute(run, scope, node.final)
        raise
    return execute(run, scope, node.final) and falls


def _cannot_fail(scope: Scope, body: Sequence[Statement], handler: facts.Handler) -> bool:
    """`except ImportError` around imports of modules that the program has."""
    if not isinstance(handler.type, facts.Name) or handler.type.id not in IMPORT_ERRORS:
        return False
    return all(
        isinstance(statement, facts.Import | facts.ImportFrom)
        and isinstance(scope.module.load(imports.origin(scope, statement)), ModuleValue)
        for statement in body
    )


IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError"}


# -- definitions -----------------------------------------------------------------------------


def _function(run: Run, scope: Scope, node: facts.FunctionDef) -> bool:
    function = functions.make_function(run, scope, node)
    value = stacks.decorate(run, scope, node, function)
    scope.bind(node.name, value)
    run.defined.append((function, value))
    return True


def _class(run: Run, scope: Scope, node: facts.ClassDef) -> bool:
    return classes.define(run, scope, node)


def _with(run: Run, scope: Scope, node: facts.With) -> bool:
    return managers.execute(run, scope, node)


# -- the small ones --------------------------------------------------------------------------


def _assign(run: Run, scope: Scope, node: facts.Assign) -> bool:
    value = evaluate.evaluate(run, scope, node.value)
    for target in node.targets:
        evaluate.assign(run, scope, target, value)
    return True


def _augmented(run: Run, scope: Scope, node: facts.AugmentedAssign) -> bool:
    left = evaluate.evaluate(run, scope, node.target)
    right = evaluate.evaluate(run, scope, node.value)
    place = evaluate.place_of(scope, node.at)
    value = operators.in_place(run, node.operator, left, right, place)
    evaluate.assign(run, scope, node.target, value)
    return True


def _annotated(run: Run, scope: Scope, node: facts.AnnotatedAssign) -> bool:
    if node.value is None:
        return True
    value = evaluate.evaluate(run, scope, node.value)
    if value == UNKNOWN:
        value = evaluate.typed(run, scope, node.annotation)
    evaluate.assign(run, scope, node.target, value)
    return True


def _evaluate(run: Run, scope: Scope, node: facts.Evaluate) -> bool:
    evaluate.evaluate(run, scope, node.value)
    return True


def _leave(run: Run, scope: Scope, node: facts.Leave) -> bool:
    value = UNKNOWN if node.value is None else evaluate.evaluate(run, scope, node.value)
    if node.kind == "raise":
        raise Raised
    run.leaving = node.kind
    if node.kind == "return" and run.returned:
        run.returned[-1].append(value if node.value is not None else NONE)
    return False


def _assert(run: Run, scope: Scope, node: facts.Assert) -> bool:
    """What is asserted of values that are computed is taken to hold; a flag is what it is."""
    known = _tested(run, scope, node.test)[0]
    flag = node.test
    if isinstance(flag, facts.Operation) and flag.operators == ("not",):
        flag = flag.operands[0]
    if known is False and isinstance(flag, facts.Name | facts.Attribute | facts.Constant):
        raise Raised
    return True


def _delete(run: Run, scope: Scope, node: facts.Delete) -> bool:
    for name in node.names:
        scope.declared.get(name, scope).names.pop(name, None)
    for part in node.parts:
        evaluate.delete(run, scope, part)
    return True


def _declare(run: Run, scope: Scope, node: facts.Declare) -> bool:
    outer = scope.parent
    while outer is not None and (
        outer.kind != "module" if node.kind == "global" else outer.kind == "class"
    ):
        outer = outer.parent
    for name in node.names:
        home = outer
        while (
            node.kind == "nonlocal" and home is not None and home.parent and name not in home.names
        ):
            home = home.parent
        if home is not None:
            scope.declared[name] = home
    return True


EXECUTORS: Mapping[type, Callable[[Run, Scope, Any], bool]] = {
    facts.FunctionDef: _function,
    facts.ClassDef: _class,
    facts.Assign: _assign,
    facts.AugmentedAssign: _augmented,
    facts.AnnotatedAssign: _annotated,
    facts.Evaluate: _evaluate,
    facts.If: _if,
    facts.For: _for,
    facts.While: _while,
    facts.Try: _try,
    facts.With: _with,
    facts.Match: _match,
    facts.Import: imports.execute,
    facts.ImportFrom: imports.execute,
    facts.Leave: _leave,
    facts.Assert: _assert,
    facts.Delete: _delete,
    facts.Declare: _declare,
}
