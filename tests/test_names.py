"""Names of other libraries stand in `knowledge` and `static/models` alone.

Elsewhere a module asks a row, or compares with what `knowledge` calls it. `builtins` is no library,
it is the language that the interpreter runs; `runtime` says where in JAX and plum its hooks are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import plum_jit_lint

PACKAGE = Path(plum_jit_lint.__file__).parent
HOMES = ("knowledge/", "static/models/", "runtime/", "project/pytest_settings.py")
"""`pytest.ini` and its kin are names of files."""

LIBRARIES = (
    *("jax", "jaxlib", "jaxtyping", "equinox", "numpy", "plum", "flax", "chex", "attr", "attrs"),
    *("pytest", "unittest", "functools", "contextlib", "dataclasses", "typing", "abc", "enum"),
    *("typing_extensions", "collections", "types", "importlib", "itertools", "operator", "sys"),
    *("os", "pathlib", "numbers", "weakref", "asyncio", "threading", "runpy", "copy", "math"),
)
QUALIFIED = re.compile(rf"({'|'.join(LIBRARIES)})\.(?:[A-Za-z_]\w*\.?)*")


def names(source: str) -> Iterator[tuple[int, str]]:
    """The strings that are qualified names, with their lines; documentation is not looked at."""
    tree = ast.parse(source)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if QUALIFIED.fullmatch(node.value) and id(node) not in alone:
            yield node.lineno, node.value


def modules() -> list[str]:
    found = (file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.py"))
    return sorted(one for one in found if not one.startswith(HOMES))


@pytest.mark.parametrize("module", modules())
def test_no_other_module_knows_a_name_of_a_library(module: str) -> None:
    assert list(names((PACKAGE / module).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'if path == "jax.jit": pass',
        'VMAPS = {"jax.vmap"}',
        'path.startswith("numpy.")',
        'case = Symbol("typing.NamedTuple")',
        'f"collections.abc.{name}"',
    ],
)
def test_a_name_is_noticed(source: str) -> None:
    assert len(list(names(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        '"""`jax.jit`"""',
        '"jax.jit"',
        'message = "call jax.clear_caches() after it"',
        'name = "jax"',
        "jax.jit",
    ],
)
def test_what_is_no_name_is_not_noticed(source: str) -> None:
    assert list(names(source)) == []
