"""Programs of one or more files in `kinds/` and `wild/`, one folder each: what the checker says
against their `# expect:` comments, through the command line and through flake8, and what real
pytest and JAX do with them.

Each folder is copied away from this project first, so that it is a project by itself, with the
settings that it has or with none.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import zlib
from collections import defaultdict
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.accuracy import expected
from plum_jit_lint.cli import main

HERE = Path(__file__).parent
FOLDERS = sorted(p for kind in ("kinds", "wild") for p in (HERE / kind).iterdir() if p.is_dir())
HAVE_JAX = all(importlib.util.find_spec(m) for m in ("jax", "plum", "equinox"))
# As with the programs in `fixtures/`: the same fifth, whichever are added.
JUDGED = [
    folder
    for folder in FOLDERS
    if os.environ.get("PLUM_JIT_LINT_ALL_PROGRAMS") or zlib.crc32(folder.name.encode()) % 5 == 0
]

Said = dict[tuple[str, int, str], str | None]
"""Severities by file, line and code."""


def title(folder: Path) -> str:
    return folder.relative_to(HERE).as_posix()


@pytest.fixture
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the folder, away from this project."""
    return Path(shutil.copytree(request.param, tmp_path / "project", ignore=_leftovers))


_leftovers = shutil.ignore_patterns("__pycache__", ".pytest_cache")

of_each_folder = pytest.mark.parametrize("project", FOLDERS, ids=title, indirect=True)


def agree(wanted: Said, said: Said) -> bool:
    """Whether the same is said at the same places, and as severely where that is written."""
    return wanted == {place: wanted.get(place) and severity for place, severity in said.items()}


def command_line(project: Path, path: str, *options: str) -> Said:
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        main(["--no-cache", "--output-format", "json", *options, path])
    report = json.loads(written.getvalue())
    assert report["errors"] == []
    return {
        (Path(f["path"]).resolve().relative_to(project).as_posix(), f["line"], f["code"]): f[
            "severity"
        ]
        for f in report["findings"]
    }


@of_each_folder
@pytest.mark.parametrize("place", ["from its root", "from elsewhere"])
def test_the_command_line_says_what_is_expected(
    project: Path, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project if place == "from its root" else tmp_path)
    said = command_line(project, "." if place == "from its root" else "project")
    wanted = expected(project)
    assert agree(wanted, said), (wanted, said)


@pytest.fixture(scope="module")
def flake8(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, set[tuple[str, int, str]]]:
    """What flake8 says of all folders at once, by their names."""
    top = tmp_path_factory.mktemp("flake8")
    for folder in FOLDERS:
        shutil.copytree(folder, top / title(folder), ignore=_leftovers)
    given = ("--isolated", "--select", "PJ", "--format", "%(path)s|%(row)d|%(code)s")
    done = subprocess.run(
        [sys.executable, "-m", "flake8", *given, "--pj-no-cache", "kinds", "wild"],
        cwd=top,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    found: defaultdict[str, set[tuple[str, int, str]]] = defaultdict(set)
    for line in done.stdout.splitlines():
        path, row, code = line.split("|")
        kind, name, *inside = Path(path).parts
        found[f"{kind}/{name}"].add(("/".join(inside), int(row), code))
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=title)
def test_flake8_says_what_is_expected(
    folder: Path, flake8: dict[str, set[tuple[str, int, str]]]
) -> None:
    assert flake8[title(folder)] == set(expected(folder))


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
@pytest.mark.parametrize("project", JUDGED, ids=title, indirect=True)
def test_its_asserts_hold(project: Path) -> None:
    tests = [path for path in project.rglob("*.py") if path.name.startswith("test_")]
    script = (project / "main.py").is_file()
    assert script or tests
    commands = [["main.py"]] if script else []
    if tests:
        commands.append(["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:plum_jit"])
    for command in commands:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=project,
            env={**os.environ, "JAX_PLATFORMS": "cpu"},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_each_folder_says_what_it_shows() -> None:
    for folder in FOLDERS:
        files = [folder / "main.py", *sorted(folder.rglob("test_*.py"))]
        first = next(file for file in files if file.is_file())
        told = first.read_text(encoding="utf-8").startswith('"""')
        assert told or folder.parent.name == "wild", title(folder)
