"""What is kept hangs on every file that an import may find, and on nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from house import PJ004, run

from plum_jit_lint import Report, Settings, lint_paths

SHAPES, LATE = PJ004.split("total(jnp.ones(2))\n")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    (folder / "shapes.py").write_text(SHAPES)
    monkeypatch.chdir(folder)
    return folder


def check() -> Report:
    return lint_paths(["."], Settings(), cache=True)


def is_kept_for_what_is_there() -> Report:
    """A run that has what was kept before, like one that works all out anew."""
    kept = check()
    assert kept.findings == lint_paths(["."], Settings()).findings
    return kept


CALLED = "from shapes import *\n\ntotal(jnp.ones(2))\n\nimport {name}\n"
REGISTERS = "import jax\nfrom shapes import area, dispatch\n\n" + LATE


@pytest.mark.parametrize("name", ["venv", "node_modules", "linked"])
@pytest.mark.parametrize("dynamic", [False, True])
def test_a_module_that_no_listing_of_the_folder_tells(
    project: Path, tmp_path: Path, name: str, dynamic: bool
) -> None:
    (tmp_path / "elsewhere").mkdir()
    if name == "linked":
        (project / name).symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    else:
        (project / name).mkdir()
    main = CALLED.format(name=f"{name}.late")
    if dynamic:
        main = main.replace(f"import {name}.late", f"__import__('{name}.' + 'late')")
    (project / "main.py").write_text(main)
    assert check().findings == ()
    (project / name / "late.py").write_text(REGISTERS)
    first = is_kept_for_what_is_there()
    assert [one.related[0].place.path for one in first.findings] == ["main.py"]
    (project / name / "late.py").write_text("import shapes\n")
    assert is_kept_for_what_is_there().findings == ()


def test_a_folder_behind_a_link_that_comes_later(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "late.py").write_text(REGISTERS)
    (project / "main.py").write_text(CALLED.format(name="linked.late"))
    assert check().findings == ()
    (project / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert is_kept_for_what_is_there().findings
    (tmp_path / "other").mkdir()
    (project / "linked").unlink()
    (project / "linked").symlink_to(tmp_path / "other", target_is_directory=True)
    assert is_kept_for_what_is_there().findings == ()


def test_an_empty_folder_named_like_a_library_changes_nothing(project: Path) -> None:
    text = PJ004.replace("from plum import dispatch", "import mylibrary")
    (project / "main.py").write_text(text.replace("@dispatch", "@mylibrary.dispatch"))
    settings = Settings(extend_dispatchers=("mylibrary.dispatch",))
    before = lint_paths(["."], settings).findings
    assert len(before) == 1
    (project / "mylibrary").mkdir()
    (project / "mylibrary" / "data").mkdir()
    assert lint_paths(["."], settings).findings == before


def test_a_namespace_package_is_one(project: Path) -> None:
    (project / "space" / "inner").mkdir(parents=True)
    (project / "space" / "inner" / "late.py").write_text(REGISTERS)
    (project / "main.py").write_text(CALLED.format(name="space.inner.late"))
    assert is_kept_for_what_is_there().findings


def test_what_python_compiles_is_no_part_of_it(project: Path) -> None:
    (project / "main.py").write_text(CALLED.format(name="__pycache__.late"))
    assert check().findings == ()
    (project / "__pycache__").mkdir()
    (project / "__pycache__" / "late.py").write_text(REGISTERS)
    assert is_kept_for_what_is_there().findings == ()


def test_flake8_without_a_home(project: Path) -> None:
    (project / "main.py").write_text(PJ004)
    script = (
        "import os, pwd, runpy, sys\n"
        "def missing(number): raise KeyError(number)\n"
        "pwd.getpwuid = missing\n"
        "for name in ('HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'): os.environ.pop(name, None)\n"
        "sys.argv = ['flake8', '--isolated', '--select', 'PJ', '-j', '1', '.']\n"
        "runpy.run_module('flake8', run_name='__main__')\n"
    )
    (project.parent / "run_flake8.py").write_text(script)
    told = run(cwd=project, module="run_flake8", env={"PYTHONPATH": path_with(project.parent)})
    assert "Traceback" not in told.stderr
    assert "PJ004" in told.stdout


def path_with(folder: Path) -> str:
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
