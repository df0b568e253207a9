"""Random programs: the checker, the companion and plain JAX say the same of a fixed few.

`python -m benchmarks.disagreement --programs 2000` asks about many more.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.disagreement import shrink
from benchmarks.disagreement.generate import generate
from benchmarks.disagreement.project import Project

ROOT = Path(__file__).resolve().parent.parent
HAVE_JAX = all(importlib.util.find_spec(m) for m in ("jax", "plum", "equinox", "jaxtyping"))


def test_a_seed_gives_the_same_program() -> None:
    assert generate(7) == generate(7)
    assert generate(7).files != generate(8).files


def test_programs_are_python_and_the_mix_is_wide() -> None:
    projects = [generate(seed) for seed in range(300)]
    for project in projects:
        for text in project.files.values():
            ast.parse(text)
    features = {feature for project in projects for feature in project.features}
    for kind in ("caller", "registration", "late import", "import", "clear", "inside", "class"):
        assert sum(feature.startswith(f"{kind}:") for feature in features) >= 2, kind
    assert len(features) > 100


def test_a_program_is_made_small() -> None:
    text = "a = 1\nif a:\n    b = 2\n    print(b + 3)\nc = 4\n"
    small = shrink.shrink(
        Project({"main.py": text, "other.py": "d = 5\n"}),
        lambda project: "print" in project.files.get("main.py", ""),
    )
    assert small.files == {"main.py": "print(b + 3)\n"}


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
def test_all_three_agree_on_a_few() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.disagreement", "--programs", "15", "--seed", "6010"],
        cwd=ROOT,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "runtime: 15 programs agree, 0 do not" in done.stdout
