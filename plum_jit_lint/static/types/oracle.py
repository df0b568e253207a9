"""How types and arguments relate, as plum and beartype see it, in three values."""

from __future__ import annotations

from collections.abc import Iterator

from plum_jit_lint.knowledge import NOT_TRACEABLE, TRACEABLE
from plum_jit_lint.static.types import jaxtyped
from plum_jit_lint.static.types.answers import all_of, any_of
from plum_jit_lint.static.types.hints import (
    ABOVE,
    ANY,
    ARRAY,
    BUILTIN,
    CONCRETE,
    FUNCTION,
    HASHABLE,
    HAVING,
    METHODS,
    OBJECT,
    REVERSIBLE,
    TRACER,
    TYPE,
    AnnotatedHint,
    AnyHint,
    Argument,
    ArrayArg,
    ClassArg,
    Cls,
    FunctionArg,
    Hint,
    InstanceArg,
    JaxtypedHint,
    KnownArg,
    LiteralHint,
    OpaqueHint,
    ScalarArg,
    TupleArg,
    TypeHint,
    UnionHint,
    UnknownArg,
)


def _members(hint: Hint) -> tuple[Hint, ...]:
    """The hint as a flat union. Within a union plum takes `Any` for `object`, which holds all."""
    if isinstance(hint, UnionHint):
        flat = tuple(dict.fromkeys(part for one in hint.members for part in _members(one)))
        return (OBJECT,) if ANY in flat or OBJECT in flat else flat
    if isinstance(hint, LiteralHint) and len(hint.values) > 1:
        return tuple(LiteralHint((value,)) for value in hint.values)
    if isinstance(hint, TypeHint) and (hint.of is None or hint.of in (ANY, OBJECT)):
        return (TYPE,)
    return (hint,)


def _class_of(value: object) -> Cls:
    return BUILTIN[f"builtins.{type(value).__name__}"]


def _reaches(cls: Cls, above: Cls) -> bool:
    # Not through `object`, which counts as Hashable where a class need not.
    return any(
        above in ABOVE[one] if one in ABOVE else one == above
        for one in _at_or_above(cls)
        if one is cls or one != OBJECT
    )


def _at_or_above(cls: Cls) -> Iterator[Cls]:
    """The class and all that are above it, each once: many classes may share a base. What stands
    above a class of the table is known without it."""
    seen = {id(cls)}
    pending = [cls]
    while pending:
        one = pending.pop()
        yield one
        if one not in ABOVE:
            for base in one.bases:
                if id(base) not in seen:
                    seen.add(id(base))
                    pending.append(base)


UNKNOWN_BASE = Cls("a base that is not known", opaque=True)
"""A base class that may be anything, a class of the program included."""


def _open(cls: Cls) -> bool:
    """Whether the class may have bases that are not known."""
    return any(one.opaque for one in _at_or_above(cls))


def _may_derive(a: Cls, b: Cls) -> bool:
    """Whether `a` may derive from `b` where nothing says so. Other projects do not derive from
    the classes of this one."""
    if b.opaque or b in ABOVE:
        return b.opaque or _open(a)
    return any(one == UNKNOWN_BASE for one in _at_or_above(a))


def _has(cls: Cls, method: str) -> bool | None:
    """Whether the instances of a class have a special method."""
    seen: set[int] = set()

    def has(one: Cls) -> bool | None:
        if one in ABOVE:
            return HAVING[method] in ABOVE[one]
        if one.methods is None:
            return None
        if method in one.methods:
            return one.methods[method] or None
        # What a base that was asked before has said is part of the answer already.
        fresh = [base for base in one.bases if id(base) not in seen]
        seen.update(map(id, fresh))
        return any_of(map(has, fresh))

    return has(cls)


def _class_below(a: Cls, b: Cls) -> bool | None:
    if a == OBJECT and b == HASHABLE:
        return None  # beartype says yes, but not within every union
    if a == CONCRETE and b == REVERSIBLE:
        return None  # since jax 0.12
    if b == OBJECT or _reaches(a, b):
        return True
    if a in ABOVE and b in ABOVE:
        return False
    if b.hooked:
        return all_of(_has(a, name) for name in METHODS[b]) if b in METHODS else None
    if a == OBJECT or _reaches(b, a):
        return False
    return None if _may_derive(a, b) else False


def _below(a: Hint, b: Hint) -> bool | None:
    """`_type_hint_le` for what is no union; `Any` is dealt with."""
    if b == OBJECT or (a == b and not isinstance(a, JaxtypedHint)):
        return True
    if isinstance(a, AnnotatedHint):
        return _annotated_below(a, b)
    if isinstance(b, AnnotatedHint):
        return False
    if isinstance(b, OpaqueHint):
        return _below_opaque(a, b)
    match a, b:
        case Cls(), Cls():
            return _class_below(a, b)
        case LiteralHint(), LiteralHint():
            return a.values[0] in b.values
        case LiteralHint(), Cls():
            return _class_below(_class_of(a.values[0]), b)
        case TypeHint(), TypeHint():
            return _is_below(a.of or OBJECT, b.of or OBJECT)
        case TypeHint(), Cls():
            return _class_below(TYPE, b)
        case Cls(), TypeHint():
            return False if a in ABOVE or _class_below(a, TYPE) is False else None
        case JaxtypedHint(), JaxtypedHint():
            return _same_jaxtyped(a, b)
        case JaxtypedHint(), Cls():
            # Since jaxtyping 0.3 the made class is no subclass of its array type.
            return None if b.hooked else False
        case OpaqueHint(), _:
            return _opaque_below(a, b)
    return False


def _annotated_below(a: AnnotatedHint, b: Hint) -> bool | None:
    if not isinstance(b, AnnotatedHint):
        return _is_below(a.of, b)
    below = _is_below(a.of, b.of)
    if a.metadata == b.metadata:
        return below
    return None if below is not False and a.validated else False


def _below_opaque(a: Hint, b: OpaqueHint) -> bool | None:
    inside = None if b.within is None else _is_below(a, b.within)
    if not inside:
        return inside
    if isinstance(a, Cls) and a not in ABOVE and b.items and not (_open(a) or _has_items(a)):
        # For beartype any members fit below `Any`, and those of a plain class below nothing else.
        loose = [item in (ANY, OBJECT) for item in b.items]
        return False if not any(loose) else True if b.repeated else None
    return None


def _has_items(cls: Cls) -> bool:
    """Whether a class says of what its members are (`class Names(list[str])`)."""
    return any("[" in one.name for one in _at_or_above(cls))


def _opaque_below(a: OpaqueHint, b: Hint) -> bool | None:
    if a.within is None:
        return None
    inside = _is_below(a.within, b)
    if a.items:
        # `list[int]` is below no class that derives from `list`.
        return inside
    return None if inside is False and _is_below(b, a.within) is not False else inside


def _same_jaxtyped(a: JaxtypedHint, b: JaxtypedHint) -> bool | None:
    if a.identity is not None and b.identity is not None:
        return a == b
    return None if (a.dtype, a.array, a.shape) == (b.dtype, b.array, b.shape) else False


def _is_below(a: Hint, b: Hint) -> bool | None:
    """`plum._type._type_hint_le`."""
    if isinstance(a, AnyHint):
        if isinstance(b, OpaqueHint) and b.within is None:
            return None
        return isinstance(b, AnyHint)
    if isinstance(b, AnyHint):
        return True
    above = _members(b)
    loose = a != b and _loose(a, b)
    return all_of(
        None
        if loose and isinstance(part, LiteralHint)
        else any_of(_below(part, other) for other in above)
        for part in _members(a)
    )


def _loose(a: Hint, b: Hint) -> bool:
    """Whether beartype is not to be trusted about the literals in `a`: it takes a literal to be
    below every union that holds one, and not to be below a union that covers it piece by piece."""
    return isinstance(a, UnionHint) or (isinstance(b, UnionHint) and _holds_literal(b))


def _holds_literal(hint: Hint) -> bool:
    return any(isinstance(part, LiteralHint) for part in _members(hint))


class StaticOracle:
    """What plum says about types and arguments, as far as the sources tell.

    It remembers its answers: big method tables ask the same questions thousands of times.
    """

    def __init__(self) -> None:
        self._below: dict[tuple[Hint, Hint], bool | None] = {}
        self._admits: dict[tuple[Hint, Argument], bool | None] = {}
        self.questions = 0
        """How many were asked: what a choice among many methods costs."""

    def equal(self, a: Hint, b: Hint) -> bool | None:
        """`plum._type._type_hint_eq`."""
        same = all_of((self.below(a, b), self.below(b, a)))
        if same and isinstance(a, UnionHint) and isinstance(b, UnionHint):
            # Two spellings of one union need not be equal for beartype.
            return True if set(_members(a)) == set(_members(b)) else None
        return same

    def below(self, a: Hint, b: Hint) -> bool | None:
        """`plum._type._type_hint_le`."""
        self.questions += 1
        key = (a, b)
        if key not in self._below:
            self._below[key] = _is_below(a, b)
        return self._below[key]

    def admits(self, hint: Hint, argument: Argument) -> bool | None:
        """`plum._bear.is_bearable`."""
        self.questions += 1
        key = (hint, argument)
        if key not in self._admits:
            self._admits[key] = _admits(hint, argument)
        return self._admits[key]


def _admits(hint: Hint, argument: Argument) -> bool | None:
    return any_of(_part_admits(part, argument) for part in _members(hint))


def _part_admits(hint: Hint, argument: Argument) -> bool | None:
    if hint in (ANY, OBJECT):
        return True
    if isinstance(argument, UnknownArg):
        return None
    if isinstance(argument, InstanceArg) and argument.cls == ARRAY:
        answers = {_admits(hint, ArrayArg(traced)) for traced in (True, False)}
        return answers.pop() if len(answers) == 1 else None
    match hint:
        case Cls():
            return _class_admits(hint, argument)
        case LiteralHint():
            return _literal_admits(hint.values[0], argument)
        case TypeHint():
            return _type_admits(hint.of or ANY, argument)
        case JaxtypedHint():
            return _jaxtyped_admits(hint, argument)
        case AnnotatedHint():
            admitted = _admits(hint.of, argument)
            return None if admitted and hint.validated else admitted
        case OpaqueHint() if hint.within is not None:
            within = _admits(hint.within, argument)
            return within if within is False else all_of((within, _items_admit(hint, argument)))
    return None


def _items_admit(hint: OpaqueHint, argument: Argument) -> bool | None:
    """Whether the members are of the types that `tuple[int, str]` or `list[int]` asks for.
    beartype looks at one member only where there is one type for all."""
    if hint.repeated and hint.items[0] in (ANY, OBJECT):
        return True
    items = argument.items if isinstance(argument, TupleArg | InstanceArg) else None
    if items is None or not hint.items or getattr(argument, "kind", None) == "dict":
        return None
    if not hint.repeated:
        if len(hint.items) != len(items):
            return False
        return all_of(map(_admits, hint.items, items))
    answers = [_admits(hint.items[0], item) for item in items]
    if not answers or all(answers):
        return True
    return False if all(answer is False for answer in answers) else None


def _jaxtyped_admits(hint: JaxtypedHint, argument: Argument) -> bool | None:
    if isinstance(hint.array, AnyHint) and isinstance(argument, ArrayArg):
        array: bool | None = True
    else:
        array = _admits(hint.array, argument)
    if not isinstance(argument, ArrayArg):
        return False if array is False else None
    return all_of((array, jaxtyped.fits(hint, argument)))


def _argument_class(argument: KnownArg) -> Cls:
    """The class that decides what a value of the argument is an instance of."""
    match argument:
        case ArrayArg():
            return TRACER if argument.traced else CONCRETE
        case ScalarArg() | InstanceArg():
            return argument.cls
        case ClassArg():
            return TYPE
        case FunctionArg():
            return FUNCTION
        case TupleArg():
            return BUILTIN[f"builtins.{argument.kind}"]


def _is_exact(argument: KnownArg) -> bool:
    """Whether the argument's class is known, not only one above it."""
    match argument:
        case InstanceArg():
            return argument.exact
        case ClassArg() | FunctionArg():
            return False
    return True


def _class_admits(hint: Cls, argument: KnownArg) -> bool | None:
    if hint == ARRAY and isinstance(argument, ArrayArg):
        return True
    if hint == FUNCTION and isinstance(argument, FunctionArg):
        return None
    cls = _argument_class(argument)
    if hint == HASHABLE and cls.hooked and not _is_exact(argument):
        return None  # abstract classes count as Hashable, and what they stand for need not be
    answer = _class_below(cls, hint)
    if answer is True or _is_exact(argument):
        return answer
    if hint.hooked or _class_below(hint, cls) is not False:
        return None
    if any(cls in above and hint in above for above in ABOVE.values()):
        return None
    return answer


def _literal_admits(value: object, argument: KnownArg) -> bool | None:
    fits = _class_admits(_class_of(value), argument)
    if fits and value is None:
        return True
    if fits and isinstance(argument, ScalarArg) and argument.value is not None:
        return bool(argument.value == value)
    return False if fits is False else None


def _type_admits(of: Hint, argument: KnownArg) -> bool | None:
    if not isinstance(argument, ClassArg):
        return False if _class_admits(TYPE, argument) is False else None
    if of in (ANY, OBJECT):
        return True
    return None if argument.cls is None else _is_below(argument.cls, of)


_NO_TRACE = frozenset(BUILTIN[name] for name in NOT_TRACEABLE)
_TRACE = frozenset(BUILTIN[name] for name in TRACEABLE)


def traceable(hint: Hint) -> bool | None:
    """Whether jit takes a value of this type as an argument that is not static."""
    return any_of(_traceable(part) for part in _members(hint))


def _traceable(hint: Hint) -> bool | None:
    match hint:
        case Cls():
            return False if hint in _NO_TRACE else True if hint in _TRACE else None
        case LiteralHint():
            return _traceable(_class_of(hint.values[0]))
        case TypeHint():
            return False
        case JaxtypedHint():
            return traceable(hint.array)
        case AnnotatedHint():
            return traceable(hint.of)
        case OpaqueHint() if hint.within is not None:
            return False if traceable(hint.within) is False else None
    return None


def admits_tracer(hint: Hint) -> bool | None:
    """Whether plum matches a traced array with this type."""
    return _admits(hint, ArrayArg(traced=True))


def convertible_from_tracer(hint: Hint) -> bool | None:
    """Whether plum can return a traced array from a method with this return type.

    plum wraps what it returns as a tuple or list; other conversions do not see a tracer.
    """
    wrapped = any(_is_below(hint, BUILTIN[f"builtins.{name}"]) for name in ("tuple", "list"))
    return wrapped or admits_tracer(hint)
