"""What calls of other libraries give that the abstract run follows: one small kind for each.

Those that Python compares by identity, and that are made anew by each call, are compared so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from plum_jit_lint.static.interpreter.values import SequenceValue, Typed, Value


# -- the standard library --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathValue:
    """A `pathlib.Path` of which the text is known."""

    text: str


@dataclass(frozen=True, slots=True)
class WrapsDecorator:
    """`functools.wraps(wrapped)`."""

    wrapped: Value


@dataclass(frozen=True, slots=True)
class ContextManagerFunction:
    """A function under `@contextlib.contextmanager`."""

    function: Value


@dataclass(frozen=True, slots=True)
class Suppress:
    """`contextlib.suppress(...)`: the classes of exceptions that it takes."""

    classes: SequenceValue


@dataclass(frozen=True, slots=True)
class ForeignManager:
    """What some function of pytest or contextlib gave, by its qualified name: `pytest.raises`."""

    path: str


@dataclass(frozen=True, eq=False, slots=True)
class Attrgetter:
    """`operator.attrgetter(...)`."""

    names: tuple[Value, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Itemgetter:
    """`operator.itemgetter(...)`."""

    keys: tuple[Value, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Methodcaller:
    """`operator.methodcaller(name, ...)`."""

    name: Value
    positional: tuple[Value, ...]
    keywords: Mapping[str, Value]


@dataclass(frozen=True, eq=False, slots=True)
class FieldValue:
    """`dataclasses.field(...)`, `equinox.field(...)` in the body of a class."""

    options: Mapping[str, Value]


# -- pytest, lazy_loader ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FixtureValue:
    """What `@pytest.fixture` made of a function. `scope` is how long it lives, `autouse` that
    nobody need ask for it; a `name` of its own and `params` are those that it was given."""

    function: Value
    scope: str
    autouse: bool
    name: str | None
    params: Value | None


@dataclass(frozen=True, eq=False, slots=True)
class LazyAttributes:
    """The `__getattr__` that `lazy_loader.attach` makes: by name, `module` or `module:name`."""

    targets: Mapping[str, str]


# -- plum, JAX, Equinox ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FunctionTable:
    """`dispatch.functions`: the functions of a dispatcher, by name."""

    dispatcher: str


@dataclass(frozen=True, eq=False, slots=True)
class ConversionDecorator:
    """`plum.conversion_method(of, to)`."""

    of: Value
    to: Value


@dataclass(frozen=True, slots=True)
class ArrayUpdater:
    """`x.at`, `x.at[i]` of an array."""

    array: Typed


@dataclass(frozen=True, slots=True)
class ExportedFunction:
    """`jax.export.export(function)`."""

    function: Value


@dataclass(frozen=True, slots=True)
class Sequential:
    """`equinox.nn.Sequential(layers)`."""

    layers: SequenceValue


LibraryValue: TypeAlias = (
    PathValue
    | WrapsDecorator
    | ContextManagerFunction
    | Suppress
    | ForeignManager
    | Attrgetter
    | Itemgetter
    | Methodcaller
    | FieldValue
    | FixtureValue
    | LazyAttributes
    | FunctionTable
    | ConversionDecorator
    | ArrayUpdater
    | ExportedFunction
    | Sequential
)
