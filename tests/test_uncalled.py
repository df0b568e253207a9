"""Functions that nothing is seen to call, in programs of several files."""

from __future__ import annotations

from pathlib import Path

from house import PJ004

from plum_jit_lint import Settings, Severity, lint_paths, lint_source

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


def test_a_text_is_not_taken_for_the_file_that_its_package_imports(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (tmp_path / "pyproject.toml").touch()
    (package / "__init__.py").write_text("from package import shapes\n")
    (package / "shapes.py").write_text("import plum\n")
    # A file that may stack dispatch and jit is run in any case.
    report = lint_source(PJ004.replace("jax.jit", "jax.checkpoint"), package / "shapes.py")
    assert [finding.code for finding in report.findings] == ["PJ004"]
    assert lint_source("import plum\n", package / "shapes.py").findings == ()
