"""What expressions stand for, and what happens while they are evaluated."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from plum_jit_lint.limits import MOST_OPEN_OPERANDS
from plum_jit_lint.static.interpreter import (
    attributes,
    containers,
    definitions,
    iteration,
    known_values,
    literals,
    operators,
)
from plum_jit_lint.static.interpreter.annotation_values import subscript_type
from plum_jit_lint.static.interpreter.definitions import place_of
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    ELLIPSIS,
    NONE,
    SLICE,
    TOP,
    WHOLE,
    Arguments,
    ClassValue,
    FunctionValue,
    Generator,
    MappingValue,
    Scope,
    SequenceValue,
    Symbol,
    Top,
    Value,
    join,
    scalar,
)
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nodes import Expression


def evaluate(run: Run, scope: Scope, expression: Expression) -> Value:
    """The value of an expression; what it calls happens in `run`."""
    return EVALUATORS[type(expression)](run, scope, expression)


# -- names -----------------------------------------------------------------------------------


def _name(run: Run, scope: Scope, node: nodes.Name) -> Value:
    value = scope.find(node.id)
    if value is not None:
        return value
    module = scope.module
    if node.id == "__name__":
        return scalar("str", module.name)
    if node.id == "__file__":
        return scalar("str", module.real_path)
    if node.id == "__package__":
        return scalar("str", module.name if module.is_package else module.name.rpartition(".")[0])
    if hasattr(builtins, node.id):
        return Symbol(f"builtins.{node.id}")
    return scope.module.from_stars(node.id)


def _attribute(run: Run, scope: Scope, node: nodes.Attribute) -> Value:
    value = run.evaluate(scope, node.value)
    if value == TOP and run.now.functions and _is_bare_parameter(run.now.functions[-1], node.value):
        return attributes.of_anything(run, node.attr)
    return run.get_attribute(value, node.attr, place_of(scope, node.at))


def _is_bare_parameter(function: FunctionValue, node: Expression) -> bool:
    """Whether an expression is a parameter of a function, one without an annotation."""
    return isinstance(node, nodes.Name) and any(
        one.name == node.id
        and one.annotation is None
        and one.kind in ("positional", "keyword-only")
        for one in function.definition.parameters
    )


# -- literals --------------------------------------------------------------------------------


def _constant(run: Run, scope: Scope, node: nodes.Constant) -> Value:
    if node.kind == "None":
        return NONE
    if node.kind == "ellipsis":
        return ELLIPSIS
    return scalar(node.kind, node.value)


def _display(run: Run, scope: Scope, node: nodes.Display) -> Value:
    items: list[Value] = []
    complete = True
    for item in node.items:
        if isinstance(item, nodes.Starred):
            value = iteration.expand(run, run.evaluate(scope, item.value))
            known = containers.members(value)
            if known is None:
                known = value.items if isinstance(value, SequenceValue) else []
                complete = False
            items.extend(known)
        else:
            items.append(run.evaluate(scope, item))
    if len(items) > len(node.items):
        return known_values.sequence(node.kind, items, complete)
    return SequenceValue(node.kind, items, complete)


def _dict_display(run: Run, scope: Scope, node: nodes.DictDisplay) -> Value:
    found = MappingValue({})
    for key_node, value_node in node.items:
        key = None if key_node is None else literals.key_of(run.evaluate(scope, key_node))
        value = run.evaluate(scope, value_node)
        if key is not None:
            found.items[key] = value
        elif key_node is None and isinstance(value, MappingValue):
            found.items.update(value.items)
            found.others.extend(value.others)
        else:
            found.others.append(value)
    spread = any(key_node is None for key_node, _ in node.items)
    return known_values.shortened(found) if spread else found


def _lambda(run: Run, scope: Scope, node: nodes.Lambda) -> Value:
    return definitions.make_function(run, scope, node)


# -- operators -------------------------------------------------------------------------------


def _operation(run: Run, scope: Scope, node: nodes.Operation) -> Value:
    if node.kind == "boolean":
        return _boolean(run, scope, node)
    operands = [run.evaluate(scope, operand) for operand in node.operands]
    place = place_of(scope, node.at)
    if node.kind == "unary":
        special = operators.unary(run, node.operators[0], operands[0], place)
        if special is not None:
            return special
        if node.operators == ("not",):
            known = operators.truth_in(run, operands[0], place)
            return scalar("bool", None if known is None else not known)
        return operands[0]
    result = operands[0]
    for operator, right in zip(node.operators, operands[1:], strict=True):
        result = operators.binary(run, operator, result, right, place)
    if node.kind == "compare" and (len(node.operators) > 1 or result == TOP):
        # Not the one that stands for everything: who tests it twice takes the same branch twice.
        return Top()
    return result


def _boolean(run: Run, scope: Scope, node: nodes.Operation) -> Value:
    """`and`, `or`: what follows the first operand may not be evaluated."""
    values = [run.evaluate(scope, node.operands[0])]
    path = run.state.path
    for operator, operand in zip(node.operators, node.operands[1:], strict=True):
        known = operators.truth_in(run, values[-1], place_of(scope, node.at))
        if known is (operator == "or"):
            run.state.path = path
            return values[-1]
        if known is None:
            if len(values) <= MOST_OPEN_OPERANDS:
                run.state.path = run.state.path | {(run.branch_ids.new(), 0)}
            try:
                values.append(run.evaluate(scope, operand))
            except Raised:
                break
        else:
            values[-1] = run.evaluate(scope, operand)
    run.state.path = path
    return join(values)


def _conditional(run: Run, scope: Scope, node: nodes.Conditional) -> Value:
    test = run.evaluate(scope, node.test)
    known = operators.truth_in(run, test, place_of(scope, node.test.at))
    if known is not None:
        return run.evaluate(scope, node.then if known else node.otherwise)
    branch_id = run.branch_ids.new()
    values: list[Value] = []
    for branch, part in enumerate((node.then, node.otherwise)):
        with run.perhaps((branch_id, branch)):
            values.append(run.evaluate(scope, part))
    if not values:
        raise Raised
    return join(values)


# -- calls, subscripts, comprehensions -------------------------------------------------------


def _call(run: Run, scope: Scope, node: nodes.Call) -> Value:
    place = place_of(scope, node.at)
    function = node.function
    if isinstance(function, nodes.Name) and function.id == "super" and not node.arguments:
        return definitions.super_of(scope)
    callee = run.evaluate(scope, function)
    return run.call(callee, arguments(run, scope, node.arguments), place)


def arguments(run: Run, scope: Scope, nodes: Sequence[nodes.Argument]) -> Arguments:
    """The arguments of a call, evaluated from left to right."""
    found = Arguments([])
    for node in nodes:
        value = run.evaluate(scope, node.value)
        if node.star == "*":
            value = iteration.expand(run, value)
            if isinstance(value, SequenceValue) and value.complete and not found.open:
                found.positional.extend(value.items)
            else:
                found.open = True
        elif node.star == "**":
            known = value if isinstance(value, MappingValue) and not value.others else None
            if known is not None and all(isinstance(key, str) for key in known.items):
                found.keywords.update({str(key): item for key, item in known.items.items()})
            else:
                found.open_keywords = True
        elif node.keyword is not None:
            found.keywords[node.keyword] = value
        else:
            found.positional.append(value)
    return found


def _subscript(run: Run, scope: Scope, node: nodes.Subscript) -> Value:
    value = run.evaluate(scope, node.value)
    index = [run.evaluate(scope, one) for one in node.index]
    place = place_of(scope, node.at)
    if isinstance(value, ClassValue):
        method = attributes.special(run, value, "__class_getitem__", place)
        if method is not None:
            made = run.call(method, Arguments(index[:1]), place)
            if made != TOP:
                return made
    found = subscript_type(value, index, text_of(node))
    if found is not None:
        return found
    return containers.item_of(run, value, index, place)


def _comprehension(run: Run, scope: Scope, node: nodes.Comprehension) -> Value:
    if node.kind == "generator":
        held = tuple(scope.names.values())
        return Generator(partial(_comprehended, run, scope, node), held)
    return _comprehended(run, scope, node)


def _comprehended(run: Run, scope: Scope, node: nodes.Comprehension) -> Value:
    inner = Scope(scope.module, "function", scope, scope.qualname)
    found: list[Value] = []
    keyed: dict[Hashable, Value] = {}
    complete = True

    def loop(clauses: Sequence[nodes.Clause]) -> None:
        nonlocal complete
        if not clauses:
            values = [run.evaluate(inner, one) for one in node.elements]
            key = literals.key_of(values[0]) if node.kind == "dict" else None
            if key is not None:
                keyed[key] = values[-1]
            else:
                found.append(values[-1])
            return
        clause = clauses[0]
        iterable = iteration.expand(run, run.evaluate(inner, clause.iterable))
        known = containers.members(iterable)
        conditions = [] if known is not None else [(run.branch_ids.new(), 0)]
        complete = complete and known is not None and not clause.conditions
        for member in [containers.element(iterable)] if known is None else known:
            with run.under(*conditions):
                assign(run, inner, clause.target, member)
                for condition in clause.conditions:
                    run.evaluate(inner, condition)
                    run.state.path = run.state.path | {(run.branch_ids.new(), 0)}
                loop(clauses[1:])

    run.now.frame.scopes.append(inner)
    loop(node.clauses)
    run.now.frame.scopes.pop()
    if node.kind == "dict":
        return MappingValue(keyed, found)
    return SequenceValue("set" if node.kind == "set" else "list", found, complete, uniform=True)


def _starred(run: Run, scope: Scope, node: nodes.Starred) -> Value:
    run.evaluate(scope, node.value)
    return TOP


def _named(run: Run, scope: Scope, node: nodes.NamedExpression) -> Value:
    value = run.evaluate(scope, node.value)
    assign(run, scope, node.target, value)
    return value


def _parts(run: Run, scope: Scope, node: nodes.Parts) -> Value:
    values = [run.evaluate(scope, part) for part in node.parts]
    if node.kind == "yield":
        values = [iteration.expand(run, value) for value in values]
    if node.kind == "await" and values:
        return iteration.expand(run, values[0])
    if node.kind == "yield" and values:
        run.now.frame.yielded.append(values[0])
    if node.kind == "slice":
        return SLICE if node.parts else WHOLE
    if node.kind == "fstring":
        return known_values.formatted(values)
    return TOP


EVALUATORS: Mapping[type, Callable[[Run, Scope, Any], Value]] = {
    nodes.Name: _name,
    nodes.Attribute: _attribute,
    nodes.Call: _call,
    nodes.Constant: _constant,
    nodes.Lambda: _lambda,
    nodes.Display: _display,
    nodes.DictDisplay: _dict_display,
    nodes.Operation: _operation,
    nodes.Subscript: _subscript,
    nodes.Conditional: _conditional,
    nodes.Comprehension: _comprehension,
    nodes.Starred: _starred,
    nodes.NamedExpression: _named,
    nodes.Parts: _parts,
}


# -- assignment ------------------------------------------------------------------------------


def assign(run: Run, scope: Scope, target: Expression, value: Value) -> None:
    """Binds a target to a value."""
    match target:
        case nodes.Name(_, name):
            home = scope.home(name)
            if home is scope:
                scope.names[name] = value
            else:
                attributes.write(run, home.serial, home.names, name, value, home)
        case nodes.Attribute(_, owner, name):
            attributes.set_attribute(
                run, run.evaluate(scope, owner), name, value, place_of(scope, target.at)
            )
        case nodes.Subscript(_, owner, index):
            container = run.evaluate(scope, owner)
            keys = [run.evaluate(scope, one) for one in index]
            containers.store(run, container, keys, value, place_of(scope, target.at))
        case nodes.Display(_, _, items):
            for item, part in zip(items, _unpacked(run, value, items), strict=True):
                inner = item.value if isinstance(item, nodes.Starred) else item
                assign(run, scope, inner, part)


def delete(run: Run, scope: Scope, target: Expression) -> None:
    """`del owner.name`, `del owner[key]`."""
    match target:
        case nodes.Attribute(_, owner, name):
            attributes.unbind(run, run.evaluate(scope, owner), name)
        case nodes.Subscript(_, owner, index):
            container = run.evaluate(scope, owner)
            keys = [run.evaluate(scope, one) for one in index]
            containers.delete(run, container, keys, place_of(scope, target.at))


def _unpacked(run: Run, value: Value, targets: Sequence[Expression]) -> list[Value]:
    """What each target of an unpacking gets."""
    value = iteration.expand(run, value)
    parts = value.items if isinstance(value, SequenceValue) and value.complete else None
    stars = [i for i, target in enumerate(targets) if isinstance(target, nodes.Starred)]
    if parts is not None and not stars and len(parts) == len(targets):
        return list(parts)
    if parts is not None and len(stars) == 1 and len(parts) >= len(targets) - 1:
        start = stars[0]
        stop = len(parts) - (len(targets) - 1 - start)
        return [*parts[:start], SequenceValue("list", parts[start:stop]), *parts[stop:]]
    rest = SequenceValue("list", [containers.element(value)], complete=False, uniform=True)
    return [rest if i in stars else containers.element(value) for i in range(len(targets))]


def text_of(node: Expression) -> str:
    """A type as a reader would write it, for messages and as the identity of what is opaque."""
    match node:
        case nodes.Name(_, name):
            return name
        case nodes.Attribute(_, value, name):
            return f"{text_of(value)}.{name}"
        case nodes.Constant(_, kind, value):
            return repr(value) if kind not in ("ellipsis", "None") else kind
        case nodes.Subscript(_, value, index):
            return f"{text_of(value)}[{', '.join(map(text_of, index))}]"
        case nodes.Display(_, _, items):
            return f"({', '.join(map(text_of, items))})"
        case nodes.Operation(_, _, operators, operands):
            return f" {operators[0]} ".join(map(text_of, operands))
    return f"<{node.at[0]}:{node.at[1]}>"
