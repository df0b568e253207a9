"""A program with each call, decorator and function entry told to whoever watches.

`f(x)` becomes `__wild_call__(line, f)(x)`, `@d` becomes `@__wild_decorator__(line, d)`, and each
function begins with `__wild_enter__(number)`. The three names are put into `builtins`, so that
no import has to stand before a docstring or a `__future__` import.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

CALL, DECORATOR, ENTER = "__wild_call__", "__wild_decorator__", "__wild_enter__"
Entries = dict[tuple[str, str, int, int], int]
"""The number of each function of a program, by file, name, line and column."""
NEEDS_ITS_FRAME = {"super", "locals", "globals", "vars", "exec", "eval", "dir", "map"}


class Instrument(ast.NodeTransformer):
    """Rewrites one file. `entries` numbers the functions of all files of a program."""

    def __init__(self, path: str, entries: Entries) -> None:
        self.path = path
        self.entries = entries

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in NEEDS_ITS_FRAME:
            if node.func.id == "map" and node.args and not node.keywords:
                node.args[0] = self._told(node, CALL, node.lineno, node.args[0])
            return node
        node.func = self._told(node, CALL, node.lineno, node.func)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        both = ast.Tuple([self._enter(node, "<lambda>"), node.body], ast.Load())
        node.body = ast.Subscript(both, ast.Constant(1), ast.Load())
        for new in (node.body, both, node.body.slice):
            ast.copy_location(new, node)
        return node

    def visit_ClassDef(self, node: Any) -> Any:
        return self._decorated(node)

    def visit_FunctionDef(self, node: Any) -> Any:
        self._decorated(node)
        first = node.body[0]
        documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        enter = ast.copy_location(ast.Expr(self._enter(node, node.name)), first)
        node.body.insert(1 if documented else 0, enter)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def _decorated(self, node: Any) -> Any:
        self.generic_visit(node)
        if node.decorator_list:
            line = node.decorator_list[0].lineno
            node.decorator_list = [self._told(d, DECORATOR, line, d) for d in node.decorator_list]
        return node

    def _enter(self, node: Any, name: str) -> ast.expr:
        # A module that is loaded again defines the same functions again.
        entry = (self.path, name, node.lineno, node.col_offset)
        return self._told(node, ENTER, self.entries.setdefault(entry, len(self.entries)))

    @staticmethod
    def _told(at: Any, name: str, number: int, *more: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number), *more], [])
        for part in (call, call.func, call.args[0]):
            ast.copy_location(part, at)
        return call


def compiled(path: Path, entries: Entries) -> CodeType:
    """The instrumented code of a file."""
    tree = Instrument(str(path), entries).visit(ast.parse(path.read_text(), str(path)))
    code: CodeType = compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)
    return code


class Loader(importlib.machinery.SourceFileLoader):
    entries: Entries

    def get_code(self, fullname: str) -> CodeType:
        return compiled(Path(self.path), self.entries)


class Finder(importlib.abc.MetaPathFinder):
    """Loads the modules below a folder instrumented."""

    def __init__(self, folder: Path, entries: Entries) -> None:
        self.folder = str(folder)
        self.entries = entries

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path or [self.folder, *sys.path])
        if spec is None or not spec.origin or not spec.origin.startswith(self.folder):
            return None
        if not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        loader = Loader(name, spec.origin)
        loader.entries = self.entries
        return importlib.util.spec_from_file_location(
            name,
            spec.origin,
            loader=loader,
            submodule_search_locations=spec.submodule_search_locations,
        )
