"""What the classes of the program inherit and declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plum_jit_lint.knowledge import BASES, standard
from plum_jit_lint.static.interpreter.values import (
    TOP,
    ClassValue,
    Descriptor,
    FunctionValue,
    HintValue,
    Instance,
    SequenceValue,
    Symbol,
    Value,
    scalar,
)
from plum_jit_lint.static.types.hints import BUILTIN, Cls, describe


def mro(cls: ClassValue) -> list[ClassValue]:
    """The classes of the program in the order in which Python looks attributes up."""
    if cls.order is None:
        bases = _known_bases(cls)
        cls.order = [cls, *_merged([*map(mro, bases), bases])]
    return cls.order


def _merged(rows: list[list[ClassValue]]) -> Iterator[ClassValue]:
    """Python's way to make one order of several, in which each keeps its own."""
    rows = [row[::-1] for row in rows if row]
    later = _later(rows)
    while rows:
        head = next((row[-1] for row in rows if not later[id(row[-1])]), None)
        if head is None:
            # Python refuses a hierarchy without an order; any will do here.
            head = rows[0][-1]
            rows = [[one for one in row if one is not head] for row in rows]
            later = _later(rows)
        yield head
        for row in rows:
            if row and row[-1] is head:
                row.pop()
                if row:
                    later[id(row[-1])] -= 1
        rows = [row for row in rows if row]


def _later(rows: list[list[ClassValue]]) -> Counter[int]:
    """In how many rows a class stands behind others, which are the last ones of a row here."""
    return Counter(id(one) for row in rows for one in row[:-1])


def _known_bases(cls: ClassValue) -> list[ClassValue]:
    return [base for base in cls.bases if isinstance(base, ClassValue)]


def field_names(cls: ClassValue) -> list[str]:
    """The fields of a dataclass in order, those of its bases first."""
    names: dict[str, None] = {}
    for one in _after_bases(cls):
        names.update(dict.fromkeys(one.annotated))
    return list(names)


def _after_bases(cls: ClassValue) -> list[ClassValue]:
    """The class and those above it, each once and after its bases."""
    found: dict[ClassValue, None] = {}
    pending: list[tuple[ClassValue, bool]] = [(cls, False)]
    while pending:
        one, done = pending.pop()
        if done:
            found.setdefault(one)
        elif one not in found:
            pending.append((one, True))
            pending.extend((base, False) for base in reversed(_known_bases(one)))
    return list(found)


def class_attribute(cls: ClassValue, name: str) -> Value | None:
    """What a class or one of its bases defines under a name, unbound."""
    for one in mro(cls):
        if name in one.scope.names:
            return one.scope.names[name]
    return None


def meta_attribute(cls: ClassValue, name: str) -> Value | None:
    """What the metaclass of a class defines under a name, unbound."""
    for one in mro(cls):
        if isinstance(one.metaclass, ClassValue):
            found = class_attribute(one.metaclass, name)
            if found is not None:
                return found
    return None


def has_unknown_base(cls: ClassValue) -> bool:
    """Whether a base of the class is not known, or brings methods that are not seen."""
    return any(
        not isinstance(base, ClassValue)
        and not (isinstance(base, Symbol) and _brings_nothing(base.path))
        for one in mro(cls)
        for base in one.bases
    )


def _brings_nothing(path: str) -> bool:
    row = BASES.get(path)
    return row is not None and not row.brings_methods


def is_abstract(cls: ClassValue) -> bool:
    """Whether classes can be registered with a class (`abc.ABC`)."""
    abstract = (Symbol(standard.ABSTRACT_BASE), Symbol(standard.ABSTRACT_META))
    return any(
        one.metaclass in abstract or any(base in abstract for base in one.bases) for one in mro(cls)
    )


def is_enum(cls: ClassValue) -> bool:
    """Whether the attributes of a class are its members."""
    return any(
        isinstance(base, Symbol) and base.path.startswith(standard.ENUM)
        for one in mro(cls)
        for base in one.bases
    )


def enum_member(cls: ClassValue, name: str, value: Value) -> Instance:
    """The member of an enumeration: one object, however often it is asked for."""
    if name not in cls.members:
        cls.members[name] = Instance(cls, {"value": value, "name": scalar("str", name)})
    return cls.members[name]


def enum_members(cls: ClassValue) -> list[Value]:
    """All members of an enumeration, in their order."""
    return [
        enum_member(cls, name, value)
        for name, value in cls.scope.names.items()
        if not name.startswith("_")
        and not isinstance(value, FunctionValue | Descriptor | ClassValue)
    ]


def is_protocol(cls: ClassValue) -> bool:
    """Whether a class is declared as a `typing.Protocol` itself."""
    return any(
        isinstance(base, Symbol) and base.path.endswith(".Protocol") for base in cls.bases
    ) or any(
        isinstance(base, HintValue) and "Protocol[" in describe(base.hint) for base in cls.bases
    )


def protocol_members(cls: ClassValue) -> set[str]:
    """What a class has to have to count as one of a protocol; nothing where `cls` is none."""
    return {
        name
        for one in mro(cls)
        if is_protocol(cls) and is_protocol(one)
        for name in (*one.scope.names, *one.annotated)
        if not name.startswith("_") or name == "__call__"
    }


def is_named_tuple(cls: ClassValue) -> bool:
    """Whether a class is a named tuple, by itself or by one of its bases."""
    return any(
        isinstance(base, Symbol) and base.path in standard.NAMED_TUPLES
        for one in mro(cls)
        for base in one.bases
    )


def as_tuple(instance: Instance) -> SequenceValue:
    """A named tuple by its positions."""
    names = field_names(instance.cls)
    return SequenceValue("tuple", [instance.attributes.get(name, TOP) for name in names])


OBJECT = BUILTIN["builtins.object"]


def class_of(path: str) -> Cls:
    """A class of another library."""
    row = BASES.get(path)
    plain = row is not None and not row.makes_containers
    return BUILTIN.get(path) or Cls(path, opaque=not plain, methods={} if plain else None)
