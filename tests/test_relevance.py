"""Which programs are run in the abstract at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from house import PJ002

from plum_jit_lint import Report, Settings, lint_paths
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.prefilter.features import ByteScan

DISPATCHES = """\
import jax
from signals import dispatch


@dispatch
@jax.jit
def area(x):
    return x
"""


def check(folder: Path, *, cache: bool = False, **settings: tuple[str, ...]) -> Report:
    return lint_paths([folder], Settings(source_roots=(folder,), **settings), cache=cache)  # type: ignore[arg-type]


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are run in the abstract."""
    from plum_jit_lint.static import observer

    seen: list[str] = []
    original = observer._observe

    def observe(path: str, *rest: object) -> object:
        seen.append(Path(path).name)
        return original(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(observer, "_observe", observe)
    return seen


def test_dispatching_alone_is_no_plum(tmp_path: Path, runs: list[str]) -> None:
    (tmp_path / "main.py").write_text(DISPATCHES)
    (tmp_path / "signals.py").write_text("def dispatch(f): return f\n")
    assert check(tmp_path).findings == ()
    assert runs == []


def test_a_dispatcher_may_come_through_any_file_of_the_program(
    tmp_path: Path, runs: list[str]
) -> None:
    (tmp_path / "main.py").write_text(DISPATCHES)
    (tmp_path / "signals.py").write_text(
        "import importlib\nfor name in ['re' + 'al']:\n"
        "    dispatch = importlib.import_module(name).dispatch\n"
    )
    (tmp_path / "real.py").write_text("from plum import dispatch\n")
    check(tmp_path)
    assert "main.py" in runs


def test_it_is_asked_again_when_another_file_comes_to_speak_of_plum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    (tmp_path / "main.py").write_text(DISPATCHES.replace("from signals", "from real"))
    (tmp_path / "real.py").write_text("def dispatch(f): return f\n")
    assert check(tmp_path, cache=True).findings == ()
    (tmp_path / "real.py").write_text("from plum import dispatch\n")
    assert [finding.code for finding in check(tmp_path, cache=True).findings] == ["PJ001"]


LAZY = """\
import importlib


def part(name):
    return importlib.import_module("signals." + name)


dispatch = part("re" + "al").dispatch
"""


def test_dispatching_apart_from_plum_is_no_plum(tmp_path: Path, runs: list[str]) -> None:
    (tmp_path / "signals").mkdir()
    (tmp_path / "signals" / "__init__.py").write_text("def dispatch(f): return f\n")
    (tmp_path / "signals" / "lazy.py").write_text("def load(n): return import_module(n)\n")
    (tmp_path / "main.py").write_text(DISPATCHES + "import signals.lazy\n")
    (tmp_path / "other.py").write_text(PJ002)
    assert [finding.code for finding in check(tmp_path).findings] == ["PJ002"]
    assert set(runs) == {"other.py"}


def test_a_computed_import_may_bring_any_file_of_its_package(
    tmp_path: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    (tmp_path / "signals").mkdir()
    (tmp_path / "signals" / "__init__.py").write_text(LAZY)
    (tmp_path / "signals" / "real.py").write_text("def dispatch(f): return f\n")
    (tmp_path / "main.py").write_text(DISPATCHES)
    (tmp_path / "other.py").write_text(PJ002)
    assert [finding.code for finding in check(tmp_path, cache=True).findings] == ["PJ002"]
    assert "main.py" not in runs
    (tmp_path / "signals" / "real.py").write_text("from plum import dispatch\n")
    for cache in (True, False):
        found = check(tmp_path, cache=cache).findings
        assert sorted(finding.code for finding in found) == ["PJ001", "PJ002"]
    assert "main.py" in runs


def test_a_package_may_bring_modules_that_somebody_else_has_imported(
    tmp_path: Path, runs: list[str]
) -> None:
    (tmp_path / "signals" / "real").mkdir(parents=True)
    (tmp_path / "signals" / "__init__.py").write_text("")
    (tmp_path / "signals" / "real" / "__init__.py").write_text("from plum import dispatch\n")
    text = DISPATCHES.replace("from signals import", "import signals\n\n#").replace(
        "@dispatch", "@signals.real.dispatch"
    )
    (tmp_path / "main.py").write_text(text)
    assert [finding.code for finding in check(tmp_path).findings] == ["PJ001"]


@pytest.mark.parametrize(
    ("text", "does"),
    [
        (PJ002, True),
        ("import lab as B\n", True),
        ("from cola.utils import dispatch\n", True),
        ("from own.core import registry\n", True),
        ("from django.dispatch import receiver\n", False),
        ("label = slab\n", False),
        ("set_meta(lab='Ph 7')  # overlap-add: cola\n", False),
        ("import importlib\nB = importlib.import_module('lab')\n", True),
        ("name = 'plum'\n", True),
    ],
)
def test_which_files_can_have_a_dispatcher_from_outside(text: str, does: bool) -> None:
    scan = ByteScan(("own.core.registry",))
    assert scan.features(text.encode()).may_export_dispatcher is does
    assert scan.may_export_dispatcher(text.encode()) is does


def test_what_cannot_be_read_is_not_taken_for_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    os.mkfifo(tmp_path / "b.py")
    programs = Programs(Settings(source_roots=(tmp_path,)))
    assert programs.is_out_of_question(str(tmp_path / "a.py"))
    assert not programs.is_out_of_question(str(tmp_path / "b.py"))


def test_a_pipe_in_a_package_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "signals").mkdir()
    (tmp_path / "signals" / "__init__.py").write_text("def dispatch(f): return f\n")
    os.mkfifo(tmp_path / "signals" / "pipe.py")
    (tmp_path / "main.py").write_text(DISPATCHES)
    (tmp_path / "other.py").write_text(PJ002)
    # In a process of its own, which would wait for ever.
    command = [sys.executable, "-m", "plum_jit_lint", "--output-format", "concise", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "pipe.py: cannot be read: a named pipe" in done.stderr
    assert done.stdout.count("PJ") == 1
