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


def copied(folders: list[Path], top: Path) -> list[Path]:
    """Copies of the folders, away from this project."""
    return [
        Path(shutil.copytree(folder, top / title(folder), ignore=_leftovers)) for folder in folders
    ]


def test_flake8_says_what_is_expected(tmp_path: Path) -> None:
    """Of all folders at once: most of what one costs is to start."""
    copied(FOLDERS, tmp_path)
    given = ("--isolated", "--select", "PJ", "--format", "%(path)s|%(row)d|%(code)s")
    done = subprocess.run(
        [sys.executable, "-m", "flake8", *given, "--pj-no-cache", "kinds", "wild"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    said: defaultdict[str, set[tuple[str, int, str]]] = defaultdict(set)
    for line in done.stdout.splitlines():
        path, row, code = line.split("|")
        kind, name, *inside = Path(path).parts
        said[f"{kind}/{name}"].add(("/".join(inside), int(row), code))
    wanted = {title(folder): set(expected(folder)) for folder in FOLDERS}
    assert {name: places for name, places in wanted.items() if said[name] != places} == {}
    assert set(said) <= set(wanted)


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
def test_their_asserts_hold(tmp_path: Path) -> None:
    folders = copied(JUDGED, tmp_path)
    done = subprocess.run(
        [sys.executable, str(HERE / "run_folders.py"), *map(str, folders)],
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["path"] for answer in answers] == list(map(str, folders)), done.stderr
    assert [answer for answer in answers if answer["wrong"] or not answer["programs"]] == []


def test_each_folder_says_what_it_shows() -> None:
    for folder in FOLDERS:
        files = [folder / "main.py", *sorted(folder.rglob("test_*.py"))]
        first = next(file for file in files if file.is_file())
        told = first.read_text(encoding="utf-8").startswith('"""')
        assert told or folder.parent.name == "wild", title(folder)
