"""Types and arguments as the sources show them, and how they relate.

The answers are those of plum (that is, of beartype) and of JAX, in three values: `True`,
`False`, and `None` for what the sources do not tell.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Literal, TypeAlias

from plum_jit_lint.knowledge import ARRAY_CLASSES, CLASS_ALIASES, jax, numpy, others, standard


@dataclass(frozen=True, slots=True)
class AnyHint:
    """`typing.Any`, and no annotation."""


@dataclass(frozen=True, slots=True)
class Cls:
    """A class, known by its qualified name (`builtins.int`, `pkg.mod.Shape`).

    `opaque`: a class of another project, or a name that may stand for anything. `hooked`: a
    protocol or a class with a metaclass of its own, so that `isinstance` may say anything.
    `number` counts the classes of one name: a class statement that runs again makes another.
    `methods`: the special methods that its own body gives it, and whether surely; `None` where
    that is not known.
    """

    name: str
    bases: tuple[Cls, ...] = field(default=(), compare=False, repr=False)
    opaque: bool = field(default=False, compare=False)
    hooked: bool = field(default=False, compare=False)
    number: int = 0
    methods: Mapping[str, bool] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UnionHint:
    """`A | B`."""

    members: tuple[Hint, ...]
    weight: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", 1 + sum(map(weight_of, self.members)))


@dataclass(frozen=True, slots=True)
class LiteralHint:
    """`Literal[...]` of plain values (`str`, `bytes`, `int`, `bool`, `None`)."""

    values: tuple[object, ...]
    kinds: tuple[type, ...] = field(init=False)

    def __post_init__(self) -> None:
        # `1 == True`, but `Literal[1]` is another type than `Literal[True]`.
        object.__setattr__(self, "kinds", tuple(map(type, self.values)))


@dataclass(frozen=True, slots=True)
class TypeHint:
    """`type[of]`; without `of` the bare `type`."""

    of: Hint | None = None
    weight: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", 1 + weight_of(self.of))


@dataclass(frozen=True, slots=True)
class JaxtypedHint:
    """`Float[Array, "n 3"]` of jaxtyping, for an array type that is no union.

    Each time such an expression runs it makes a new class, which plum takes for another type
    even where the text is the same. `identity` tells which of them it is.
    """

    dtype: str
    array: Hint
    shape: str
    identity: Hashable = None


@dataclass(frozen=True, slots=True)
class OpaqueHint:
    """A type that is not understood. It admits nothing that `within` does not (`list[int]` is
    within `list`); what it leaves out is not known, but for the types of its `items`: one for
    each, or where they are `repeated` one for all."""

    text: str
    within: Hint | None = None
    items: tuple[Hint, ...] = ()
    repeated: bool = False
    weight: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        parts = (self.within, *self.items)
        object.__setattr__(self, "weight", 1 + sum(map(weight_of, parts)))


@dataclass(frozen=True, slots=True)
class AnnotatedHint:
    """`Annotated[of, ...]`. `metadata` tells two of them apart. `validated`: which of the values
    of `of` it admits may hang on a validator (beartype's `Is[...]`)."""

    of: Hint
    metadata: tuple[Hashable, ...]
    validated: bool
    weight: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", 1 + weight_of(self.of))


Hint: TypeAlias = (
    AnnotatedHint | AnyHint | Cls | UnionHint | LiteralHint | TypeHint | JaxtypedHint | OpaqueHint
)


Shape: TypeAlias = tuple[int | None, ...]
"""The sizes of the axes, `None` where one is not known."""


@dataclass(frozen=True, slots=True)
class ArrayArg:
    """A `jax.Array`, traced or not. `dtype` as jax names it (`float32`)."""

    traced: bool
    shape: Shape | None = None
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class ScalarArg:
    """A Python or numpy scalar, a string or `None`; `value` where it is a literal."""

    cls: Cls
    value: object = None


@dataclass(frozen=True, slots=True)
class InstanceArg:
    """An instance of a class, or where it is not `exact` of a class below. `items` are those of a
    named tuple."""

    cls: Cls
    exact: bool
    items: tuple[Argument, ...] | None = None


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


KnownArg: TypeAlias = ArrayArg | ScalarArg | InstanceArg | ClassArg | FunctionArg | TupleArg

Argument: TypeAlias = KnownArg | UnknownArg


def _standard() -> dict[str, Cls]:
    """The classes of the standard library, with everything in the table that is above them."""
    real: dict[str, type] = {
        f"{module}.{name}": getattr(import_module(module), name)
        for module, names in standard.CLASSES.items()
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
            hooked = name.startswith(standard.ABSTRACT)
            made[name] = Cls(name, tuple(make(other) for other in above), hooked=hooked)
        return made[name]

    for name in real:
        make(name)
    return made


def _builtin() -> dict[str, Cls]:
    table = _standard()
    for name, bases in ARRAY_CLASSES.items():
        table[name] = Cls(name, tuple(table[base] for base in bases.split()))
    table.update({alias: table[name] for alias, name in CLASS_ALIASES.items()})
    return table


BUILTIN: Mapping[str, Cls] = _builtin()
"""Classes by qualified name, their aliases included. Everything about two of them is known."""

SCALARS = frozenset({"int", "float", "complex", "bool", "str", "bytes"})
"""Built-in classes whose instances are a `ScalarArg`, by name."""

HASHABLE = BUILTIN[standard.HASHABLE]


@cache
def _closure(cls: Cls) -> frozenset[Cls]:
    above = {cls}
    for base in cls.bases:
        # An abstract class counts as Hashable itself, what it stands for need not be.
        above |= _closure(base) - ({HASHABLE} if base.hooked and base != HASHABLE else set())
    return frozenset(above)


ABOVE: Mapping[Cls, frozenset[Cls]] = {cls: _closure(cls) for cls in set(BUILTIN.values())}
"""What each class of the table is below; for two of them there is nothing else to know."""


def weight_of(hint: Hint | None) -> int:
    """Of how many parts a type is made, each as often as it stands in it."""
    return getattr(hint, "weight", 1)


ANY = AnyHint()
OBJECT = BUILTIN["builtins.object"]
ARRAY = BUILTIN[jax.ARRAY]
CONCRETE = BUILTIN[jax.CONCRETE_ARRAY]
REVERSIBLE = BUILTIN[standard.REVERSIBLE]
TRACER = BUILTIN[jax.TRACER]
TYPE = BUILTIN["builtins.type"]
CALLABLE = BUILTIN[standard.CALLABLE]
FUNCTION = BUILTIN[standard.FUNCTION]
NONE_TYPE = BUILTIN[standard.NONE_TYPE]


def _union(*names: str) -> UnionHint:
    return UnionHint(tuple(BUILTIN[name] for name in names))


_ARRAY_LIKE = _union(
    jax.ARRAY,
    numpy.NDARRAY,
    numpy.BOOL,
    numpy.NUMBER,
    "builtins.bool",
    "builtins.int",
    "builtins.float",
    "builtins.complex",
)

METHODS: Mapping[Cls, tuple[str, ...]] = {
    BUILTIN[f"{standard.ABSTRACT}{name}"]: tuple(methods.split())
    for name, methods in {
        "Callable": "__call__",
        "Iterable": "__iter__",
        "Sized": "__len__",
        "Container": "__contains__",
        "Iterator": "__iter__ __next__",
        "Reversible": "__iter__ __reversed__",
        "Collection": "__iter__ __len__ __contains__",
    }.items()
}
"""The abstract classes of which everything is an instance that has certain methods."""

HAVING: Mapping[str, Cls] = {
    methods[-1]: cls for cls, methods in METHODS.items() if cls.name != standard.COLLECTION
}
"""For each of these methods an abstract class of what has it."""

UNIONS: Mapping[str, Hint] = {
    jax.ARRAY_LIKE: _ARRAY_LIKE,
    others.ARRAY_LIKE: _ARRAY_LIKE,
    others.SCALAR: JaxtypedHint("Shaped", ARRAY, "", others.SCALAR),
    others.ANY_ARRAY: _union(jax.ARRAY, numpy.NDARRAY),
    numpy.ARRAY_LIKE: OpaqueHint(numpy.ARRAY_LIKE),
}
"""Names of libraries that stand for a type which is no class, by qualified name."""


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
        case AnnotatedHint():
            return f"Annotated[{describe(of.of)}, ...]"
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
