"""The command line and flake8 say the same about every fixture, and both what is expected."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from test_fixtures import FIXTURES, PROGRAMS, expected

WANTED = {
    (path.relative_to(FIXTURES).as_posix(), line, code)
    for path in PROGRAMS
    for line, code in expected(path)
}


def run(*arguments: str) -> str:
    process = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=FIXTURES, capture_output=True, text=True
    )
    assert process.returncode == 1, process.stderr
    return process.stdout


def test_the_command_line_says_what_is_expected() -> None:
    report = json.loads(run("plum_jit_lint", "--output-format", "json", "."))
    assert report["errors"] == []
    said = {(Path(f["path"]).as_posix(), f["line"], f["code"]) for f in report["findings"]}
    assert said == WANTED
    assert len(report["findings"]) == len(WANTED)


def test_flake8_says_what_is_expected() -> None:
    lines = run(
        "flake8", "--isolated", "--select", "PJ", "--format", "%(path)s|%(row)d|%(code)s", "."
    )
    rows = [line.split("|") for line in lines.splitlines()]
    said = sorted((Path(path).as_posix(), int(row), code) for path, row, code in rows)
    assert said == sorted(WANTED)
