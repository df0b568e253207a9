"""What a module does that others see, in the order in which it does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from plum_jit_lint.events import Cleared, PathCondition, Registered, Stack, Traced, Used
from plum_jit_lint.static.interpreter.records import CachedTrace, Record

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module

Addition: TypeAlias = tuple[Record, Registered]
"""A method that is added to a function, as the table and as the timeline hold it."""


@dataclass(frozen=True, slots=True)
class RegisterEffect:
    """In a module's timeline: methods of one function were added, in one go."""

    added: tuple[Addition, ...]
    open_function: bool


@dataclass(frozen=True, slots=True)
class TraceRecorded:
    """In a module's timeline: a trace was kept."""

    entry: CachedTrace
    event: Traced


@dataclass(frozen=True, slots=True)
class ImportEffect:
    """In a module's timeline: a module of the program was imported at `stack`."""

    module: Module
    stack: Stack
    when: PathCondition


@dataclass(frozen=True, slots=True)
class SwitchEffect:
    """In a module's timeline: jit was switched off or on in the configuration."""

    off: frozenset[bool | None]
    when: PathCondition


Effect: TypeAlias = RegisterEffect | TraceRecorded | Used | Cleared | ImportEffect | SwitchEffect
"""What a module does that is seen from outside. Places and conditions are as of the module."""
