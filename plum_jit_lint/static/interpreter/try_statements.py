"""`try`: which handler runs, where that is evident, and what runs at the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from plum_jit_lint.events import PathCondition
from plum_jit_lint.static.interpreter import exceptions, imports
from plum_jit_lint.static.interpreter.branches import Branches
from plum_jit_lint.static.interpreter.leaving import Catching, Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import TOP, ModuleValue, Scope, Value
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Statement


def execute(run: Run, scope: Scope, node: nodes.Try) -> bool:
    """A `try` statement. Where its `finally` leaves the block, that is what counts."""
    if not node.final:
        return _guarded(run, scope, node)
    returned = run.now.frame.returned
    before = len(returned)
    raised: Raised | None = None
    falls = False
    try:
        falls = _guarded(run, scope, node)
    except Raised as one:
        raised = one
    after = len(returned)
    try:
        comes_out = run.execute(scope, node.final)
    except Raised:
        del returned[before:after]
        raise
    if not comes_out:
        del returned[before:after]
    elif raised is not None:
        raise raised
    return comes_out and falls


def _guarded(run: Run, scope: Scope, node: nodes.Try) -> bool:
    if not node.handlers:
        return _body(run, scope, node)
    caught = [
        None if handler.type is None else run.evaluate(scope, handler.type)
        for handler in node.handlers
    ]
    branches = Branches(run, scope)
    raised: list[Raised] = []
    raised_at: list[tuple[PathCondition, dict[str, Value]]] = []

    block = Catching(tuple(caught))

    def body() -> bool:
        run.now.catching.append(block)
        try:
            falls = run.execute(scope, node.body)
        except Raised as one:
            raised.append(one)
            raised_at.append((run.state.path, scope.names))
            raise
        finally:
            run.now.catching.pop()
        return falls and run.execute(scope, node.otherwise)

    branches.run(frozenset(), body)
    if raised:
        run.state.path, scope.names = raised_at[0]
        return handled(run, scope, node.handlers, caught, raised[0])
    after_body = dict(scope.names)
    reached = [
        handler
        for handler, one in zip(node.handlers, caught, strict=True)
        if not _cannot_fail(scope, node.body, one)
    ]
    ways = run.branch_ids.one_of(len(reached) + 1)
    if len(block.branch_ids) == 1 and _are_imports(node.body):
        # It fails in one way, and the first handler that is left takes it.
        ways = [frozenset({(block.branch_ids[0], 1)})]
    for way, handler in zip(ways, reached, strict=False):
        branches.run(way, partial(_handle_any, run, scope, handler, after_body))
    return branches.join()


def _are_imports(body: Sequence[Statement]) -> bool:
    return all(isinstance(one, nodes.Import | nodes.ImportFrom) for one in body)


def _body(run: Run, scope: Scope, node: nodes.Try) -> bool:
    """Without handlers, the body is run as any block."""
    return run.execute(scope, node.body) and run.execute(scope, node.otherwise)


def handled(
    run: Run,
    scope: Scope,
    handlers: Sequence[nodes.Handler],
    caught: Sequence[Value | None],
    raised: Raised,
) -> bool:
    """The body surely raises: the first handler that takes it runs, and no other."""
    branches = Branches(run, scope)
    conditions: PathCondition = frozenset()
    for handler, one in zip(handlers, caught, strict=True):
        takes = exceptions.catches(one, raised.error)
        if takes is False:
            continue
        body = partial(_handle, run, scope, handler, raised.error)
        if takes:
            branches.run(conditions, body, whole=True)
            return branches.join()
        branch_id = run.branch_ids.new()
        branches.run(conditions | {(branch_id, 0)}, body)
        conditions = conditions | {(branch_id, 1)}
    if not conditions:
        raise raised
    return branches.join()


def _handle_any(
    run: Run, scope: Scope, handler: nodes.Handler, after_body: dict[str, Value]
) -> bool:
    # The body may have raised anywhere; what it bound may be bound.
    for name, value in after_body.items():
        scope.names.setdefault(name, value)
    return _handle(run, scope, handler, TOP)


def _handle(run: Run, scope: Scope, handler: nodes.Handler, error: Value) -> bool:
    if handler.name is not None:
        scope.bind(handler.name, error)
    run.now.handling.append(error)
    try:
        return run.execute(scope, handler.body)
    finally:
        run.now.handling.pop()


def _cannot_fail(scope: Scope, body: Sequence[Statement], caught: Value | None) -> bool:
    """Nothing at all does not fail, nor do imports of modules that the program has; of others
    it is known how they fail."""
    imported = [one for one in body if isinstance(one, nodes.Import | nodes.ImportFrom)]
    if len(imported) < len(body):
        return False
    missing = exceptions.error("ModuleNotFoundError")
    if not imported or exceptions.catches(caught, missing) is False:
        return True
    return exceptions.catches(caught, exceptions.error("Exception")) is False and all(
        isinstance(scope.module.load(imports.origin(scope, one)), ModuleValue) for one in imported
    )
