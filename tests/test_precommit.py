"""The hook under the real pre-commit, installed from a repository as a user's would be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from house import CLEAN, PJ004, PJ004_LINE

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit_all(folder: Path) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--no-verify", "--message", "all")


@pytest.fixture(scope="module")
def hook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as a repository of its own: what is tested is what lies here now."""
    folder = tmp_path_factory.mktemp("hook")
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "plum_jit_lint", folder / "plum_jit_lint", ignore=skipped)
    for name in ("pyproject.toml", ".pre-commit-hooks.yaml", "README.md", "LICENSE"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    commit_all(folder)
    return folder


def test_the_whole_project_is_checked(
    hook: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\nexclude = ['old']\n")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "shapes.py").write_text(PJ004)
    (tmp_path / "shapes.py").write_text(PJ004)
    (tmp_path / "clean.py").write_text(CLEAN)
    commit_all(tmp_path)
    # What changed is clean; what is found lies in a file that did not change.
    (tmp_path / "clean.py").write_text("\n" + CLEAN)
    git(tmp_path, "add", "clean.py")
    outside = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hook), "plum-jit-lint", "--verbose",
         "--color", "never"],
        cwd=tmp_path,
        env={**outside, "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("home"))},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert done.returncode == 1, output
    assert "- exit code: 1" in output
    assert f"\nshapes.py:{PJ004_LINE}:1: error[PJ004] " in output
    assert "Found 1 error in 2 files." in output
