"""The cache and the processes: results are the same, whatever they come from."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from plum_jit_lint import Report, Settings, lint_paths, version
from plum_jit_lint.cache.database import FOLDER
from plum_jit_lint.checking import workers
from plum_jit_lint.checking.programs import Programs

SHAPES = """\
import jax
import jax.numpy as jnp
from plum import dispatch

@dispatch
def area(a: jax.Array):
    return a * 2

@jax.jit
def total(a):
    return 12 * area(a)
"""
MAIN = """\
import jax
import jax.numpy as jnp
from shapes import area, total
import plugin

total(jnp.ones(3))
import late
"""
LATE = """\
import jax
from plum import dispatch

@dispatch
def area(a: jax.Array):
    return a * 3
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    (tmp_path / "shapes.py").write_text(SHAPES)
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "late.py").write_text(LATE)
    (tmp_path / "broken.py").write_text("from plum import (\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check() -> Report:
    return lint_paths(["."], Settings(), cache=True)


def places(report: Report) -> list[tuple[str, int, str]]:
    return [(f.place.path, f.place.line, f.code) for f in report.findings]


class Analyses:
    """Counts the files that are checked anew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: list[str] = []
        original = workers.check_file

        def check_file(path: str, *args: object, **kw: object) -> object:
            self.paths.append(path)
            return original(path, *args, **kw)  # type: ignore[arg-type]

        monkeypatch.setattr(workers, "check_file", check_file)


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> Analyses:
    return Analyses(monkeypatch)


def test_nothing_is_worked_out_twice(project: Path, analyses: Analyses) -> None:
    first = check()
    assert places(first) == [("main.py", 7, "PJ004")]
    assert [problem.path for problem in first.problems] == ["broken.py"]
    analyses.paths.clear()
    assert check() == first
    assert analyses.paths == []


def test_a_changed_file_counts_for_all_that_depend_on_it(project: Path, analyses: Analyses) -> None:
    check()
    analyses.paths.clear()
    (project / "late.py").write_text(LATE.replace("jax.Array", "str"))
    assert places(check()) == []
    assert sorted(analyses.paths) == ["late.py", "main.py"]


def test_a_new_file_may_be_what_an_import_finds(project: Path) -> None:
    check()
    (project / "plugin.py").write_text(LATE.replace("* 3", "* 4") + "\n\nimport late\n")
    # The registrations come first now.
    assert places(check()) == []


def test_a_module_that_an_import_line_does_not_name_counts_too(project: Path) -> None:
    (project / "main.py").write_text(
        MAIN.replace("import late", "for name in ['la' + 'te']:\n    __import__(name)")
    )
    assert places(check()) == [("main.py", 8, "PJ004")]
    (project / "late.py").write_text(LATE.replace("jax.Array", "str"))
    assert places(check()) == []


def test_other_settings_are_another_world(project: Path) -> None:
    check()
    (project / "shapes.py").write_text(SHAPES.replace("@jax.jit", "@jax.named_scope('a')"))
    assert places(check()) == []
    report = lint_paths(["."], Settings(extend_jit=("jax.named_scope",)), cache=True)
    assert report.problems == check().problems


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pythonpath = registers", "pythonpath = nothing"),
        ("pythonpath = registers nothing", "pythonpath = nothing registers"),
        ("addopts = --import-mode=importlib", "addopts = -q"),
    ],
)
def test_changed_settings_of_pytest_count(
    project: Path, analyses: Analyses, before: str, after: str
) -> None:
    for name, text in {
        "registers/late.py": LATE,
        "nothing/late.py": "",
        "tests/test_late.py": MAIN,
    }.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    if "importlib" in before:
        # With that it is not on the path, without it comes first.
        (project / "tests" / "late.py").write_text("")
    both = [("main.py", 7, "PJ004"), ("tests/test_late.py", 7, "PJ004")]
    for settings, found in ((before, both), (after, both[:1]), (before, both)):
        (project / "pytest.ini").write_text(f"[pytest]\n{settings}\n")
        analyses.paths.clear()
        assert places(check()) == found
    # What pytest does not import has nothing of it.
    assert analyses.paths == ["tests/test_late.py"]


def test_a_new_conftest_puts_its_folder_on_the_path(project: Path) -> None:
    (project / "tests" / "unit").mkdir(parents=True)
    (project / "tests" / "unit" / "test_late.py").write_text(MAIN)
    (project / "tests" / "late.py").write_text("")
    assert len(places(check())) == 2
    (project / "tests" / "conftest.py").write_text("")
    assert places(check()) == [("main.py", 7, "PJ004")]


def test_selection_and_comments_are_not_cached(project: Path) -> None:
    check()
    assert lint_paths(["."], Settings(select=("PJ003",)), cache=True).findings == ()
    (project / "main.py").write_text(MAIN.replace("import late", "import late  # noqa: PJ004"))
    assert check().findings == ()


def test_paths_are_shown_from_where_one_stands(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = check()
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    report = lint_paths([".."], Settings(), cache=True)
    assert report == lint_paths([".."], Settings())
    assert len(report.findings) == len(first.findings)


@pytest.mark.parametrize("damage", ["garbage", "other tables", "lies", "no folder"])
def test_a_damaged_cache_is_done_without(project: Path, damage: str) -> None:
    first = check()
    file = project / FOLDER / "results.sqlite"
    if damage == "garbage":
        for one in file.parent.glob("results*"):
            one.write_bytes(b"no database" * 1000)
    elif damage == "no folder":
        shutil.rmtree(file.parent)
        file.parent.write_text("in the way")
    else:
        connection = sqlite3.connect(file)
        with connection:
            if damage == "lies":
                connection.execute('UPDATE results SET value = \'{"findings": [{"code": 7}]}\'')
            else:
                connection.execute("DROP TABLE results")
                connection.execute("CREATE TABLE results (path TEXT)")
        connection.close()
    assert check() == first


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_tree_that_cannot_be_written_has_its_cache_elsewhere(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    project.chmod(0o500)
    try:
        check()
    finally:
        project.chmod(0o700)
    assert list(home.rglob("results.sqlite"))


def command(*arguments: str, folder: Path, seed: str = "0") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "plum_jit_lint", *arguments],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )


def test_the_answer_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    """For any number of jobs, any hash seed, cold and warm."""
    projects = Path(__file__).parent.parent / "benchmarks" / "projects" / "imports"
    shutil.copytree(projects, tmp_path / "tree")
    answers = {
        (done.returncode, done.stdout)
        for arguments, seed in (
            (("-j", "1", "--no-cache"), "0"),
            (("-j", "1", "--no-cache"), "1"),
            (("-j", "2", "--no-cache"), "2"),
            (("-j", "3"), "3"),
            (("-j", "3"), "4"),
            (("-j", "1"), "5"),
        )
        for done in [
            command("--isolated", "--output-format", "json", *arguments, folder=tmp_path, seed=seed)
        ]
    }
    assert len(answers) == 1
    assert b"PJ004" in next(iter(answers))[1]


TOGETHER = """
from plum_jit_lint import Settings, lint_paths
from plum_jit_lint.checking import workers
alone = lint_paths(["."], Settings())
workers.ALONE = 0.0
seen = []
together = lint_paths(["."], Settings(), jobs=2, progress=lambda *step: seen.append(step))
assert together == alone and alone.findings
assert seen == [(number, 24) for number in range(1, 25)], seen
"""


def test_processes_take_over_what_takes_long(project: Path) -> None:
    for number in range(20):
        (project / f"main{number}.py").write_text(MAIN)
    # In a process of its own: here are the threads of JAX, which do not go with a fork.
    subprocess.run([sys.executable, "-c", TOGETHER], cwd=project, check=True)


def _laid_out(folder: Path, **texts: str) -> tuple[Programs, list[tuple[str, bool]]]:
    """The programs and the tasks of two packages `one` and `two`, each with a folder without
    `__init__.py`, and of further files."""
    (folder / "pyproject.toml").write_text("")
    parts = ("__init__.py", "a.py", "b.py", "sub/c.py", "sub/deep/__init__.py")
    for path in (f"{package}/{part}" for package in ("one", "two") for part in parts):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x = 1\n" * 10)
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return Programs(Settings()), [(str(file), False) for file in sorted(folder.rglob("*.py"))]


def test_a_package_of_which_nothing_has_run_is_checked_by_one_process(tmp_path: Path) -> None:
    programs, tasks = _laid_out(tmp_path)
    shares = workers._shares(tasks, programs, 2, set())
    tops = [{workers.top_of(path, programs) for path, _ in share} for share in shares]
    assert sorted(tops, key=str) == [{str(tmp_path / "one")}, {str(tmp_path / "two")}]
    assert len(workers._shares(tasks, programs, 8, set())) == 2, "no process without work"


def test_files_that_have_run_are_spread_over_all_processes(tmp_path: Path) -> None:
    programs, tasks = _laid_out(tmp_path)
    ran = {path for path, _ in tasks}
    shares = workers._shares(tasks, programs, 2, ran)
    assert [len(share) for share in shares] == [5, 5]
    assert sorted(task for share in shares for task in share) == tasks


def test_what_imports_a_package_goes_to_the_process_that_runs_it(tmp_path: Path) -> None:
    programs, tasks = _laid_out(tmp_path, page="import two, two.a, two.b\n")
    for share in workers._shares(tasks, programs, 2, set()):
        names = {os.path.relpath(path, tmp_path).split(os.sep)[0] for path, _ in share}
        assert names in ({"one"}, {"two", "page.py"})


def test_the_command_cleans_and_leaves_nothing(project: Path) -> None:
    command("--quiet", ".", folder=project)
    assert (project / FOLDER / ".gitignore").read_text() == "*\n"
    done = command("clean", folder=project)
    assert (done.returncode, b"removed" in done.stdout) == (0, True)
    assert not (project / FOLDER).exists()
    assert b"no cache" in command("clean", folder=project).stdout
    command("--quiet", "--no-cache", ".", folder=project)
    assert not (project / FOLDER).exists()


@pytest.mark.parametrize("number", ["0", "-1", "many", "1.5"])
def test_what_is_no_number_of_jobs_is_an_error_that_names_it(project: Path, number: str) -> None:
    done = command(f"--jobs={number}", folder=project)
    assert done.returncode == 2
    assert b"--jobs" in done.stderr
    assert number.encode() in done.stderr


def test_the_build_changes_with_the_code_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "plum_jit_lint"
    package.mkdir()
    (package / "rule.py").write_text("")
    monkeypatch.setattr(version, "__file__", str(package / "version.py"))
    installed = version.build.__wrapped__()
    assert installed == version.__version__
    (tmp_path / "pyproject.toml").write_text("")
    before = version.build.__wrapped__()
    (package / "rule.py").write_text("x = 1\n")
    assert len({installed, before, version.build.__wrapped__()}) == 3
