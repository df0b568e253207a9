"""Running statements: order, branches, loops, and what leaves a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from plum_jit_lint.events import Conditions
from plum_jit_lint.findings import Place
from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.reading.facts import Statement
from plum_jit_lint.static.run import (
    classes,
    evaluate,
    exceptions,
    functions,
    imports,
    loops,
    managers,
    matching,
    operators,
    stacks,
    trying,
)
from plum_jit_lint.static.run.branches import Branches
from plum_jit_lint.static.run.machine import Exited, Raised, Run
from plum_jit_lint.static.run.values import (
    NONE,
    UNKNOWN,
    Scope,
    Symbol,
    Value,
)


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
        path = run.path
        try:
            execute(run, scope, (statement,))
        except Exited:
            return
        except Raised:
            run.path = path


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
        if node.value is None:
            raise Raised(run.handling[-1] if run.handling else UNKNOWN)
        raise Raised(exceptions.raised(run, value, evaluate.place_of(scope, node.at)))
    if node.kind == "return" and run.returned:
        run.returned[-1].append(value if node.value is not None else NONE)
    if node.kind != "return" and run.ways:
        ends = run.ways[-1].broken if node.kind == "break" else run.ways[-1].continued
        ends.append((run.path, scope.names))
    return False


def _assert(run: Run, scope: Scope, node: facts.Assert) -> bool:
    """What is asserted of values that are computed is taken to hold, unless somebody waits for it
    to fail; a flag is what it is."""
    known = _tested(run, scope, node.test)[0]
    flag = node.test
    if isinstance(flag, facts.Operation) and flag.operators == ("not",):
        flag = flag.operands[0]
    if known is False:
        exceptions.fail(run, "AssertionError")
        if isinstance(flag, facts.Name | facts.Attribute | facts.Constant):
            raise Raised(exceptions.error("AssertionError"))
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
    facts.For: loops.execute_for,
    facts.While: loops.execute_while,
    facts.Try: trying.execute,
    facts.With: _with,
    facts.Match: matching.execute,
    facts.Import: imports.execute,
    facts.ImportFrom: imports.execute,
    facts.Leave: _leave,
    facts.Assert: _assert,
    facts.Delete: _delete,
    facts.Declare: _declare,
}
