"""`match`: which case is taken, where that is evident, and what its pattern binds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from plum_jit_lint.events import PathCondition
from plum_jit_lint.static.interpreter import (
    class_lookup,
    containers,
    definitions,
    literals,
    operators,
)
from plum_jit_lint.static.interpreter.annotation_values import hint_of
from plum_jit_lint.static.interpreter.branches import Branches
from plum_jit_lint.static.interpreter.inspection import argument_of
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    TOP,
    ClassValue,
    Instance,
    MappingValue,
    Scope,
    SequenceValue,
    Symbol,
    Typed,
    Value,
)
from plum_jit_lint.static.types.answers import all_of, any_of
from plum_jit_lint.static.types.hints import ArrayArg, ScalarArg
from plum_jit_lint.syntax import nodes

Bound = dict[str, Value]


def execute(run: Run, scope: Scope, node: nodes.Match) -> bool:
    """A `match` statement."""
    subject = run.evaluate(scope, node.subject)
    branches = Branches(run, scope)
    conditions: PathCondition = frozenset()
    for case in node.cases:
        bound: Bound = dict.fromkeys(_names(case.pattern), TOP)
        known = matches(run, scope, case.pattern, subject, bound)
        if known is False:
            continue
        if case.guard is not None:
            branches.between(conditions)
            _bind(scope, bound)
            place = definitions.place_of(scope, case.guard.at)
            guard = run.evaluate(scope, case.guard)
            known = all_of([known, operators.truth_in(run, guard, place)])
            if known is False:
                continue
        body = partial(_body, run, scope, case, bound)
        if known:
            branches.run(conditions, body, whole=True)
            return branches.join()
        branch_id = run.branch_ids.new()
        branches.run(conditions | {(branch_id, 0)}, body)
        conditions = conditions | {(branch_id, 1)}
    branches.run(conditions, lambda: True, whole=True)
    return branches.join()


def _body(run: Run, scope: Scope, case: nodes.Case, bound: Bound) -> bool:
    _bind(scope, bound)
    return run.execute(scope, case.body)


def _bind(scope: Scope, bound: Bound) -> None:
    for name, value in bound.items():
        scope.bind(name, value)


def _names(pattern: nodes.Pattern) -> Iterator[str]:
    if pattern.binds is not None:
        yield pattern.binds
    for part in pattern.parts:
        yield from _names(part)


def matches(
    run: Run, scope: Scope, pattern: nodes.Pattern, subject: Value, bound: Bound
) -> bool | None:
    """Whether a pattern takes a value, and in `bound` what its names stand for then."""
    if pattern.binds is not None and pattern.kind != "mapping":
        bound[pattern.binds] = subject
    match pattern.kind:
        case "value":
            return _is_value(run, scope, pattern, subject)
        case "class":
            return _is_of_class(run, scope, pattern, subject, bound)
        case "sequence":
            return _is_sequence(run, scope, pattern, subject, bound)
        case "mapping":
            return _is_mapping(run, scope, pattern, subject, bound)
        case "or":
            # The first that matches is the one that binds.
            return any_of(matches(run, scope, one, subject, bound) for one in pattern.parts)
    return True


def _is_value(run: Run, scope: Scope, pattern: nodes.Pattern, subject: Value) -> bool | None:
    wanted = run.evaluate(scope, pattern.values[0])
    place = definitions.place_of(scope, pattern.values[0].at)
    known = literals.truth(operators.binary(run, "==", subject, wanted, place))
    if known is not None:
        return known
    given, key = literals.key_of(subject), literals.key_of(wanted)
    return None if given is None or key is None else given == key


def _is_of_class(
    run: Run, scope: Scope, pattern: nodes.Pattern, subject: Value, bound: Bound
) -> bool | None:
    cls = run.evaluate(scope, pattern.values[0])
    known = run.state.oracle.admits(hint_of(cls, "a class pattern"), argument_of(subject))
    if known is False or not pattern.parts:
        return known
    values = _parts_of(run, cls, subject, pattern)
    return all_of([known, _all(run, scope, pattern.parts, values, bound)])


def _parts_of(run: Run, cls: Value, subject: Value, pattern: nodes.Pattern) -> list[Value]:
    """What the patterns in the brackets of a class pattern are held to."""
    count = len(pattern.parts) - len(pattern.keywords)
    names = [*[""] * count, *pattern.keywords]
    if isinstance(cls, Symbol) and count == 1:
        # `int(x)`: the value itself.
        return [subject, *[TOP] * (len(names) - 1)]
    if isinstance(cls, ClassValue):
        given = class_lookup.class_attribute(cls, "__match_args__")
        written = containers.members(given) if given is not None else None
        texts = [literals.literal(one) for one in written or ()]
        fields = [str(one) for one in texts] if texts else class_lookup.field_names(cls)
        names[:count] = [*fields, *names][:count]
    known = subject.attributes if isinstance(subject, Instance) else {}
    return [known.get(name, TOP) for name in names]


def _is_sequence(
    run: Run, scope: Scope, pattern: nodes.Pattern, subject: Value, bound: Bound
) -> bool | None:
    if isinstance(subject, Instance) and class_lookup.is_named_tuple(subject.cls):
        subject = class_lookup.as_tuple(subject)
    match subject:
        case SequenceValue("tuple" | "list", items) if subject.complete:
            return _has_parts(run, scope, pattern, items, bound)
        case SequenceValue("set") | MappingValue() | Typed(ScalarArg() | ArrayArg()):
            return False
    for one in pattern.parts:
        matches(run, scope, one, TOP, bound)
    return None


def _has_parts(
    run: Run, scope: Scope, pattern: nodes.Pattern, items: list[Value], bound: Bound
) -> bool | None:
    parts = pattern.parts
    stars = [i for i, part in enumerate(parts) if part.kind == "star"]
    if not stars:
        if len(items) != len(parts):
            return False
        return _all(run, scope, parts, items, bound)
    start, after = stars[0], len(parts) - stars[0] - 1
    if len(items) < start + after:
        return False
    stop = len(items) - after
    rest = SequenceValue("list", items[start:stop])
    return _all(run, scope, parts, [*items[:start], rest, *items[stop:]], bound)


def _is_mapping(
    run: Run, scope: Scope, pattern: nodes.Pattern, subject: Value, bound: Bound
) -> bool | None:
    if isinstance(subject, SequenceValue | Typed):
        return False
    answers: list[bool | None] = [True if isinstance(subject, MappingValue) else None]
    for key_node, part in zip(pattern.values, pattern.parts, strict=True):
        key = literals.key_of(run.evaluate(scope, key_node))
        value: Value = TOP
        if isinstance(subject, MappingValue) and key is not None:
            if key not in subject.items and not subject.others:
                return False
            value = subject.items.get(key, TOP)
            answers.append(True if key in subject.items else None)
        else:
            answers.append(None)
        answers.append(matches(run, scope, part, value, bound))
    return all_of(answers)


def _all(
    run: Run,
    scope: Scope,
    parts: Sequence[nodes.Pattern],
    values: Sequence[Value],
    bound: Bound,
) -> bool | None:
    return all_of([matches(run, scope, p, v, bound) for p, v in zip(parts, values, strict=True)])
