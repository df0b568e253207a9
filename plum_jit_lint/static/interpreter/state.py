"""What a run knows of the program at a moment, all of which can be put back."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plum_jit_lint.events import SURELY, Event, FunctionId, PathCondition
from plum_jit_lint.static.interpreter.effects import Effect, ImportEffect
from plum_jit_lint.static.interpreter.jit_switch import JitSwitch
from plum_jit_lint.static.interpreter.records import CachedTrace, Record
from plum_jit_lint.static.interpreter.values import FunctionValue, Manager, Scope, Value
from plum_jit_lint.static.types.hints import Hint
from plum_jit_lint.static.types.oracle import StaticOracle

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module


@dataclass(slots=True)
class State:
    """All that a run knows and a `Fork` puts back, by walking these fields.

    A field is never changed in place, or it is a list, a dict or a set of what is never changed
    in place: a list in a dict would not be put back. What objects of the program hold is put back
    by `memory.remember`.
    """

    path: PathCondition = SURELY
    """The branches that are taken."""

    events: list[Event] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)

    tables: dict[FunctionId, tuple[Record, ...]] = field(default_factory=dict)
    """The methods of each function, in the order in which they were registered."""
    created: dict[FunctionId, tuple[str, ...] | None] = field(default_factory=dict)
    """The parameters of each function's first definition."""
    own: set[FunctionId] = field(default_factory=set)
    """The functions that were defined here, and not in a module that was imported."""
    overloads: dict[tuple[str, str], tuple[tuple[FunctionValue, PathCondition], ...]] = field(
        default_factory=dict
    )
    signatures: dict[int, tuple[FunctionValue, tuple[Hint, ...], Hint | None]] = field(
        default_factory=dict
    )
    """The types that plum has read off a function, by its `id`."""

    entries: dict[int, CachedTrace] = field(default_factory=dict)
    """The kept traces by their numbers."""
    holding: dict[FunctionId, tuple[int, ...]] = field(default_factory=dict)
    """Entries by the functions of which they hold a choice."""
    kept: dict[Hashable, tuple[int, ...]] = field(default_factory=dict)
    """Entries by what the caches find them by."""

    switch: JitSwitch = field(default_factory=JitSwitch)
    contexts: dict[str, Hashable] = field(default_factory=dict)
    """The settings that are part of every trace's key here."""
    unknown_pytrees: bool = False
    """Whether JAX was told of classes of which it is not known which they are."""
    oracle: StaticOracle = field(default_factory=StaticOracle)

    ran: set[str] = field(default_factory=set)
    """Names of the modules that have run."""
    seen: dict[Module, None] = field(default_factory=dict)
    """Modules that were imported, whether somebody has asked for what they did or not."""
    pending_imports: list[ImportEffect | Record] = field(default_factory=list)
    """Imports that nothing has asked for yet, and what was registered after them."""
    unloaded: dict[str, PathCondition] = field(default_factory=dict)
    """Modules that are no longer in `sys.modules`, and in which branches: an import runs them
    again."""
    reloaded: dict[str, Module] = field(default_factory=dict)
    """Modules that have run again, by their names, in place of what they were before."""
    rewritten: list[tuple[Scope, Mapping[str, Value]]] = field(default_factory=list)
    """Modules of other files that have run again, and the names that they had."""

    replaced: dict[str, Value] = field(default_factory=dict)
    """What the program has put in place of other libraries' attributes, by qualified name."""
    started: list[Manager] = field(default_factory=list)
    """The patches that were started by `start()`."""
