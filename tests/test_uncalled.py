"""Functions that nothing is seen to call, in programs of several files."""

from __future__ import annotations

from pathlib import Path

from plum_jit_lint import Settings, Severity, lint_paths

SHAPES = """\
import jax
from plum import dispatch

@dispatch
def area(a: jax.Array):
    return a * 2
"""
PLUGINS = """\
import jax
from shapes import area

def activate():
    area.register(times_three)

def times_three(a: jax.Array):
    return a * 3
"""
MAIN = """\
import jax
import jax.numpy as jnp
from plugins import activate
from shapes import area

@jax.jit
def total(a):
    return 12 * area(a)

def run():
    total(jnp.ones(3))
    activate()

def harmless():
    activate()
    total(jnp.ones(3))
"""


def test_what_it_calls_in_another_module_may_register_too_late(tmp_path: Path) -> None:
    """Neither the caller nor the registering module speaks of plum by a word."""
    for name, text in (("shapes", SHAPES), ("plugins", PLUGINS), ("main", MAIN)):
        (tmp_path / f"{name}.py").write_text(text)
    found = lint_paths([tmp_path], Settings(source_roots=(tmp_path,))).findings
    assert [(f.code, Path(f.place.path).name, f.place.line, f.severity) for f in found] == [
        ("PJ004", "main.py", 12, Severity.WARNING)
    ]
