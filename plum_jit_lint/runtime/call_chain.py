"""How the program got from a trace to a choice, and what plum chose."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType
from typing import Any, TypeAlias

from plum import AmbiguousLookupError, Function, NotFoundLookupError
from plum._signature import Signature as PlumSignature
from plum._type import resolve_type_hint

from plum_jit_lint.events import Choice, FunctionId, Method, NoMethod, Stack
from plum_jit_lint.runtime import frames
from plum_jit_lint.runtime.held import Key, OpenTrace
from plum_jit_lint.runtime.methods import describe
from plum_jit_lint.runtime.tracehooks import TraceSpy

Between: TypeAlias = tuple[list[frames.UserFrame], Stack]
"""The user's frames between something and the beginning of a trace (the innermost first), and
the stack above that."""


def between(frame: FrameType, traces: Sequence[OpenTrace]) -> list[Between]:
    """For each running trace, the innermost first: how the program got from there to `frame`."""
    found: list[list[frames.UserFrame]] = []
    passed: list[frames.UserFrame] = []
    for one in frames.walk(frame):
        if one.f_code is TraceSpy.__call__.__code__ and len(found) < len(traces):
            found.append(list(passed))
        elif frames.is_users(one):
            passed.append(frames.UserFrame(one.f_code, one.f_lasti))
    return [(inside, frames.stack_of(passed[len(inside) :])) for inside in found]


def add(
    opened: OpenTrace, key: Key, choice: Choice, chain: list[frames.UserFrame], stack: Stack
) -> None:
    """Notes a choice in an open trace, with the label and the place of what was traced where those
    are not known yet."""
    if opened.stack is None:
        opened.stack = stack
    if not opened.label and chain:
        opened.label = chain[-1].name
        opened.definition = frames.definition_place(chain[-1].code)
    opened.choices.setdefault(key, choice)


def chosen(
    function: Function, name: FunctionId, values: tuple[Any, ...], asked: bool
) -> Method | NoMethod | None:
    """What plum is about to choose, `None` where it is about to fail in another way. The call
    that follows resolves pending methods just the same."""
    target = PlumSignature(*map(resolve_type_hint, values)) if asked else values
    try:
        method, _ = function.resolve_method(target)
    except AmbiguousLookupError:
        return "ambiguous"
    except NotFoundLookupError:
        return "none"
    except Exception:
        return None
    for one in function._resolver.methods:
        if one.implementation is method:
            return describe(name, method, tuple(one.signature.types))
    return describe(name, method, ())
