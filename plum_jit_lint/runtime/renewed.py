"""Classes that were defined again: the statement ran once more (a cell, a reloaded module), and its
name stands for another class.

An object that came from outside stays what it is, and so does what plum chooses for it. One that
was made while tracing is of the new class when the function is traced again.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from typing import Any

from plum_jit_lint.runtime.arguments import (
    Argument,
    InstanceArgument,
    ItemsArgument,
    Originals,
    SeenArgument,
)


def classes_in(given: Any) -> frozenset[int] | None:
    """The classes (by identity) of the containers in what a trace was given, `None` where this
    version of JAX does not tell."""
    try:
        return frozenset(map(id, _nodes(given.tree)))
    except Exception:
        return None


def _nodes(tree: Any) -> Iterator[type]:
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        node = one.node_data()
        if node is not None:
            yield node[0]
        waiting += one.children()


def as_made_anew(
    arguments: tuple[Argument, ...], passed: frozenset[int] | None
) -> tuple[Argument, ...]:
    """The arguments as a new trace makes them; those that it is handed stay as they are. `passed`:
    the classes of what the trace was given, `None` where nothing is known of that."""
    anew = tuple(_made_anew(one, passed) for one in arguments)
    same = all(new is old for new, old in zip(anew, arguments, strict=True))
    return arguments if same else anew


def _made_anew(argument: Argument, passed: frozenset[int] | None) -> Argument:
    match argument:
        case SeenArgument():
            anew = _made_anew(argument.argument, passed)
            return argument if anew is argument.argument else anew
        case ItemsArgument():
            values = tuple(_made_anew(one, passed) for one in argument.values)
            same = all(new is old for new, old in zip(values, argument.values, strict=True))
            return argument if same else ItemsArgument(argument.kind, values, argument.keys)
        case InstanceArgument() if passed is not None and argument.key not in passed:
            kind = argument.type_of()
            now = _now(kind) if kind is not None and argument.originals.are_gone() else None
            if now is not None:
                return InstanceArgument(id(now), now.__name__, weakref.ref(now), Originals())
    return argument


def _now(kind: type) -> type | None:
    """The class that the name of `kind` stands for by now, if that is another everywhere."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    if found is kind or not isinstance(found, type) or _is_named(kind):
        return None
    return found


def _is_named(kind: type) -> bool:
    """Whether some module still has that name for a class: `from shapes import Circle` keeps the
    old one when `shapes` is loaded again."""
    return any(vars(one).get(kind.__name__) is kind for one in list(sys.modules.values()))
