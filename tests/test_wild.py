"""Random programs of many kinds, and what real JAX says of them.

`python -m benchmarks.wild --programs 2000` asks about many more.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.wild.generate import CATEGORIES, generate

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "wild"
HAVE_JAX = all(importlib.util.find_spec(m) for m in ("jax", "plum", "equinox", "jaxtyping"))


def wild(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.wild", *arguments],
        cwd=ROOT,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_seed_gives_the_same_program(category: str) -> None:
    assert generate(category, 7, 3) == generate(category, 7, 3)
    assert generate(category, 7, 3) != generate(category, 8, 3)
    assert generate(category, 7, 3) != generate(category, 7, 4)


@pytest.mark.parametrize("category", CATEGORIES)
def test_programs_are_python_that_calls_and_registers(category: str) -> None:
    texts = ["\n".join(generate(category, 1, number).values()) for number in range(40)]
    for number in range(40):
        for text in generate(category, 1, number).values():
            ast.parse(text)
    assert all("jit" in text and "plum" in text for text in texts)
    assert len(set(texts)) == len(texts)


def test_the_mix_is_wide() -> None:
    programs = [generate(category, 2, n) for category in CATEGORIES for n in range(40)]
    everything = "\n".join(text for files in programs for text in files.values())
    for part in (
        "clear_caches()", "clear_cache()", "dispatch_multi(", ".register(", "precedence=",
        "conversion_method", "add_promotion_rule", "lax.scan", "lax.cond", "hessian(", "filter_jit",
        "importlib.reload", "monkeypatch", "@pytest.fixture", "static_argnums", "static_argnames",
        "Literal[", "type[", "Annotated[", "Float[", "contextmanager", "except ", "finally:",
        "match ", "continue", "break", "yield", "__matmul__", "__getitem__", "activate()",
        "import *", "abstract", "disable_jit", "eval_shape", "compile()", "NamedTuple",
    ):  # fmt: skip
        assert part in everything, part


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
def test_the_judge_says_what_programs_of_another_make_say() -> None:
    told = wild("--judge", str(PROGRAMS)).stdout.splitlines()
    assert len(told) == len(list(PROGRAMS.iterdir())) == 13
    assert [line for line in told if not line.endswith(": true")] == []


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
def test_a_few_of_each_category_are_judged() -> None:
    done = wild("--programs", str(2 * len(CATEGORIES)), "--seed", "5", "--no-companion")
    assert done.returncode in (0, 1), done.stderr
    rows = {row[0]: row for row in map(str.split, done.stdout.splitlines()) if len(row) > 8}
    assert set(CATEGORIES) <= set(rows)
    programs, thrown, late, stale = (int(cell) for cell in rows["all"][1:5])
    assert programs + thrown == 2 * len(CATEGORIES)
    assert programs > 3 * thrown
    assert late > stale > 0
    assert re.search(r"checker: precision \d", done.stdout)
