"""Running statements: order, branches, loops, and what leaves a block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from plum_jit_lint.events import PathCondition
from plum_jit_lint.static.interpreter import (
    annotation_values,
    classes,
    context_managers,
    decorators,
    definitions,
    exceptions,
    expressions,
    imports,
    loops,
    match_statements,
    operators,
    try_statements,
)
from plum_jit_lint.static.interpreter.branches import Branches
from plum_jit_lint.static.interpreter.conditions import _known_test, _tested
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import NONE, TOP, Scope, Symbol
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Statement


def execute(run: Run, scope: Scope, body: Sequence[Statement]) -> bool:
    """Runs a block; whether control may come out at its end. `run.state.path` then says under which
    conditions it does."""
    for statement in body:
        if run.spent():
            return True
        falls = EXECUTORS[type(statement)](run, scope, statement)
        run.now.frame.temporaries.clear()
        if not falls:
            return False
    return True


# -- branches --------------------------------------------------------------------------------


def _if(run: Run, scope: Scope, node: nodes.If) -> bool:
    branches = Branches(run, scope)
    conditions: PathCondition = frozenset()
    for test, body in node.branches:
        known, branch_id, yes = _known_test(scope, test), None, 0
        if known is None:
            known, branch_id, yes = _tested(run, scope, test)
            branches.tested()
        if known is False:
            _bind_imports_only(run, scope, branches, test, body)
            continue
        if known is True:
            run_branch = partial(execute, run, scope, body)
            branches.run(conditions, run_branch, whole=True)
            return branches.join()
        if branch_id is None:
            branch_id = run.branch_ids.new()
        taken = conditions | {(branch_id, yes)}
        branches.run(taken, partial(execute, run, scope, body))
        conditions = conditions | {(branch_id, 1 - yes)}
        branches.between(conditions)
    branches.run(conditions, lambda: run.execute(scope, node.otherwise), whole=True)
    return branches.join()


def _bind_imports_only(
    run: Run, scope: Scope, branches: Branches, test: nodes.Expression, body: Sequence[Statement]
) -> None:
    """`if TYPE_CHECKING:` does not run, but its imports give the annotations their names."""
    if isinstance(run.evaluate(scope, test), Symbol):
        for statement in body:
            if isinstance(statement, nodes.Import | nodes.ImportFrom):
                for name, value in imports.bound(scope, statement):
                    branches.offer(name, value)


# -- definitions -----------------------------------------------------------------------------


def _function(run: Run, scope: Scope, node: nodes.FunctionDef) -> bool:
    function = definitions.make_function(run, scope, node)
    value = decorators.decorate(run, scope, node, function)
    scope.bind(node.name, value)
    run.defined.append((function, value))
    return True


def _class(run: Run, scope: Scope, node: nodes.ClassDef) -> bool:
    return classes.define(run, scope, node)


def _with(run: Run, scope: Scope, node: nodes.With) -> bool:
    return context_managers.execute(run, scope, node)


# -- the small ones --------------------------------------------------------------------------


def _assign(run: Run, scope: Scope, node: nodes.Assign) -> bool:
    value = run.evaluate(scope, node.value)
    for target in node.targets:
        expressions.assign(run, scope, target, value)
    return True


def _augmented(run: Run, scope: Scope, node: nodes.AugmentedAssign) -> bool:
    left = run.evaluate(scope, node.target)
    right = run.evaluate(scope, node.value)
    place = definitions.place_of(scope, node.at)
    value = operators.in_place(run, node.operator, left, right, place)
    expressions.assign(run, scope, node.target, value)
    return True


def _annotated(run: Run, scope: Scope, node: nodes.AnnotatedAssign) -> bool:
    if node.value is None:
        return True
    value = run.evaluate(scope, node.value)
    if value == TOP:
        value = annotation_values.typed(run, scope, node.annotation)
    expressions.assign(run, scope, node.target, value)
    return True


def _evaluate(run: Run, scope: Scope, node: nodes.Evaluate) -> bool:
    run.evaluate(scope, node.value)
    return True


def _leave(run: Run, scope: Scope, node: nodes.Leave) -> bool:
    value = TOP if node.value is None else run.evaluate(scope, node.value)
    if node.kind == "raise":
        if node.value is None:
            raise Raised(run.now.handling[-1] if run.now.handling else TOP)
        raise Raised(exceptions.raised(run, value, definitions.place_of(scope, node.at)))
    if node.kind == "return":
        run.now.frame.returned.append(value if node.value is not None else NONE)
    if node.kind != "return" and run.now.loop_ends:
        ends = (
            run.now.loop_ends[-1].broken
            if node.kind == "break"
            else run.now.loop_ends[-1].continued
        )
        ends.append((run.state.path, scope.names))
    return False


def _assert(run: Run, scope: Scope, node: nodes.Assert) -> bool:
    """What is asserted of values that are computed is taken to hold, unless somebody waits for it
    to fail; a flag is what it is."""
    known = _tested(run, scope, node.test)[0]
    flag = node.test
    if isinstance(flag, nodes.Operation) and flag.operators == ("not",):
        flag = flag.operands[0]
    if known is False:
        exceptions.fail(run, "AssertionError")
        if isinstance(flag, nodes.Name | nodes.Attribute | nodes.Constant):
            raise Raised(exceptions.error("AssertionError"))
    return True


def _delete(run: Run, scope: Scope, node: nodes.Delete) -> bool:
    for name in node.names:
        scope.declared.get(name, scope).names.pop(name, None)
    for part in node.parts:
        expressions.delete(run, scope, part)
    return True


def _declare(run: Run, scope: Scope, node: nodes.Declare) -> bool:
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
    nodes.FunctionDef: _function,
    nodes.ClassDef: _class,
    nodes.Assign: _assign,
    nodes.AugmentedAssign: _augmented,
    nodes.AnnotatedAssign: _annotated,
    nodes.Evaluate: _evaluate,
    nodes.If: _if,
    nodes.For: loops.execute_for,
    nodes.While: loops.execute_while,
    nodes.Try: try_statements.execute,
    nodes.With: _with,
    nodes.Match: match_statements.execute,
    nodes.Import: imports.execute,
    nodes.ImportFrom: imports.execute,
    nodes.Leave: _leave,
    nodes.Assert: _assert,
    nodes.Delete: _delete,
    nodes.Declare: _declare,
}
