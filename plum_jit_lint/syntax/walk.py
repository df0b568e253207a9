"""Which pieces of syntax matter: the names and the modules that they speak of."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from plum_jit_lint.syntax import nodes


def names_of(node: nodes.Import | nodes.ImportFrom) -> list[str]:
    """The modules that an import statement may import, in the manner of `imported_names`."""
    if isinstance(node, nodes.Import):
        return [node.module]
    origin = "." * node.level + node.module
    joint = "" if origin.endswith(".") else "."
    return [origin, *(f"{origin}{joint}{name}" for name, _ in node.names if name != "*")]


def absolute_name(importer: str, is_package: bool, level: int, module: str) -> str:
    """The full name of a module that `importer` imports with `level` dots; it begins with a dot
    where the dots lead out of the tree."""
    if level == 0:
        return module
    parts = importer.split(".") if importer else []
    drop = level - 1 if is_package else level
    if drop > len(parts):
        return "." * level + module
    base = parts[: len(parts) - drop]
    return ".".join([*base, module] if module else base)


def names_in(node: object) -> set[str]:
    """The names that a piece of syntax uses."""
    return {one.id for one in nodes_in(node) if isinstance(one, nodes.Name)}


def nodes_in(node: object, without: type | None = None) -> Iterator[object]:
    """A piece of syntax and everything below it, but not below what is of the kind `without`."""
    pending = [node]
    while pending:
        one = pending.pop()
        kind: Any = type(one)
        if kind is tuple:
            pending.extend(one)  # type: ignore[arg-type]
        elif kind is nodes.Body:
            pending.append(one.statements())  # type: ignore[attr-defined]
        elif kind not in _PLAIN:
            yield one
            if kind is not without:
                pending.extend([getattr(one, name) for name in _parts(kind)])


_PLAIN = frozenset({str, int, float, bool, type(None)})


@functools.cache
def _parts(syntax: Any) -> tuple[str, ...]:
    """The fields of a class of nodes that hold further syntax."""
    names = (field.name for field in dataclasses.fields(syntax))
    return tuple(name for name in names if name not in NO_SYNTAX)


NO_SYNTAX = ("at", "place", "id", "attr", "name", "kind", "operators", "text", "level", "module")
