"""What the tests of the outer house share: small programs, findings made by hand, and runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from plum_jit_lint.findings import Finding, Place, Related, Role, Severity

PJ001 = """\
import jax
from plum import dispatch


@dispatch
@jax.jit
def area(x: jax.Array):
    return x
"""

PJ002 = """\
import jax
from plum import dispatch


@jax.jit
@dispatch
def area(x: jax.Array):
    return x
"""

PJ004 = """\
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(x: jax.Array):
    return x


@jax.jit
def total(x):
    return 2 * area(x)


total(jnp.ones(2))


@dispatch
def area(x: jax.Array):
    return 3 * x
"""
PJ004_LINE = 19

CLEAN = """\
import jax


@jax.jit
def double(x):
    return 2 * x
"""


def finding(
    code: str = "PJ004",
    severity: Severity = Severity.ERROR,
    *,
    path: str = "shapes.py",
    line: int = PJ004_LINE,
    column: int = 1,
    message: str = "`area` gets a method too late",
    related: tuple[Related, ...] = (),
    width: int = 9,
) -> Finding:
    names = {
        "PJ001": "jit-inside-dispatch",
        "PJ002": "dispatch-inside-jit",
        "PJ003": "registered-after-jitted-use",
        "PJ004": "registered-after-traced-by-caller",
    }
    place = Place(path, line, column, line, column + width)
    return Finding(code, names[code], severity, message, place, "area", related)


def stale(path: str = "shapes.py") -> Finding:
    """The finding of the program `PJ004`, with all its related places."""
    return finding(
        path=path,
        related=(
            Related(Role.FIRST_USE, Place(path, 16, 1, 16, 19), "`total` is first called here"),
            Related(Role.CALL, Place(path, 13, 16, 13, 23), "`total` calls `area`"),
            Related(Role.COMPILED_METHOD, Place(path, 6, 1, 8, 13), "this method was compiled in"),
            Related(Role.REGISTRATION, Place(path, 19, 1, 19, 10), "registered here"),
        ),
    )


def run(
    *arguments: str,
    cwd: Path,
    stdin: bytes | None = None,
    env: dict[str, str] | None = None,
    module: str = "plum_jit_lint",
) -> subprocess.CompletedProcess[str]:
    """A command line in a process of its own, with the environment made plain."""
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=cwd,
        input=stdin if stdin is not None else b"",
        capture_output=True,
        env={**plain, "PYTHONIOENCODING": "utf-8", **(env or {})},
        timeout=120,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
