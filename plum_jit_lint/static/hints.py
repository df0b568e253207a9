"""Types and arguments as the sources show them, and how they relate.

The answers are those of plum (that is, of beartype) and of JAX, in three values: `True`,
`False`, and `None` for what the sources do not tell.
"""

from __future__ import annotations

import builtins
import collections.abc
import decimal
import enum
import fractions
import numbers
import pathlib
import re
import types
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class AnyHint:
    """`typing.Any`, and no annotation."""


@dataclass(frozen=True, slots=True)
class Cls:
    """A class, known by its qualified name (`builtins.int`, `pkg.mod.Shape`).

    `opaque`: a class of another project, or a name that may stand for anything. `hooked`: a
    protocol or a class with a metaclass of its own, so that `isinstance` may say anything.
    """

    name: str
    bases: tuple[Cls, ...] = field(default=(), compare=False, repr=False)
    opaque: bool = field(default=False, compare=False)
    hooked: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class UnionHint:
    """`A | B`."""

    members: tuple[Hint, ...]


@dataclass(frozen=True, slots=True)
class LiteralHint:
    """`Literal[...]` of plain values (`str`, `bytes`, `int`, `bool`, `None`)."""

    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class TypeHint:
    """`type[of]`; without `of` the bare `type`."""

    of: Hint | None = None


@dataclass(frozen=True, slots=True)
class JaxtypedHint:
    """`Float[Array, "n 3"]` of jaxtyping, for an array type that is no union.

    Each time such an expression runs it makes a new class, which plum takes for another type
    even where the text is the same. `identity` tells which expression it was.
    """

    dtype: str
    array: Hint
    shape: str
    identity: Hashable = None


@dataclass(frozen=True, slots=True)
class OpaqueHint:
    """A type that is not understood. It admits nothing that `within` does not (`list[int]` is
    within `list`); what it leaves out is not known."""

    text: str
    within: Hint | None = None


Hint: TypeAlias = AnyHint | Cls | UnionHint | LiteralHint | TypeHint | JaxtypedHint | OpaqueHint


@dataclass(frozen=True, slots=True)
class ArrayArg:
    """A `jax.Array`, traced or not. `dtype` as jax names it (`float32`)."""

    traced: bool
    shape: tuple[int, ...] | None = None
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class ScalarArg:
    """A Python or numpy scalar, a string or `None`; `value` where it is a literal."""

    cls: Cls
    value: object = None


@dataclass(frozen=True, slots=True)
class InstanceArg:
    """An instance of a class, or where it is not `exact` of a class below."""

    cls: Cls
    exact: bool


@dataclass(frozen=True, slots=True)
class ClassArg:
    """A class passed as a value, `None` where it is not known which."""

    cls: Cls | None


@dataclass(frozen=True, slots=True)
class FunctionArg:
    """A function, a partial, a jitted function."""


@dataclass(frozen=True, slots=True)
class TupleArg:
    """A tuple, list or dict that is built at the place of the call."""

    kind: Literal["tuple", "list", "dict"]
    items: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownArg:
    """Nothing is known about it."""


Argument: TypeAlias = (
    ArrayArg | ScalarArg | InstanceArg | ClassArg | FunctionArg | TupleArg | UnknownArg
)

_STANDARD: Mapping[types.ModuleType, str] = {
    builtins: "object type int float complex bool str bytes bytearray memoryview tuple list dict "
    "set frozenset slice range",
    types: "NoneType FunctionType ModuleType",
    collections.abc: "Hashable Iterable Iterator Reversible Sized Container Collection Callable "
    "Sequence MutableSequence Set MutableSet Mapping MutableMapping",
    numbers: "Number Complex Real Rational Integral",
    fractions: "Fraction",
    decimal: "Decimal",
    pathlib: "PurePath Path PosixPath",
    enum: "Enum IntEnum",
}

# Bases, and the abstract classes that each counts as an instance of.
_ARRAYS: Mapping[str, str] = {
    "jax.Array": "collections.abc.Container",
    # The class of an array that is no tracer. `jax.Array` itself has no methods to count by.
    "jax._src.array.ArrayImpl": "jax.Array collections.abc.Collection",
    "jax.core.Tracer": "collections.abc.Collection collections.abc.Reversible",
    "numpy.ndarray": "collections.abc.Collection",
    "numpy.generic": "",
    "numpy.bool_": "numpy.generic collections.abc.Hashable",
    "numpy.number": "numpy.generic numbers.Number",
    "numpy.integer": "numpy.number numbers.Integral",
    "numpy.signedinteger": "numpy.integer",
    "numpy.unsignedinteger": "numpy.integer",
    "numpy.inexact": "numpy.number numbers.Complex",
    "numpy.floating": "numpy.inexact numbers.Real",
    "numpy.complexfloating": "numpy.inexact",
    "numpy.int8": "numpy.signedinteger collections.abc.Hashable",
    "numpy.int16": "numpy.signedinteger collections.abc.Hashable",
    "numpy.int32": "numpy.signedinteger collections.abc.Hashable",
    "numpy.int64": "numpy.signedinteger collections.abc.Hashable",
    "numpy.uint8": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.uint16": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.uint32": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.uint64": "numpy.unsignedinteger collections.abc.Hashable",
    "numpy.float16": "numpy.floating collections.abc.Hashable",
    "numpy.float32": "numpy.floating collections.abc.Hashable",
    "numpy.float64": "numpy.floating builtins.float",
    "numpy.complex64": "numpy.complexfloating collections.abc.Hashable",
    "numpy.complex128": "numpy.complexfloating builtins.complex",
    "numpy.character": "numpy.generic",
    "numpy.str_": "numpy.character builtins.str",
    "numpy.bytes_": "numpy.character builtins.bytes",
    "numpy.datetime64": "numpy.generic collections.abc.Hashable",
    "numpy.timedelta64": "numpy.signedinteger collections.abc.Hashable",
}

_ALIASES: Mapping[str, str] = {
    "builtins.NoneType": "types.NoneType",
    "jax.numpy.ndarray": "jax.Array",
    "jaxtyping.Array": "jax.Array",
    "chex.ArrayDevice": "jax.Array",
    "chex.ArrayNumpy": "numpy.ndarray",
    "numpy.bool": "numpy.bool_",
    "numpy.single": "numpy.float32",
    "numpy.double": "numpy.float64",
    "typing.List": "builtins.list",
    "typing.Dict": "builtins.dict",
    "typing.Tuple": "builtins.tuple",
    "typing.Set": "builtins.set",
    "typing.FrozenSet": "builtins.frozenset",
    "typing.Type": "builtins.type",
    "typing.AbstractSet": "collections.abc.Set",
    **{
        f"typing.{name}": f"collections.abc.{name}"
        for name in _STANDARD[collections.abc].split()
        if name not in {"Set", "MutableSet"}
    },
    "typing.MutableSet": "collections.abc.MutableSet",
}


def _standard() -> dict[str, Cls]:
    """The classes of the standard library, with everything in the table that is above them."""
    real: dict[str, type] = {
        f"{module.__name__}.{name}": getattr(module, name)
        for module, names in _STANDARD.items()
        for name in names.split()
    }
    made: dict[str, Cls] = {}

    def make(name: str) -> Cls:
        if name not in made:
            # `object` counts as Hashable and everything is an object: naming it would be a loop.
            above = (
                other
                for other, cls in real.items()
                if other not in (name, "builtins.object") and issubclass(real[name], cls)
            )
            hooked = name.startswith("collections.abc.")
            made[name] = Cls(name, tuple(make(other) for other in above), hooked=hooked)
        return made[name]

    for name in real:
        make(name)
    return made


def _builtin() -> dict[str, Cls]:
    table = _standard()
    for name, bases in _ARRAYS.items():
        table[name] = Cls(name, tuple(table[base] for base in bases.split()))
    table.update({alias: table[name] for alias, name in _ALIASES.items()})
    return table


BUILTIN: Mapping[str, Cls] = _builtin()
"""Classes by qualified name, their aliases included. Everything about two of them is known."""

_HASHABLE = BUILTIN["collections.abc.Hashable"]


@cache
def _closure(cls: Cls) -> frozenset[Cls]:
    above = {cls}
    for base in cls.bases:
        # An abstract class counts as Hashable itself, what it stands for need not be.
        above |= _closure(base) - ({_HASHABLE} if base.hooked and base != _HASHABLE else set())
    return frozenset(above)


_ABOVE: Mapping[Cls, frozenset[Cls]] = {cls: _closure(cls) for cls in set(BUILTIN.values())}
"""What each class of the table is below; for two of them there is nothing else to know."""

ANY = AnyHint()
OBJECT = BUILTIN["builtins.object"]
ARRAY = BUILTIN["jax.Array"]
_CONCRETE = BUILTIN["jax._src.array.ArrayImpl"]
_TRACER = BUILTIN["jax.core.Tracer"]
_TYPE = BUILTIN["builtins.type"]
_CALLABLE = BUILTIN["collections.abc.Callable"]
_FUNCTION = BUILTIN["types.FunctionType"]


def _union(*names: str) -> UnionHint:
    return UnionHint(tuple(BUILTIN[name] for name in names))


_ARRAY_LIKE = _union(
    "jax.Array",
    "numpy.ndarray",
    "numpy.bool_",
    "numpy.number",
    "builtins.bool",
    "builtins.int",
    "builtins.float",
    "builtins.complex",
)

UNIONS: Mapping[str, Hint] = {
    "jax.typing.ArrayLike": _ARRAY_LIKE,
    "jaxtyping.ArrayLike": _ARRAY_LIKE,
    "jaxtyping.Scalar": JaxtypedHint("Shaped", ARRAY, "", "jaxtyping.Scalar"),
    "chex.Array": _union("jax.Array", "numpy.ndarray"),
    "numpy.typing.ArrayLike": OpaqueHint("numpy.typing.ArrayLike"),
}
"""Names of libraries that stand for a type which is no class, by qualified name."""


def _all(answers: Iterable[bool | None]) -> bool | None:
    result: bool | None = True
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            result = None
    return result


def _any(answers: Iterable[bool | None]) -> bool | None:
    result: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            result = None
    return result


def _members(hint: Hint) -> tuple[Hint, ...]:
    """The hint as a flat union. Within a union plum takes `Any` for `object`, which holds all."""
    if isinstance(hint, UnionHint):
        flat = tuple(part for member in hint.members for part in _members(member))
        return (OBJECT,) if ANY in flat or OBJECT in flat else flat
    if isinstance(hint, LiteralHint) and len(hint.values) > 1:
        return tuple(LiteralHint((value,)) for value in hint.values)
    if isinstance(hint, TypeHint) and (hint.of is None or hint.of in (ANY, OBJECT)):
        return (_TYPE,)
    return (hint,)


def _class_of(value: object) -> Cls:
    return BUILTIN[f"builtins.{type(value).__name__}"]


def _reaches(cls: Cls, above: Cls) -> bool:
    if cls in _ABOVE:
        return above in _ABOVE[cls]
    # Not through `object`, which counts as Hashable where a class need not.
    return cls == above or any(_reaches(base, above) for base in cls.bases if base != OBJECT)


UNKNOWN_BASE = Cls("a base that is not known", opaque=True)
"""A base class that may be anything, a class of the program included."""


def _open(cls: Cls) -> bool:
    """Whether the class may have bases that are not known."""
    return cls.opaque or any(map(_open, cls.bases))


def _may_derive(a: Cls, b: Cls) -> bool:
    """Whether `a` may derive from `b` where nothing says so. Other projects do not derive from
    the classes of this one."""
    if b.opaque or b in _ABOVE:
        return b.opaque or _open(a)
    return a == UNKNOWN_BASE or any(_may_derive(base, b) for base in a.bases)


def _class_below(a: Cls, b: Cls) -> bool | None:
    if a == OBJECT and b == _HASHABLE:
        return None  # beartype says yes, but not within every union
    if b == OBJECT or _reaches(a, b):
        return True
    if a in _ABOVE and b in _ABOVE:
        return False
    if b.hooked:
        return None
    if a == OBJECT or _reaches(b, a):
        return False
    return None if _may_derive(a, b) else False


def _below(a: Hint, b: Hint) -> bool | None:
    """`_type_hint_le` for what is no union; `Any` is dealt with."""
    if a == b and not isinstance(a, JaxtypedHint):
        return True
    match a, b:
        case _, Cls() if b == OBJECT:
            return True
        case Cls(), Cls():
            return _class_below(a, b)
        case LiteralHint(), LiteralHint():
            return a.values[0] in b.values
        case LiteralHint(), Cls():
            return _class_below(_class_of(a.values[0]), b)
        case TypeHint(), TypeHint():
            return _is_below(a.of or OBJECT, b.of or OBJECT)
        case TypeHint(), Cls():
            return _class_below(_TYPE, b)
        case Cls(), TypeHint():
            return False if a in _ABOVE or _class_below(a, _TYPE) is False else None
        case JaxtypedHint(), JaxtypedHint():
            return _same_jaxtyped(a, b)
        case JaxtypedHint(), Cls():
            # Up to 0.2 the made class is a subclass of its array type, since 0.3 it is not.
            return False if _is_below(a.array, b) is False and not b.hooked else None
        case _, OpaqueHint():
            return False if b.within is not None and _is_below(a, b.within) is False else None
        case OpaqueHint(), _:
            if a.within is None:
                return None
            inside = _is_below(a.within, b)
            return None if inside is False and _is_below(b, a.within) is not False else inside
    return False


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
    return _all(
        None
        if loose and isinstance(part, LiteralHint)
        else _any(_below(part, other) for other in above)
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

    def equal(self, a: Hint, b: Hint) -> bool | None:
        """`plum._type._type_hint_eq`."""
        same = _all((self.below(a, b), self.below(b, a)))
        if same and isinstance(a, UnionHint) and isinstance(b, UnionHint):
            # Two spellings of one union need not be equal for beartype.
            return True if set(_members(a)) == set(_members(b)) else None
        return same

    def below(self, a: Hint, b: Hint) -> bool | None:
        """`plum._type._type_hint_le`."""
        key = (a, b)
        if key not in self._below:
            self._below[key] = _is_below(a, b)
        return self._below[key]

    def admits(self, hint: Hint, argument: Argument) -> bool | None:
        """`plum._bear.is_bearable`."""
        key = (hint, argument)
        if key not in self._admits:
            self._admits[key] = _admits(hint, argument)
        return self._admits[key]


def _admits(hint: Hint, argument: Argument) -> bool | None:
    return _any(_part_admits(part, argument) for part in _members(hint))


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
        case OpaqueHint() if hint.within is not None:
            return False if _admits(hint.within, argument) is False else None
    return None


def _argument_class(argument: Argument) -> Cls:
    """The class that decides what a value of the argument is an instance of."""
    match argument:
        case ArrayArg():
            return _TRACER if argument.traced else _CONCRETE
        case ScalarArg() | InstanceArg():
            return argument.cls
        case ClassArg():
            return _TYPE
        case FunctionArg():
            return _FUNCTION
        case TupleArg():
            return BUILTIN[f"builtins.{argument.kind}"]
        case UnknownArg():
            return OBJECT


def _is_exact(argument: Argument) -> bool:
    """Whether the argument's class is known, not only one above it."""
    match argument:
        case InstanceArg():
            return argument.exact
        case ClassArg() | FunctionArg() | UnknownArg():
            return False
    return True


def _class_admits(hint: Cls, argument: Argument) -> bool | None:
    if hint == ARRAY and isinstance(argument, ArrayArg):
        return True
    if hint == _FUNCTION and isinstance(argument, FunctionArg):
        return None
    cls = _argument_class(argument)
    answer = _class_below(cls, hint)
    if answer is True or _is_exact(argument):
        return answer
    if hint.hooked or _class_below(hint, cls) is not False:
        return None
    if any(cls in above and hint in above for above in _ABOVE.values()):
        return None
    return answer


def _literal_admits(value: object, argument: Argument) -> bool | None:
    fits = _class_admits(_class_of(value), argument)
    if fits and value is None:
        return True
    if fits and isinstance(argument, ScalarArg) and argument.value is not None:
        return bool(argument.value == value)
    return False if fits is False else None


def _type_admits(of: Hint, argument: Argument) -> bool | None:
    if not isinstance(argument, ClassArg):
        return False if _class_admits(_TYPE, argument) is False else None
    if of in (ANY, OBJECT):
        return True
    return None if argument.cls is None else _is_below(argument.cls, of)


_KINDS = {
    "bool": "Bool",
    **{f"int{bits}": "Int" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": "UInt" for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("float16", "float32", "float64", "bfloat16"), "Float"),
    **{f"complex{bits}": "Complex" for bits in (64, 128)},
}

_FAMILIES = {
    "Integer": {"Int", "UInt"},
    "Real": {"Int", "UInt", "Float"},
    "Inexact": {"Float", "Complex"},
    "Num": {"Int", "UInt", "Float", "Complex"},
    **{kind: {kind} for kind in ("Bool", "Int", "UInt", "Float", "Complex", "Key")},
}

_PLAIN_DIMENSION = re.compile(r"(?:[A-Za-z]\w*=)?(#?)(\d+|[A-Za-z]\w*)")


def _jaxtyped_admits(hint: JaxtypedHint, argument: Argument) -> bool | None:
    if isinstance(hint.array, AnyHint) and isinstance(argument, ArrayArg):
        array: bool | None = True
    else:
        array = _admits(hint.array, argument)
    if not isinstance(argument, ArrayArg):
        return False if array is False else None
    dtype = _dtype_fits(hint.dtype, argument.dtype)
    return _all((array, dtype, _shape_fits(hint.shape, argument.shape)))


def _dtype_fits(wanted: str, dtype: str | None) -> bool | None:
    if wanted == "Shaped":
        return True
    kind = _KINDS.get(dtype or "")
    if kind is None:
        return None
    if wanted in _FAMILIES:
        return kind in _FAMILIES[wanted]
    return wanted.lower() == dtype if wanted.lower() in _KINDS else None


def _shape_fits(spec: str, shape: tuple[int, ...] | None) -> bool | None:
    dimensions = spec.split()
    variadic = [i for i, d in enumerate(dimensions) if d == "..." or d.startswith("*")]
    if len(variadic) > 1:
        return None
    if variadic and len(dimensions) == 1:
        return True
    if shape is None:
        return None
    if variadic:
        if len(shape) < len(dimensions) - 1:
            return False
        (start,) = variadic
        stop = start + len(shape) - (len(dimensions) - 1)
        dimensions = dimensions[:start] + dimensions[start + 1 :]
        shape = shape[:start] + shape[stop:]
    if len(shape) != len(dimensions):
        return False
    sizes: dict[str, int] = {}
    return _all(_size_fits(d, n, sizes) for d, n in zip(dimensions, shape, strict=True))


def _size_fits(dimension: str, size: int, sizes: dict[str, int]) -> bool | None:
    """`sizes` holds what the names stand for so far."""
    if dimension.startswith("_"):
        return True
    plain = _PLAIN_DIMENSION.fullmatch(dimension)
    if plain is None:
        return None
    broadcast, wanted = plain.groups()
    if broadcast and size == 1:
        return True
    return size == (int(wanted) if wanted.isdigit() else sizes.setdefault(wanted, size))


_NO_TRACE = frozenset(
    BUILTIN[name]
    for name in (
        "builtins.type",
        "builtins.str",
        "builtins.bytes",
        "builtins.bytearray",
        "builtins.memoryview",
        "builtins.set",
        "builtins.frozenset",
        "builtins.slice",
        "builtins.range",
        "types.FunctionType",
        "types.ModuleType",
        "collections.abc.Callable",
        "collections.abc.Set",
        "collections.abc.MutableSet",
        "fractions.Fraction",
        "decimal.Decimal",
        "pathlib.PurePath",
        "pathlib.Path",
        "pathlib.PosixPath",
        "numpy.character",
        "numpy.str_",
        "numpy.bytes_",
        "numpy.datetime64",
        "numpy.timedelta64",
    )
)

_TRACE = (
    frozenset(
        BUILTIN[name]
        for name in (
            "builtins.int",
            "builtins.float",
            "builtins.complex",
            "builtins.bool",
            "builtins.tuple",
            "builtins.list",
            "builtins.dict",
            "types.NoneType",
            "enum.IntEnum",
            "numbers.Number",
            "numbers.Complex",
            "numbers.Real",
            "numbers.Rational",
            "numbers.Integral",
            *_ARRAYS,
        )
    )
    - _NO_TRACE
)


def traceable(hint: Hint) -> bool | None:
    """Whether jit takes a value of this type as an argument that is not static."""
    return _any(_traceable(part) for part in _members(hint))


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


def describe(of: Hint | Argument) -> str:
    """A type or argument in short, as a reader would write it; `?` for what is not known."""
    match of:
        case AnyHint():
            return "Any"
        case Cls():
            name = of.name.rsplit(".", 1)[-1]
            return "None" if name == "NoneType" else name
        case UnionHint():
            return " | ".join(map(describe, of.members))
        case LiteralHint():
            return f"Literal[{', '.join(map(repr, of.values))}]"
        case TypeHint():
            return "type" if of.of is None else f"type[{describe(of.of)}]"
        case JaxtypedHint():
            return f'{of.dtype}[{describe(of.array)}, "{of.shape}"]'
        case OpaqueHint():
            return of.text
        case ArrayArg():
            return "Array"
        case ScalarArg() | InstanceArg():
            return describe(of.cls)
        case ClassArg():
            return "type" if of.cls is None else f"type[{describe(of.cls)}]"
        case FunctionArg():
            return "Callable"
        case TupleArg():
            return of.kind
        case UnknownArg():
            return "?"
