"""flake8 and the command line share one cache, and say what they say without it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from house import CLEAN, PJ001, PJ002, PJ004, run

from plum_jit_lint.cache.database import FOLDER
from plum_jit_lint.cache.seals import own_seals

SHAPES = PJ004.partition("\n\ntotal(")[0] + "\n"
MAIN = """\
import jax.numpy as jnp
from shapes import area, total

total(jnp.ones(2))
import late
"""
LATE = """\
import jax
from plum import dispatch


@dispatch
def area(x: jax.Array):
    return 3 * x
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    texts = {"one": PJ001, "two": PJ002, "shapes": SHAPES, "main": MAIN, "late": LATE}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def flake8(folder: Path, *arguments: str, stdin: str = "") -> str:
    options = ["--isolated", "--select", "PJ", *arguments]
    done = run(*options, cwd=folder, module="flake8", stdin=stdin.encode())
    assert done.stderr == ""
    return done.stdout


def command_line(folder: Path, *arguments: str) -> str:
    return run("--output-format", "concise", *arguments, cwd=folder).stdout


def file_of(project: Path) -> Path:
    return project / FOLDER / "results.sqlite"


@contextmanager
def database(project: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(file_of(project))
    try:
        with connection:
            yield connection
    finally:
        connection.close()


def lie(project: Path) -> None:
    """Makes every message that is kept another one, under a seal that holds."""
    seals = own_seals(project)
    with database(project) as connection:
        kept = connection.execute(
            "SELECT results.rowid, world, path, digest, contents, value FROM results"
            " JOIN closures ON closures.id = results.closure"
        ).fetchall()
        assert kept
        for rowid, world, path, files, contents, value in kept:
            result = json.loads(value)
            for finding in result["findings"]:
                finding["text"] = ["taken from the cache"]
            told = json.dumps(result)
            seal = seals.make("result", world, path, files, contents, told)
            connection.execute(
                "UPDATE results SET value = ?, seal = ? WHERE rowid = ?", (told, seal, rowid)
            )


def test_cold_warm_and_without_a_cache_the_answer_is_the_same(project: Path) -> None:
    without = flake8(project, "--pj-no-cache")
    assert not (project / FOLDER).exists()
    assert without.count("\n") == 3
    for jobs in ("1", "3", "1", "3"):
        assert flake8(project, "-j", jobs) == without
    assert command_line(project) == without.replace("./", "")


def test_what_flake8_has_found_it_takes_from_the_cache(project: Path) -> None:
    flake8(project)
    lie(project)
    assert flake8(project).count("taken from the cache") == 3
    assert flake8(project, "-j", "2").count("taken from the cache") == 3
    assert "taken from" not in flake8(project, "--pj-no-cache")


def test_the_command_line_finds_what_flake8_has_kept(project: Path) -> None:
    flake8(project)
    lie(project)
    assert command_line(project).count("taken from the cache") == 3


def test_flake8_finds_what_the_command_line_has_kept(project: Path) -> None:
    command_line(project)
    lie(project)
    assert flake8(project).count("taken from the cache") == 3


def test_a_changed_neighbour_counts(project: Path) -> None:
    assert "main.py:5:1" in flake8(project)
    (project / "late.py").write_text(LATE.replace("jax.Array", "str"))
    assert "main.py" not in flake8(project)


def test_another_text_in_the_name_of_a_file_is_not_that_file(project: Path) -> None:
    kept = flake8(project)
    named = ["--stdin-display-name", "one.py", "-"]
    assert flake8(project, *named, stdin=PJ002).startswith("one.py:5:1: PJ002")
    assert flake8(project, *named, stdin=CLEAN) == ""
    assert flake8(project) == kept


def test_standard_input_that_is_what_stands_in_the_file_is(project: Path) -> None:
    flake8(project)
    lie(project)
    named = ["--stdin-display-name", "one.py", "-"]
    assert "taken from the cache" in flake8(project, *named, stdin=PJ001)


def test_a_text_without_a_file_leaves_nothing(project: Path) -> None:
    flake8(project, "-", stdin=PJ001)
    flake8(project, "--stdin-display-name", "none.py", "-", stdin=PJ001)
    assert not (project / FOLDER).exists()


def test_files_that_cannot_matter_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "clean.py").write_text(CLEAN)
    assert flake8(tmp_path) == ""
    assert not (tmp_path / FOLDER).exists()


def test_whatever_the_encoding_and_the_ends_of_lines(project: Path) -> None:
    wide = "π = '日本é'\n" + PJ002
    (project / "one.py").write_bytes(b"\xef\xbb\xbf" + wide.encode())
    cookie = "# -*- coding: latin-1 -*-\nx = 'é'\n" + PJ002
    (project / "two.py").write_bytes(cookie.encode("latin-1"))
    (project / "three.py").write_bytes(PJ002.replace("\n", "\r\n").encode())
    cold = flake8(project)
    assert flake8(project) == cold == flake8(project, "--pj-no-cache")
    lie(project)
    assert flake8(project).count("taken from the cache") == 4


def test_several_flake8_at_once(project: Path) -> None:
    for number in range(12):
        (project / f"more{number}.py").write_text(PJ001)
    command = [sys.executable, "-m", "flake8", "--isolated", "--select", "PJ", "-j", "2"]
    started = [
        subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = {one.communicate() for one in started}
    assert answers == {(flake8(project, "--pj-no-cache").encode(), b"")}
    with database(project) as connection:
        ((count,),) = connection.execute("SELECT COUNT(*) FROM results")
    assert count == 17


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

AT_LINE = """replace(value, '"line": ', '"line": {}, "l": ')"""

HOSTILE = {
    "a view without an end": [
        "DROP TABLE results",
        f"CREATE VIEW results AS SELECT x AS path, x AS world, x AS closure, x AS contents,"
        f" x AS value FROM ({ENDLESS})",
    ],
    "a trigger": ["CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END"],
    "other columns": ["DROP TABLE results", "CREATE TABLE results (path, world)"],
    "no JSON": ["UPDATE results SET value = '{'"],
    "deep JSON": [f"UPDATE results SET value = '{'[' * 100_000}'"],
    "other JSON": ["UPDATE results SET value = '[]'"],
    "places that are none": [f"UPDATE results SET value = {AT_LINE.format('[]')}"],
    "infinite places": [f"UPDATE results SET value = {AT_LINE.format('1e999')}"],
    "numbers": ["UPDATE results SET value = 1, contents = 2"],
    "a device to read": ["UPDATE closures SET files = '[\"/dev/zero\"]'"],
    "files that are none": ["UPDATE closures SET files = '[1, null]'"],
}


@pytest.mark.parametrize("statements", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_cache_is_done_without(project: Path, statements: list[str]) -> None:
    first = flake8(project)
    with database(project) as connection:
        for statement in statements:
            connection.execute(statement)
    assert flake8(project) == first
    assert command_line(project) == first.replace("./", "")


def test_a_damaged_cache_is_made_anew(project: Path) -> None:
    first = flake8(project)
    for file in file_of(project).parent.glob("results*"):
        file.write_bytes(b"no database" * 1000)
    assert flake8(project) == first
    lie(project)
    assert "taken from the cache" in flake8(project)


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_a_cache_that_leads_elsewhere_is_left_alone(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    other = elsewhere / "mail.sqlite"
    connection = sqlite3.connect(other)
    with connection:
        connection.execute("CREATE TABLE mail (text)")
    connection.close()
    before = other.read_bytes()
    (project / FOLDER).mkdir()
    file_of(project).symlink_to(other)
    env = {"XDG_CACHE_HOME": str(elsewhere / "home")}
    done = run("--isolated", "--select", "PJ", cwd=project, module="flake8", env=env)
    assert done.stdout.count("PJ00") == 3
    assert other.read_bytes() == before
    assert sorted(one.name for one in elsewhere.iterdir()) == ["home", "mail.sqlite"]


def test_another_process_that_holds_the_lock_stops_nobody(project: Path) -> None:
    first = flake8(project)
    (project / "two.py").write_text(PJ002 + "\n\nx = 1\n")
    with database(project) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert flake8(project) == first


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_tree_that_cannot_be_written(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("home"))}
    project.chmod(0o500)
    try:
        done = run("--isolated", "--select", "PJ", cwd=project, module="flake8", env=env)
    finally:
        project.chmod(0o700)
    assert done.stdout.count("PJ00") == 3
    assert list(Path(env["XDG_CACHE_HOME"]).rglob("results.sqlite"))
