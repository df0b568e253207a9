"""Which functions may register something when they are called.

Only they are worth a run of their own when nothing is seen to call them, and in a large package
most are not. Names are enough to tell: a function is taken to call every function that has a name
which it mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set

from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.relevance import nodes_in

REGISTERING = frozenset(
    {
        "register",
        "dispatch",
        "Dispatcher",
        "import_module",
        "importorskip",
        "__import__",
        "add_conversion_method",
        "conversion_method",
        "add_promotion_rule",
    }
)
"""Last names of calls that may register a method, or import a module that does."""

WITH_A_DISPATCHER = frozenset({"dispatch_multi", "multi", "overload"})
"""Names that mean nothing in a file that never speaks of plum."""

Import = facts.Import | facts.ImportFrom


_WORDS = re.compile(rb"\b(?:%s)\b" % b"|".join(name.encode() for name in sorted(REGISTERING)))


def mentions_registering(source: bytes) -> bool:
    """Whether a text holds one of the names in `REGISTERING`."""
    return _WORDS.search(source) is not None


def registering_functions(
    module: facts.ModuleFacts,
    speaks_of_plum: bool,
    known: Set[str] = frozenset(),
    brings: Callable[[Import], bool] = lambda _: True,
) -> dict[int, str]:
    """The functions of a module that may register something, as `id`s of the definitions with
    their names.

    `known` are names that register in other modules; `brings` tells whether an import inside a
    function may run a module that registers.
    """
    registering = known | REGISTERING | (WITH_A_DISPATCHER if speaks_of_plum else frozenset())
    definitions = [d for d in nodes_in(module) if isinstance(d, facts.FunctionDef)]
    names: dict[int, set[str]] = {}
    worth: dict[int, str] = {}
    for definition in definitions:
        inside = [node for statement in definition.body for node in nodes_in(statement)]
        mentioned = names[id(definition)] = _names(inside)
        given = {parameter.name for parameter in definition.parameters}
        if (
            not registering.isdisjoint(mentioned)
            or any(_may_dispatch(node, given) for node in inside)
            or any(isinstance(n, Import) and brings(n) for n in inside)
        ):
            worth[id(definition)] = definition.name
    grew = True
    while grew:
        called = set(worth.values())
        more = {
            id(definition): definition.name
            for definition in definitions
            if id(definition) not in worth and not called.isdisjoint(names[id(definition)])
        }
        worth |= more
        grew = bool(more)
    return worth


def _may_dispatch(node: object, given: Set[str]) -> bool:
    """Whether a definition inside a function has a decorator that the function was `given`, or
    that is called after a dispatcher."""
    if not isinstance(node, facts.FunctionDef):
        return False
    names: set[str] = set()
    for decorator in node.decorators:
        while isinstance(decorator, facts.Call):
            decorator = decorator.function
        names |= _names(nodes_in(decorator))
    return not given.isdisjoint(names) or any("dispatch" in name.lower() for name in names)


def _names(nodes: Iterable[object]) -> set[str]:
    return {
        node.id if isinstance(node, facts.Name) else node.attr
        for node in nodes
        if isinstance(node, facts.Name | facts.Attribute)
    }
