"""Annotations as type hints, and the values that an annotated parameter stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plum_jit_lint.knowledge import numpy, others, standard
from plum_jit_lint.limits import MOST_OF_A_TYPE
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    ELLIPSIS,
    NONE,
    TOP,
    ClassValue,
    HintValue,
    Instance,
    MappingValue,
    Scope,
    SequenceValue,
    Symbol,
    Typed,
    Value,
    array,
    join,
)
from plum_jit_lint.static.types.hints import (
    ANY,
    ARRAY,
    BUILTIN,
    CALLABLE,
    NONE_TYPE,
    SCALARS,
    UNIONS,
    AnnotatedHint,
    AnyHint,
    Cls,
    Hint,
    InstanceArg,
    JaxtypedHint,
    LiteralHint,
    OpaqueHint,
    ScalarArg,
    TypeHint,
    UnionHint,
    weight_of,
)
from plum_jit_lint.syntax import nodes

TRANSPARENT = {"Final", "ClassVar", "Required", "NotRequired", "ReadOnly"}
"""Forms of `typing` that mean their first argument."""


def hint_of(value: Value, text: str) -> Hint:
    """The hint that a value means as an annotation written as `text`."""
    match value:
        case ClassValue():
            return value.cls
        case HintValue(hint):
            return hint
        case Symbol(path):
            if path in standard.ANY:
                return ANY
            if path in BUILTIN:
                known = BUILTIN[path]
                return TypeHint() if known.name == "builtins.type" else known
            if path in UNIONS:
                return UNIONS[path]
            if path.startswith(standard.TYPING):
                return OpaqueHint(text)
            return Cls(path, opaque=True)
        case Typed(ScalarArg(cls, _)) if cls.name.endswith("NoneType"):
            return cls
    return OpaqueHint(text)


def subscript_type(value: Value, index: Sequence[Value], text: str) -> Value | None:
    """What `value[index]` means where `value` is a type; `None` where it is none."""
    match value:
        case ClassValue():
            # A parametric class of plum makes a subclass for each parameter; a generic one
            # stays itself. Either way the instances are within the class.
            return value if not parametric(value) else _parametrised(value, text)
        case Symbol(path):
            hints = [hint_of(one, text) for one in index]
            if path in BUILTIN:
                return _of_builtin(BUILTIN[path], index, hints, text)
            if path.startswith(standard.TYPING):
                return _of_typing(path, index, hints, text)
            name = path.rpartition(".")[2]
            if path.startswith(others.JAXTYPING) and len(index) == 2:
                return HintValue(_jaxtyped(name, index[1], hints[0], text))
            if name[:1].isupper():
                return HintValue(OpaqueHint(text, Cls(path, opaque=True)))
    return None


def _made(hint: Hint, parts: tuple[Value, ...], text: str) -> HintValue:
    """A type that is made of others, not looked into where they are too many."""
    if weight_of(hint) > MOST_OF_A_TYPE:
        return HintValue(OpaqueHint(f"<{id(hint)}>" if text == "union" else text))
    return HintValue(hint, parts)


def _union(members: Sequence[Hint], parts: Sequence[Value], text: str) -> HintValue:
    """`A | B`; what stands in it again says nothing new."""
    flat: dict[Hint, Value] = {}
    for member, part in zip(members, parts, strict=True):
        if (
            isinstance(member, UnionHint)
            and isinstance(part, HintValue)
            and len(part.parts) == len(member.members)
        ):
            flat.update(
                {k: v for k, v in zip(member.members, part.parts, strict=True) if k not in flat}
            )
        else:
            flat.setdefault(member, part)
    return _made(UnionHint(tuple(flat)), tuple(flat.values()), text)


def _of_builtin(known: Cls, index: Sequence[Value], hints: Sequence[Hint], text: str) -> Value:
    if known.name == "builtins.type":
        return _made(TypeHint(hints[0] if hints else None), (), text)
    if known == CALLABLE:
        return HintValue(known)
    return _made(_container(known, index, hints, text), tuple(index), text)


def _of_typing(path: str, index: Sequence[Value], hints: Sequence[Hint], text: str) -> Value:
    """`Union[int, str]` and the other forms of `typing`."""
    name = path.rpartition(".")[2]
    if name == "Union":
        return _union(hints, index, text)
    if name == "Optional":
        return _union((*hints, NONE_TYPE), (*index, NONE), text)
    if name == "Literal":
        return HintValue(_literal(index, text))
    if name in ("Generic", "Protocol"):
        return HintValue(OpaqueHint(text, Cls(path)))
    if name == "Annotated" and index:
        return _made(_annotated(index, hints[0]), (index[0],), text)
    if name in TRANSPARENT and index:
        return index[0]
    return HintValue(OpaqueHint(text))


def _jaxtyped(name: str, shape: Value, array: Hint, text: str) -> Hint:
    """`Float[Array, "n m"]`."""
    written = shape.argument if isinstance(shape, Typed) else None
    spec = written.value if isinstance(written, ScalarArg) else None
    if isinstance(spec, str) and not isinstance(array, UnionHint):
        return JaxtypedHint(name, array, spec, object())
    return OpaqueHint(text)


def _container(known: Cls, index: Sequence[Value], hints: Sequence[Hint], text: str) -> Hint:
    """`list[int]`, `tuple[int, str]`, `tuple[int, ...]`."""
    items = tuple(hints)
    if TOP in index or "Unpack[" in text or any(isinstance(one, SequenceValue) for one in index):
        # `tuple[*Ts]`, `tuple[()]`
        return OpaqueHint(text, known)
    if known.name == "builtins.tuple":
        if ELLIPSIS in index:
            return OpaqueHint(text, known, items[:1], repeated=True)
        return OpaqueHint(text, known, items)
    if known.name in standard.OF_ONE_TYPE:
        return OpaqueHint(text, known, items[:1], repeated=True)
    return OpaqueHint(text, known)


def _annotated(index: Sequence[Value], hint: Hint) -> Hint:
    """plum takes `Annotated[X, ...]` for narrower than `X`; what it admits hangs on the metadata
    only where that is a validator of beartype."""
    plain = all(isinstance(one, Typed) for one in index[1:])
    return AnnotatedHint(hint, tuple(index[1:]) if plain else (object(),), validated=not plain)


def _parametrised(value: ClassValue, text: str) -> ClassValue:
    if text not in value.parametrised:
        cls = Cls(f"{value.cls.name}{text[text.index('[') :]}", (value.cls,), methods={})
        value.parametrised[text] = ClassValue(cls, value.scope, value.bases, value.annotated)
    return value.parametrised[text]


def parametric(value: ClassValue) -> bool:
    """Whether plum's `@parametric` made it, so that each parameter makes a class of its own."""
    return any(name == "__plum_parametric__" for name in value.scope.names) or any(
        isinstance(base, ClassValue) and parametric(base) for base in value.bases
    )


def _literal(index: Sequence[Value], text: str) -> Hint:
    values: list[object] = []
    for one in index:
        if not isinstance(one, Typed) or not isinstance(one.argument, ScalarArg):
            return OpaqueHint(text)
        values.append(one.argument.value)
    return LiteralHint(tuple(values))


def union_type(operands: Sequence[Value], text: str) -> Value | None:
    """What `A | B` means where all are types; `None` where some is none."""
    if all(is_type(one) for one in operands):
        return _union([hint_of(one, text) for one in operands], operands, text)
    return None


def is_type(value: Value) -> bool:
    """Whether a value is a type, as far as its shape tells."""
    match value:
        case ClassValue() | HintValue():
            return True
        case Symbol(path):
            return path in BUILTIN or path in UNIONS or path.rpartition(".")[2][:1].isupper()
    return value == NONE


def typed_value(value: Value, hint: Hint) -> Value:
    """What a parameter annotated with `value`, which means `hint`, stands for inside."""
    match value:
        case ClassValue():
            return Instance(value, {}, exact=False)
        case HintValue(UnionHint(), parts) if parts:
            return join([typed_value(part, hint_of(part, "?")) for part in parts])
        case HintValue(AnnotatedHint(of), parts) if parts:
            return typed_value(parts[0], of)
        case HintValue(OpaqueHint() as of, parts) if parts:
            return _contained(of, [typed_value(part, hint_of(part, "?")) for part in parts])
    match hint:
        case Cls() if hint == ARRAY:
            return array()
        case Cls(name) if name.endswith("NoneType"):
            return NONE
        case Cls(name) if name.startswith("builtins.") and name.rpartition(".")[2] in SCALARS:
            return Typed(ScalarArg(hint))
        case Cls(name, opaque=False) if name.startswith((numpy.PREFIX, "builtins.")):
            return TOP if name == "builtins.object" else Typed(InstanceArg(hint, False))
        case JaxtypedHint(array=of) if of == ARRAY:
            return array()
        case UnionHint(members):
            return join([typed_value(TOP, member) for member in members])
        case AnyHint():
            return TOP
    return TOP


def _contained(hint: OpaqueHint, parts: list[Value]) -> Value:
    """What is known of a `list[Model]`, a `dict[str, Model]`, a type variable with a bound."""
    within = hint.within.name if isinstance(hint.within, Cls) else ""
    if hint.text == "a type variable":
        return parts[0]
    if within in standard.MAPPINGS and len(parts) == 2:
        return MappingValue({}, parts[1:])
    if hint.items and hint.repeated:
        kind: Literal["tuple", "list"] = "tuple" if within == "builtins.tuple" else "list"
        return SequenceValue(kind, parts[:1], complete=False, uniform=True)
    return SequenceValue("tuple", parts) if hint.items else TOP


def hint(run: Run, scope: Scope, annotation: nodes.Annotation | None) -> tuple[Value, Hint]:
    """What an annotation stands for, as a value and as a type."""
    if annotation is None:
        return TOP, ANY
    value = run.evaluate(scope, annotation.value)
    return value, hint_of(value, annotation.text)


def typed(run: Run, scope: Scope, annotation: nodes.Annotation | None) -> Value:
    """What is known of a value by its annotation alone."""
    return typed_value(*hint(run, scope, annotation)) if annotation is not None else TOP
