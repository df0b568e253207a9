"""`follow = [...]`: installed packages that are read like the project's own, and never imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plum_jit_lint import Settings, lint_paths

METHODS = """\
import jax
import boom
from plum import dispatch

@dispatch
def area(a: jax.Array):
    return a * 2

@jax.jit
def total(a):
    return 12 * area(a)
"""
LATE = """\
import jax
from plum import dispatch

@dispatch
def area(a: jax.Array):
    return a * 3
"""
SCRIPT = """\
import jax.numpy as jnp
from shapes.methods import total

total(jnp.ones(3))
import shapes.late
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script beside a virtual environment in which `shapes` and `boom` are installed."""
    installed = tmp_path / "env" / "lib" / "python3.11" / "site-packages"
    (installed / "shapes").mkdir(parents=True)
    (installed / "shapes" / "__init__.py").write_text("raise SystemExit('imported')\n")
    (installed / "shapes" / "methods.py").write_text(METHODS)
    (installed / "shapes" / "late.py").write_text(LATE)
    (installed / "boom.py").write_text("from plum import dispatch\nraise SystemExit('read')\n")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    (tmp_path / "app" / "main.py").write_text(SCRIPT)
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "env"))
    monkeypatch.chdir(tmp_path / "app")
    return tmp_path / "app"


def test_an_installed_package_is_opaque(project: Path) -> None:
    report = lint_paths([project], Settings())
    assert (report.findings, report.problems) == ((), ())


def test_a_followed_package_is_read_and_not_imported(project: Path) -> None:
    report = lint_paths([project], Settings(follow=("shapes",)))
    assert [(f.code, f.place.path, f.place.line) for f in report.findings] == [
        ("PJ004", "main.py", 5)
    ]
    assert report.problems == ()


def test_the_table_and_flake8_know_the_key(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.plum-jit-lint]\nfollow = ['shapes']\n")
    for command in (["plum_jit_lint", "."], ["flake8", "--isolated", "--select", "PJ", "."]):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True
        )
        assert (done.returncode, "PJ004" in done.stdout) == (1, True), done


def test_a_package_that_is_not_installed_is_named_and_the_rest_is_checked(project: Path) -> None:
    report = lint_paths([project], Settings(follow=("shapes", "nowhere_at_all")))
    assert [problem.path for problem in report.problems] == ["nowhere_at_all"]
    assert "`follow`" in report.problems[0].message
    assert len(report.findings) == 1


def test_what_is_no_package_name_is_an_error_that_names_it(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.plum-jit-lint]\nfollow = ['lab.jax']\n")
    done = subprocess.run(
        [sys.executable, "-m", "plum_jit_lint", "."], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "follow" in done.stderr
    assert "'lab.jax'" in done.stderr


def test_what_a_followed_package_may_bring_lies_in_it(project: Path) -> None:
    installed = project.parent / "env" / "lib" / "python3.11" / "site-packages" / "shapes"
    lazy = "import importlib\n\ndef load(name):\n    return importlib.import_module(name)\n"
    (installed / "__init__.py").write_text(lazy)
    script = "import jax\nimport shapes\n\n@shapes.methods.dispatch\n@jax.jit\ndef f(x): return x\n"
    (project / "main.py").write_text(script)
    for top, place in ((project, "main.py"), (installed, "own.py")):
        (installed / "own.py").write_text(f"{lazy}{script}")
        found = lint_paths([top], Settings(follow=("shapes",)))
        assert found.problems == ()
        assert [(f.code, Path(f.place.path).name) for f in found.findings] == [("PJ001", place)]
