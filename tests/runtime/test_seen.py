"""The programs of `seen/` under `plum-jit-lint run`, each against its `# expect:` comments and
against what real plum and JAX do.

What is seen to happen is an error. A warning is expected where it hangs on the inside of an
argument that is gone, which is all that keeps the companion from being sure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from test_fixtures import HAVE_JAX, TRUTH, expected

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "seen").glob("*.py"))


@cache
def answers(script: Path, *options: str) -> dict[str, Any]:
    """What `script` says of each program, which it runs in a process of its own."""
    ended = subprocess.run(
        [sys.executable, str(script), *options, *map(str, PROGRAMS)],
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(told) == len(PROGRAMS), ended.stderr
    return {one["path"]: one for one in told}


def wanted(program: Path) -> dict[tuple[int, str], str]:
    return {key: severity or "error" for key, severity in expected(program).items()}


@pytest.mark.skipif(not HAVE_JAX, reason="runs real plum and JAX")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_what_is_seen(program: Path) -> None:
    answer = answers(HERE / "programs.py")[str(program)]
    assert "error" not in answer
    assert {(line, code): severity for _, line, code, severity in answer["findings"]} == wanted(
        program
    )


@pytest.mark.skipif(not HAVE_JAX, reason="runs real plum and JAX")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_what_is_true(program: Path) -> None:
    answer = answers(TRUTH, "--once")[str(program)]
    assert answer["ok"], answer
    stale = set(map(tuple, answer["stale"]))
    sure = {key for key, severity in wanted(program).items() if severity == "error"}
    assert sure <= stale <= set(wanted(program))
