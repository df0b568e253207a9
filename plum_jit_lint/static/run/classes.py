"""Class statements: what a class is, and what its definition makes happen."""

from __future__ import annotations

from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.run import (
    calls,
    evaluate,
    functions,
    library,
    statements,
)
from plum_jit_lint.static.run.machine import Run
from plum_jit_lint.static.run.values import (
    UNKNOWN,
    Arguments,
    ClassValue,
    Descriptor,
    HintValue,
    Scope,
    Symbol,
    Value,
)
from plum_jit_lint.static.types.hints import Cls
from plum_jit_lint.static.types.oracle import UNKNOWN_BASE


def define(run: Run, scope: Scope, node: facts.ClassDef) -> bool:
    bases = [evaluate.evaluate(run, scope, b.value) for b in node.bases if b.keyword is None]
    hooked = any(b.keyword == "metaclass" for b in node.bases) or any(
        isinstance(b, Symbol) and b.path.endswith("Protocol") for b in bases
    )
    inner = Scope(scope.module, "class", scope, f"{scope.qualname}{node.name}.")
    qualified = f"{scope.module.name}.{scope.qualname}{node.name}"
    above = tuple(_class_of(base) or UNKNOWN_BASE for base in bases)
    value = ClassValue(Cls(qualified, above, hooked=hooked), inner, tuple(bases))
    inner.names["__class__"] = value
    for parameter in node.type_parameters:
        inner.names[parameter] = UNKNOWN
    run.program.classes.append(value)
    run.scopes.append(inner)
    statements.execute(run, inner, node.body)
    run.scopes.pop()
    for statement in node.body:
        if isinstance(statement, facts.AnnotatedAssign) and isinstance(
            statement.target, facts.Name
        ):
            value.annotated[statement.target.id] = statement.annotation
    place = evaluate.place_of(scope, node.at)
    for one in functions.mro(value)[1:]:
        hook = one.scope.names.get("__init_subclass__")
        if hook is not None:
            inner_hook = hook.value if isinstance(hook, Descriptor) else hook
            calls.call(run, inner_hook, Arguments([value]), place)
            break
    result: Value = value
    for decorator in reversed(node.decorators):
        decorated = calls.call(
            run,
            evaluate.evaluate(run, scope, decorator),
            Arguments([result]),
            evaluate.place_of(scope, node.at),
        )
        result = decorated if isinstance(decorated, ClassValue) else result
    scope.bind(node.name, result)
    return True


def _class_of(base: Value) -> Cls | None:
    match base:
        case ClassValue():
            return base.cls
        case Symbol("builtins.object"):
            return library.OBJECT
        case Symbol(path):
            return library.class_of(path)
        case HintValue(hint):
            within = getattr(hint, "within", None)
            return within if isinstance(within, Cls) else None
    return None
