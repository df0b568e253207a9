"""Tests of `if` statements: which branch is taken, where that is evident."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import definitions, operators
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import Scope, Value
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Statement


def evident_branch(run: Run, scope: Scope, node: nodes.If) -> Sequence[Statement] | None:
    """The branch of an `if` that is taken, `None` where that is not evident."""
    for test, body in node.branches:
        known = _known_test(scope, test)
        if known is None:
            known = _tested(run, scope, test)[0]
        if known is None:
            return None
        if known:
            return body
    return node.otherwise


def _tested(
    run: Run, scope: Scope, test: nodes.Expression
) -> tuple[bool | None, int | None, Literal[0, 1]]:
    """Whether a test holds, where that is evident; otherwise its branch id, and the branch in which
    it holds."""
    if isinstance(test, nodes.Operation) and test.operators == ("not",):
        value = run.evaluate(scope, test.operands[0])
        known, branch_id, yes = _fixed(run, value, definitions.place_of(scope, test.at))
        return (None if known is None else not known), branch_id, (0 if yes else 1)
    value = run.evaluate(scope, test)
    return _fixed(run, value, definitions.place_of(scope, test.at))


def _fixed(run: Run, value: Value, place: Place) -> tuple[bool | None, int | None, Literal[0, 1]]:
    known = operators.truth_in(run, value, place)
    if known is not None:
        return known, None, 0
    branch_id = run.branch_ids.of_value(value)
    taken = dict(run.state.path).get(branch_id) if branch_id is not None else None
    return (None if taken is None else taken == 0), branch_id, 0


def _known_test(scope: Scope, test: nodes.Expression) -> bool | None:
    """`if __name__ == "__main__"`: the checked file is the program."""
    match test:
        case nodes.Operation(_, "compare", ("==",), operands):
            names = [one.id for one in operands if isinstance(one, nodes.Name)]
            texts = [one.value for one in operands if isinstance(one, nodes.Constant)]
            if names == ["__name__"] and texts == ["__main__"]:
                return scope.module.is_root
    return None
