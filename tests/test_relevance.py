"""Which programs are run in the abstract at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from house import PJ002

from plum_jit_lint import Report, Settings, lint_paths
from plum_jit_lint.static.words import hands_dispatchers_out

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
    assert hands_dispatchers_out(text.encode(), ("own.core.registry",)) is does
