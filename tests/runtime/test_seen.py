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
from pathlib import Path
from typing import Any

import pytest
from test_fixtures import HAVE_JAX, TRUTH, expected

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "seen").glob("*.py"))


def answers(script: Path, *options: str) -> dict[str, dict[str, Any]]:
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
    assert [one["path"] for one in told] == list(map(str, PROGRAMS)), ended.stderr
    return {Path(one["path"]).stem: one for one in told}


WANTED = {
    program.stem: {key: severity or "error" for key, severity in expected(program).items()}
    for program in PROGRAMS
}


# One test for all programs each: most of what one costs is the import of JAX before it.


@pytest.mark.skipif(not HAVE_JAX, reason="runs real plum and JAX")
def test_what_is_seen() -> None:
    wrong = {}
    for name, answer in answers(HERE / "programs.py").items():
        found = answer.get("findings", ())
        seen = {(line, code): severity for _, line, code, severity in found}
        if "error" in answer or seen != WANTED[name]:
            wrong[name] = answer
    assert wrong == {}


@pytest.mark.skipif(not HAVE_JAX, reason="runs real plum and JAX")
def test_what_is_true() -> None:
    wrong = {}
    for name, answer in answers(TRUTH, "--once").items():
        stale = set(map(tuple, answer.get("stale") or ()))
        sure = {key for key, severity in WANTED[name].items() if severity == "error"}
        if not answer["ok"] or not sure <= stale <= set(WANTED[name]):
            wrong[name] = answer
    assert wrong == {}
