"""Which functions may register something when they are called.

Only they get a run of their own when nothing is seen to call them, and in a large package
most are not. Names are enough to tell: a function is taken to call every function that has a name
which it mentions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass

from plum_jit_lint.prefilter.words import REGISTERING, WITH_A_DISPATCHER, words_in
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.walk import nodes_in

Import = nodes.Import | nodes.ImportFrom


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a function says that may have to do with registering: the names that it mentions, with
    `del` among them, the import statements in it, and whether something in it is decorated as by a
    dispatcher."""

    definition: nodes.FunctionDef
    names: frozenset[str]
    imports: tuple[Import, ...]
    dispatches: bool


def outermost(module: nodes.ModuleNode) -> tuple[nodes.FunctionDef, ...]:
    """The functions of a module and the methods of its classes, without those inside of them."""
    inside = nodes_in(module.body, without=nodes.FunctionDef)
    return tuple(node for node in inside if isinstance(node, nodes.FunctionDef))


_DECORATOR = re.compile(r"^\s*@", re.MULTILINE)
_DEFINED = re.compile(r"\bdef\s+(\w+)")


def says_more_than_words(text: str, words: Set[str]) -> tuple[bool, bool]:
    """Whether the lines of a function may import, and whether they may decorate something: their
    `words` alone do not tell whether it registers then."""
    return "import" in words, _DECORATOR.search(text) is not None


def candidates(
    functions: Iterable[nodes.FunctionDef], registering: Set[str]
) -> tuple[list[nodes.FunctionDef], Set[str]]:
    """Of these functions those that may register something as far as the words of their texts
    tell, and the words that made it so. Most need not be read to see that they do not."""
    found: list[nodes.FunctionDef] = []
    called = set(registering)
    left = [(function, _words_to_go_by(function.inside.text)) for function in functions]
    grew = True
    while grew:
        before, left, grew = left, [], False
        for function, words in before:
            if words is None or not called.isdisjoint(words):
                found.append(function)
                called.update([function.name, *_DEFINED.findall(function.inside.text or "")])
                grew = True
            else:
                left.append((function, words))
    return found, called


def _words_to_go_by(text: str | None) -> set[str] | None:
    """The words of a function, `None` where they do not tell whether it may register."""
    if text is None:
        return None
    words = words_in(text)
    return None if any(says_more_than_words(text, words)) else words


def mentions_in(function: nodes.FunctionDef) -> tuple[Mentions, ...]:
    """What a function and those inside of it mention."""
    found: list[Mentions] = []
    _look_into(function, found)
    return tuple(found)


def _look_into(
    syntax: object, found: list[Mentions]
) -> tuple[set[str], list[Import], list[nodes.FunctionDef]]:
    """The names, imports and definitions in a piece of syntax. What each function in it mentions
    is added to `found`, so that everything is looked at once."""
    names: set[str] = set()
    imports: list[Import] = []
    definitions: list[nodes.FunctionDef] = []
    for node in nodes_in(syntax, without=nodes.FunctionDef):
        if isinstance(node, nodes.Name):
            names.add(node.id)
        elif isinstance(node, nodes.Attribute):
            names.add(node.attr)
        elif isinstance(node, nodes.Delete):
            names.add("del")
        elif isinstance(node, Import):
            imports.append(node)
        elif isinstance(node, nodes.FunctionDef):
            head = _look_into((node.parameters, node.returns, node.decorators), found)
            inside = _look_into(node.body, found)
            given = {parameter.name for parameter in node.parameters}
            dispatches = any(_may_dispatch(inner, given) for inner in inside[2])
            found.append(Mentions(node, frozenset(inside[0]), tuple(inside[1]), dispatches))
            names |= head[0] | inside[0]
            imports += inside[1]
            definitions += [node, *inside[2]]
    return names, imports, definitions


def names_that_register(known: Set[str], mentions_plum: bool) -> Set[str]:
    """The names that register something when they are called, `known` being those of other
    modules."""
    return known | REGISTERING | (WITH_A_DISPATCHER if mentions_plum else frozenset())


def registering_functions(
    mentions: Sequence[Mentions], registering: Set[str], brings: Callable[[Import], bool]
) -> dict[int, str]:
    """The functions of a module that may register something, as `id`s of the definitions with
    their names.

    `registering` are names that register; `brings` tells whether an import inside a function may
    run a module that registers.
    """
    registers = {
        id(one.definition): one.definition.name
        for one in mentions
        if one.dispatches or _say_so(one.names, registering) or any(map(brings, one.imports))
    }
    grew = True
    while grew:
        called = set(registers.values())
        more = {
            id(one.definition): one.definition.name
            for one in mentions
            if id(one.definition) not in registers and not called.isdisjoint(one.names)
        }
        registers |= more
        grew = bool(more)
    return registers


_TAKE_OUT = frozenset({"del", "pop", "popitem", "clear", "delitem", "dict"})
"""How something leaves `sys.modules`, the last one in `patch.dict`."""


def _say_so(names: Set[str], registering: Set[str]) -> bool:
    """Whether names tell that something may be registered. `sys.modules` is asked more often
    whether it has something than it is made to forget it."""
    told = registering & names
    return bool(told - {"modules"}) or (bool(told) and not _TAKE_OUT.isdisjoint(names))


def _may_dispatch(node: nodes.FunctionDef, given: Set[str]) -> bool:
    """Whether a definition inside a function has a decorator that the function was `given`, or
    that is called after a dispatcher."""
    names: set[str] = set()
    for decorator in node.decorators:
        while isinstance(decorator, nodes.Call):
            decorator = decorator.function
        names |= _names(nodes_in(decorator))
    return not given.isdisjoint(names) or any("dispatch" in name.lower() for name in names)


def _names(parts: Iterable[object]) -> set[str]:
    return {
        node.id if isinstance(node, nodes.Name) else node.attr
        for node in parts
        if isinstance(node, nodes.Name | nodes.Attribute)
    }
