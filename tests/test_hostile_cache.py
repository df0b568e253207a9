"""A cache from somebody else's hands, damaged, or of another time: right answers, or none."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from house import PJ002, PJ004, run

from plum_jit_lint import Settings, lint_paths
from plum_jit_lint.cache import seals
from plum_jit_lint.cache.database import FOLDER
from plum_jit_lint.checking import workers
from plum_jit_lint.project import source_lines

FORMAT = ("--output-format", "concise", "--jobs", "1")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    (folder / "shapes.py").write_text(PJ004)
    (folder / "stacked.py").write_text(PJ002)
    return folder


def env(tmp_path: Path, user: str = "me") -> dict[str, str]:
    return {
        "XDG_DATA_HOME": str(tmp_path / user / "data"),
        "XDG_CACHE_HOME": str(tmp_path / user / "cache"),
    }


def check(project: Path, user: str = "me", *more: str) -> subprocess.CompletedProcess[str]:
    return run(".", *FORMAT, *more, cwd=project, env=env(project.parent, user))


def database(project: Path) -> Path:
    return project / FOLDER / "results.sqlite"


def change(project: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(database(project))) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


def rows(project: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database(project))) as connection:
        return list(connection.execute("SELECT path, value FROM results"))


EMPTY = json.dumps({"problem": None, "findings": []})


def test_the_cache_of_somebody_else_hides_nothing(project: Path) -> None:
    right = check(project)
    assert right.returncode == 1
    shutil.rmtree(project / FOLDER)
    check(project, "other")
    change(project, "UPDATE results SET value = ?", EMPTY)
    assert check(project).stdout == right.stdout
    # And what was worked out is kept beside it.
    assert len(rows(project)) == 4


@pytest.mark.parametrize("column", ["value", "contents", "seal"])
def test_a_changed_entry_is_worked_out_again(project: Path, column: str) -> None:
    right = check(project)
    change(project, f"UPDATE results SET {column} = ?", EMPTY)
    assert check(project).stdout == right.stdout
    assert EMPTY not in [value for _, value in rows(project)]


@pytest.mark.parametrize("value", [None, 7, b"\xff", "no json", "[" * 100_000, '{"findings": 3}'])
def test_whatever_an_entry_says(project: Path, value: object) -> None:
    right = check(project)
    change(project, "UPDATE results SET value = ?", value)
    again = check(project)
    assert (again.stdout, again.stderr) == (right.stdout, right.stderr)


def test_an_entry_for_another_file_does_not_hold(project: Path) -> None:
    (project / "clean.py").write_text("import plum\n")
    right = check(project)
    clean, shapes = (os.fsencode(project / name) for name in ("clean.py", "shapes.py"))
    change(project, "DELETE FROM results WHERE path = ?", shapes)
    change(project, "UPDATE results SET path = ? WHERE path = ?", shapes, clean)
    assert check(project).stdout == right.stdout


def test_a_changed_closure_does_not_hold(project: Path) -> None:
    (project / "main.py").write_text("import shapes\n" + PJ002)
    check(project)
    change(project, "UPDATE closures SET files = '[]'")
    (project / "shapes.py").write_text("x = 1\n")
    again = check(project)
    assert "shapes.py" not in again.stdout
    assert "main.py" in again.stdout


def test_no_line_of_another_file_is_shown(project: Path, tmp_path: Path) -> None:
    """Even with a seal that holds, a report opens what the result depends on alone."""
    (tmp_path / "secret").write_text("password\n" * 30)
    right = run("shapes.py", cwd=project, env=env(tmp_path))
    assert "password" not in right.stdout
    key = seals.Seals((tmp_path / "me" / "data" / seals.APPLICATION / "cache.key").read_bytes())
    with closing(sqlite3.connect(database(project))) as connection, connection:
        for path, world, closure, contents, value in connection.execute(
            "SELECT path, world, closure, contents, value FROM results"
        ).fetchall():
            ((files,),) = connection.execute("SELECT digest FROM closures WHERE id = ?", (closure,))
            found = json.loads(value)
            for finding in found["findings"]:
                for related in finding["related"]:
                    related["place"]["path"] = str(tmp_path / "secret")
            value = json.dumps(found)
            seal = key.make("result", world, path, files, contents, value)
            connection.execute("UPDATE results SET value = ?, seal = ?", (value, seal))
    again = run("shapes.py", cwd=project, env=env(tmp_path))
    assert again.stdout == right.stdout


@pytest.mark.parametrize(
    "name", ["results.sqlite", "results.lock", "results.sqlite-wal", "results.new"]
)
@pytest.mark.parametrize("kind", ["fifo", "link"])
def test_what_is_no_regular_file_is_not_opened(project: Path, name: str, kind: str) -> None:
    right = check(project)
    shutil.rmtree(project / FOLDER)
    (project / FOLDER).mkdir()
    mine = project / "mine.txt"
    mine.write_text("mine")
    if kind == "fifo":
        os.mkfifo(project / FOLDER / name)
    else:
        (project / FOLDER / name).symlink_to(mine)
    assert check(project).stdout == right.stdout
    assert mine.read_text() == "mine"


def test_flipped_bits_do_no_harm_twice(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, folder in env(project.parent).items():
        monkeypatch.setenv(name, folder)
    (project / "main.py").write_text("import shapes\nimport stacked\n")
    right = check(project)
    whole = database(project).read_bytes()
    chance = random.Random(3)
    for _ in range(25):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 30])):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        for end in ("-wal", "-shm"):
            Path(f"{database(project)}{end}").unlink(missing_ok=True)
        database(project).write_bytes(damaged)
        for _ in range(2):
            told = lint_paths([str(project)], Settings(), cache=True)
            assert len(told.findings) == len(right.stdout.splitlines())
            assert not told.problems
            assert not told.notes


def test_a_damaged_database_is_whole_again(project: Path) -> None:
    right = check(project)
    whole = database(project).read_bytes()
    # The pages behind the first.
    database(project).write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert check(project).stdout == right.stdout
    assert len(rows(project)) == 2


@pytest.mark.parametrize("with_key", ["link", "short", "writable", "fifo"])
def test_a_key_that_may_be_somebody_else_s(project: Path, tmp_path: Path, with_key: str) -> None:
    folder = tmp_path / "me" / "data" / seals.APPLICATION
    folder.mkdir(parents=True)
    key = folder / "cache.key"
    if with_key == "link":
        (tmp_path / "other").write_bytes(bytes(32))
        key.symlink_to(tmp_path / "other")
    elif with_key == "fifo":
        os.mkfifo(key)
    else:
        key.write_bytes(bytes(32 if with_key == "writable" else 5))
        key.chmod(0o666 if with_key == "writable" else 0o600)
    told = check(project, "me", "--verbose")
    assert told.returncode == 1
    assert "plum-jit-lint: no cache: " in told.stderr
    assert not (project / FOLDER).exists()
    assert check(project).stderr == ""


def test_a_key_in_the_project_is_none(project: Path, tmp_path: Path) -> None:
    told = run(
        ".", *FORMAT, "-v", cwd=project, env={**env(tmp_path), "XDG_DATA_HOME": str(project / "d")}
    )
    assert "is a part of the project" in told.stderr
    assert not (project / FOLDER).exists()


def test_the_key_is_the_user_s_alone(project: Path, tmp_path: Path) -> None:
    check(project)
    key = tmp_path / "me" / "data" / seals.APPLICATION / "cache.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(key.read_bytes()) == 32


def test_without_a_home_nothing_is_kept(project: Path) -> None:
    (project / "~").mkdir()
    script = (
        "import os, pwd, sys\n"
        "def missing(number): raise KeyError(number)\n"
        "pwd.getpwuid = missing\n"
        "for name in ('HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'): os.environ.pop(name, None)\n"
        "from plum_jit_lint.cli import main\n"
        "sys.exit(main(['.', '--verbose', '--output-format', 'concise']))\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=project, capture_output=True, text=True, check=False
    )
    assert told.returncode == 1
    assert told.stderr == "plum-jit-lint: no cache: there is no home folder\n"
    assert not (project / FOLDER).exists()
    assert list((project / "~").iterdir()) == []


def test_an_answer_is_kept_for_the_text_that_was_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saves a file while it is checked."""
    monkeypatch.chdir(project)
    original = workers.check_file
    clean = "import plum\n\n\ndef f(): ...\n"

    def check_file(path: str, *args: object, **kw: object) -> object:
        found = original(path, *args, **kw)  # type: ignore[arg-type]
        Path(path).write_text(clean if path == "shapes.py" else PJ004)
        return found

    monkeypatch.setattr(workers, "check_file", check_file)
    assert len(lint_paths(["."], Settings(), cache=True).findings) == 2
    monkeypatch.setattr(workers, "check_file", original)
    second = lint_paths(["."], Settings(), cache=True)
    assert second.findings == lint_paths(["."], Settings()).findings
    assert [one.place.path for one in second.findings] == ["stacked.py"]


def test_nor_is_one_kept_of_two_texts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody saves an imported file between two reads of it."""
    monkeypatch.chdir(project)
    late = PJ004.partition("total(jnp.ones(2))")[0]
    (project / "shapes.py").write_text(late)
    (project / "main.py").write_text(
        "import jax.numpy as jnp\nfrom shapes import area, dispatch, jax, total\n\n"
        "total(jnp.ones(2))\n\n\n@dispatch\ndef area(x: jax.Array):\n    return 2\n"
    )
    original = source_lines.read_file
    texts = [late.encode(), late.replace("jax.jit", "abs").encode()]
    reads = []

    def read_file(path: str) -> bytes:
        source = original(path)
        if os.path.basename(path) == "shapes.py":
            reads.append(path)
            return texts[len(reads) % 2]
        return source

    monkeypatch.setattr(source_lines, "read_file", read_file)
    lint_paths(["."], Settings(), cache=True)
    assert len(reads) > 1
    monkeypatch.setattr(source_lines, "read_file", original)
    assert (
        lint_paths(["."], Settings(), cache=True).findings
        == lint_paths(["."], Settings()).findings
        != ()
    )
