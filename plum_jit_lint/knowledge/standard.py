"""Python and its standard library: the classes, and the names that mean something to a reader."""

from __future__ import annotations

from collections.abc import Mapping

from plum_jit_lint.knowledge.rows import Base

# -- classes ---------------------------------------------------------------------------------

CLASSES: Mapping[str, str] = {
    "builtins": "object type int float complex bool str bytes bytearray memoryview tuple list dict "
    "set frozenset slice range",
    "types": "NoneType FunctionType ModuleType",
    "collections.abc": "Hashable Iterable Iterator Reversible Sized Container Collection Callable "
    "Sequence MutableSequence Set MutableSet Mapping MutableMapping",
    "numbers": "Number Complex Real Rational Integral",
    "fractions": "Fraction",
    "decimal": "Decimal",
    "pathlib": "PurePath Path PosixPath",
    "enum": "Enum IntEnum",
}
"""The classes of each module."""

ABSTRACT = "collections.abc."
REVERSIBLE = f"{ABSTRACT}Reversible"
COLLECTION = f"{ABSTRACT}Collection"
CALLABLE = f"{ABSTRACT}Callable"
HASHABLE = f"{ABSTRACT}Hashable"
FUNCTION = "types.FunctionType"
NONE_TYPE = "types.NoneType"
NAMESPACE = "types.SimpleNamespace"
PATH = "pathlib.Path"
NUMBERS = "numbers."

ALIASES: Mapping[str, str] = {
    "builtins.NoneType": NONE_TYPE,
    "typing.List": "builtins.list",
    "typing.Dict": "builtins.dict",
    "typing.Tuple": "builtins.tuple",
    "typing.Set": "builtins.set",
    "typing.FrozenSet": "builtins.frozenset",
    "typing.Type": "builtins.type",
    "typing.AbstractSet": "collections.abc.Set",
    **{
        f"typing.{name}": f"{ABSTRACT}{name}"
        for name in CLASSES["collections.abc"].split()
        if name not in {"Set", "MutableSet"}
    },
    "typing.MutableSet": "collections.abc.MutableSet",
}
"""Other names of classes."""

NOT_TRACEABLE = {
    *(f"builtins.{name}" for name in ("type", "str", "bytes", "bytearray", "memoryview")),
    *(f"builtins.{name}" for name in ("set", "frozenset", "slice", "range")),
    *("types.FunctionType", "types.ModuleType"),
    *(f"{ABSTRACT}{name}" for name in ("Callable", "Set", "MutableSet")),
    *("fractions.Fraction", "decimal.Decimal"),
    *("pathlib.PurePath", "pathlib.Path", "pathlib.PosixPath"),
}
"""Classes of which jit takes no object, unless it is static."""

TRACEABLE = {
    *(f"builtins.{name}" for name in ("int", "float", "complex", "bool")),
    *(f"builtins.{name}" for name in ("tuple", "list", "dict")),
    *("types.NoneType", "enum.IntEnum"),
    *(f"{NUMBERS}{name}" for name in ("Number", "Complex", "Real", "Rational", "Integral")),
}
"""Classes of which jit takes any object."""

OF_ONE_TYPE = {
    *(f"builtins.{name}" for name in ("list", "set", "frozenset")),
    *(f"{ABSTRACT}{name}" for name in ("Sequence", "MutableSequence", "Set", "MutableSet")),
    *(f"{ABSTRACT}{name}" for name in ("Iterable", "Collection", "Iterator")),
}
"""Containers that are given one type for all of their members."""

MAPPINGS = {"builtins.dict", "collections.abc.Mapping"}
"""Containers that are given one type for their keys and one for their values."""

# -- how classes are made --------------------------------------------------------------------

BASES = (
    Base("builtins.object", brings_methods=False),
    Base("abc.ABC", brings_methods=False, makes_containers=False),
    Base("typing.Generic", brings_methods=False, makes_containers=False),
    Base("typing.Protocol", brings_methods=False, makes_containers=False),
    Base("typing_extensions.Generic", makes_containers=False),
    Base("typing_extensions.Protocol", makes_containers=False),
    Base("typing.NamedTuple", compares_fields=True),
    Base("typing_extensions.NamedTuple", compares_fields=True),
)

ABSTRACT_BASE = "abc.ABC"
ABSTRACT_META = "abc.ABCMeta"
CONTEXT_DECORATOR = "contextlib.ContextDecorator"
NAMED_TUPLES = ("typing.NamedTuple", "typing_extensions.NamedTuple")
ENUM = "enum."
DATACLASSES = {"dataclasses.dataclass"}

# -- names that mean something to a reader ---------------------------------------------------

TYPING = ("typing.", "typing_extensions.")
ANY = ("typing.Any", "typing_extensions.Any")
TYPE_CHECKING = ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING")
LOADED_MODULES = "sys.modules"
VERSION = "sys.version_info"
