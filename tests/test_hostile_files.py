"""Files and names that somebody made to do harm: all else is checked, and nothing leaks out."""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from house import CLEAN, PJ002, PJ004, finding, run
from pathspec import GitIgnoreSpec

from plum_jit_lint import Report, Settings, lint_paths
from plum_jit_lint.checking import workers
from plum_jit_lint.findings import Place, Problem, Related, Role
from plum_jit_lint.project.linear_globs import LinearPattern
from plum_jit_lint.project.options import FORMATS
from plum_jit_lint.report import render

CONCISE = ("--output-format", "concise", "--no-cache")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "stacked.py").write_text(PJ002)
    return tmp_path


def finds_all(project: Path, *more: str) -> subprocess.CompletedProcess[str]:
    told = run(".", *CONCISE, *more, cwd=project)
    assert "stacked.py:5:1: PJ002" in told.stdout
    assert "internal error" not in told.stderr
    return told


# -- what lies in a folder -------------------------------------------------------------------


@pytest.mark.parametrize("name", [".gitignore", "setup.cfg", "tox.ini", "pytest.ini", "helper.py"])
def test_a_pipe_is_not_waited_for(project: Path, name: str) -> None:
    os.mkfifo(project / name)
    (project / "main.py").write_text("import helper\n" + PJ004)
    finds_all(project)


@pytest.mark.parametrize("name", [".gitignore", "setup.cfg", "pytest.ini", "helper.py"])
def test_a_device_is_not_read(project: Path, name: str) -> None:
    (project / name).symlink_to("/dev/zero")
    (project / "main.py").write_text("import helper\n" + PJ004)
    finds_all(project)


@pytest.mark.parametrize(
    "pattern",
    [
        "*a" * 60 + "b",
        "**/*a*a/" * 30 + "**/b",
        "a*" * 60,
        "**/a/" * 60 + "b",
        "a" + "*" * 300 + "b",
    ],
)
def test_a_pattern_with_many_stars(project: Path, pattern: str) -> None:
    (project / ".gitignore").write_text(f"{pattern}\n!*.py\n!*/\n")
    deep = project.joinpath(*["a" * 20] * 30)
    deep.mkdir(parents=True)
    (deep / f"{'a' * 200}.py").write_text(PJ002)
    assert len(finds_all(project).stdout.splitlines()) == 2


def test_patterns_match_what_they_did() -> None:
    chance = random.Random(1)
    matched = 0
    for _ in range(2000):
        parts = ["a", "b", "*", "**", "/", "/**/", "?", "[ab]", "*a"]
        glob = "".join(chance.choices(parts, k=chance.randint(1, 9)))
        glob = chance.choice(["", "", "/"]) + glob + chance.choice(["", "", "/"])
        plain = GitIgnoreSpec.from_lines([glob])
        linear = GitIgnoreSpec.from_lines([glob], pattern_factory=LinearPattern)
        for _ in range(12):
            names = ["".join(chance.choices("ab", k=chance.randint(1, 4))) for _ in range(4)]
            path = "/".join(names[: chance.randint(1, 4)]) + chance.choice(["", "/"])
            verdict = plain.check_file(path).include
            assert linear.check_file(path).include == verdict, (glob, path)
            matched += verdict is not None
    assert matched > 1000


@pytest.mark.parametrize("where", ["folder", "stacked.py"])
def test_what_must_not_be_read_is_told(project: Path, where: str) -> None:
    folder = project / "folder"
    folder.mkdir()
    (folder / "inside.py").write_text(PJ002)
    script = "import os, sys\nfrom plum_jit_lint.cli import main\n"
    if os.geteuid() == 0:
        # The superuser may read everything; others may not even read what is to be imported.
        script += "import rich.progress, plum_jit_lint.report.progress\n"
        script += "main(['good.py', '--no-cache', '-q', '-o', os.devnull])\nos.setuid(65534)\n"
    script += "sys.exit(main(sys.argv[1:]))\n"
    (project / "good.py").write_text(PJ002)
    if os.geteuid() == 0:
        for one in (project, *project.parents[:3]):
            one.chmod(0o755)
    (project / where).chmod(0)
    told = subprocess.run(
        [sys.executable, "-c", script, ".", "folder", "folder/x", *CONCISE],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    (project / where).chmod(0o700)
    assert told.returncode == 2
    assert "internal error" not in told.stderr
    assert f"{where}: cannot be read: permission denied" in told.stderr.lower()
    assert "PJ002" in told.stdout


def test_a_file_that_is_gone_before_the_report(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    (project / "other.py").write_text(PJ002)
    original = workers.check_file

    def check_file(path: str, *args: object, **kw: object) -> object:
        found = original(path, *args, **kw)  # type: ignore[arg-type]
        if path == "other.py":
            os.remove(path)
        return found

    monkeypatch.setattr(workers, "check_file", check_file)
    report = lint_paths(["."], Settings())
    assert [one.place.path for one in report.findings] == ["stacked.py"]
    assert [str(one.path) for one in report.problems] == ["other.py"]


def test_a_file_that_is_shorter_by_the_time_of_the_report(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    original = workers.check_file

    def check_file(path: str, *args: object, **kw: object) -> object:
        found = original(path, *args, **kw)  # type: ignore[arg-type]
        Path(path).write_text("x\n")
        return found

    monkeypatch.setattr(workers, "check_file", check_file)
    report = lint_paths(["."], Settings())
    assert len(report.findings) == 1
    for output_format in FORMATS:
        assert "stacked.py" in render(report, output_format)


# -- what a program asks for -----------------------------------------------------------------

LATE = PJ004.partition("total(jnp.ones(2))\n")[2]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A project, beside which lies what is none of it."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    (tmp_path / "late.py").write_text("import jax\nfrom shapes import *\n" + LATE)
    (project / "inside.py").write_text("import jax\nfrom shapes import *\n" + LATE)
    (project / "shapes.py").write_text(PJ004.partition("total(jnp.ones(2))")[0])
    return project


MAIN = "import importlib, runpy\nfrom shapes import *\n\ntotal(jnp.ones(2))\n"


@pytest.mark.parametrize(
    ("statement", "finds"),
    [
        ("importlib.import_module('inside')", True),
        ("runpy.run_path('inside.py')", True),
        ("importlib.import_module('{above}/late')", False),
        ("importlib.import_module('../late')", False),
        ("importlib.import_module('x.' + 'a' * 260)", False),
        ("importlib.import_module('x\\0y')", False),
        ("importlib.import_module('.' * 300)", False),
        ("importlib.import_module('')", False),
        ("runpy.run_path('{above}/late.py')", False),
        ("runpy.run_path('../late.py')", False),
        ("runpy.run_path('/dev/zero')", False),
        ("runpy.run_path('a' * 5000)", False),
        ("runpy.run_path('a\\0b')", False),
        ("runpy.run_module('{above}/late')", False),
        ("import " + "a" * 260, False),
        ("import " + "a" * 260 + ".b", False),
    ],
)
def test_nothing_outside_is_opened(outside: Path, statement: str, finds: bool) -> None:
    (outside / "main.py").write_text(MAIN + statement.format(above=outside.parent) + "\n")
    told = run("main.py", "shapes.py", "inside.py", *CONCISE, cwd=outside)
    assert told.stderr == ""
    assert told.returncode == (1 if finds else 0), told.stdout
    assert "late.py" not in told.stdout


# -- names, in every format ------------------------------------------------------------------

NAMES = {
    "command": "::stop-commands::token.py",
    "after_space": "  ::error::x.py",
    "old_command": "x##[add-mask]y.py",
    "azure": "##vso[task.setvariable variable=x]y.py",
    "newline": "a\n::error::b.py",
    "carriage": "a\r::error::b.py",
    "escape": "a\x1b[2J\x1b]0;title\x07b.py",
    "bidi": "a\u202egpj.py",
    "separator": "a\u2028b.py",
    "c1": "a\x9b31mb.py",
    "delete": "a\x7fb.py",
    "surrogate": os.fsdecode(b"a\xffb.py"),
    "markup": "[red]a[bold].py",
    "percent": "a%0A::error::b.py",
}


def is_harmless(text: str, output_format: str) -> None:
    """No line but those of the format itself is a command, and no character drives a terminal."""
    text.encode()
    for line in text.split("\n"):
        assert line.isprintable(), line
        assert "##[" not in line
        assert "##vso[" not in line
        if output_format != "github":
            assert not line.lstrip().startswith("::")
        else:
            assert line.startswith(("::error ", "::warning ", "::notice ")) or not line


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_come_out_harmless(name: str, output_format: str) -> None:
    place = Place(name, 1, 1, 1, 2)
    report = Report(
        (finding(path=name, message=name, related=(Related(Role.CALL, place, name),)),),
        (Problem(name, name),),
        sources={name: (name + "\n").encode(errors="surrogateescape") * 30},
    )
    text = render(report, output_format)
    is_harmless(text, output_format)
    if output_format in ("json", "sarif"):
        json.dumps(json.loads(text), ensure_ascii=False).encode()


@pytest.mark.parametrize("output_format", FORMATS)
def test_names_come_out_harmless_in_a_run(tmp_path: Path, output_format: str) -> None:
    for number, name in enumerate(NAMES.values()):
        (tmp_path / name).write_text(PJ004 if number % 2 else "def f(:\n")
    told = run("--no-cache", "--output-format", output_format, cwd=tmp_path)
    is_harmless(told.stdout, output_format)
    is_harmless(told.stderr, "text")
    assert told.returncode == 2


def test_settings_below_a_name_that_does_harm(tmp_path: Path) -> None:
    folder = tmp_path / "a\n::error::b\x1b[2J"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[tool.plum-jit-lint]\nselekt = ["\\n::error::"]\n')
    told = run(".", cwd=folder)
    assert told.returncode == 2
    is_harmless(told.stderr, "text")


# -- manners ---------------------------------------------------------------------------------


def test_what_the_host_has_frozen_stays_so(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ALONE", 0)
    for number in range(5):
        (project / f"clean{number}.py").write_text(CLEAN)
    gc.freeze()
    try:
        before = gc.get_freeze_count()
        assert len(lint_paths([str(project)], Settings(), jobs=2).findings) == 1
        assert 0 < gc.get_freeze_count() <= before
    finally:
        gc.unfreeze()
    lint_paths([str(project)], Settings(), jobs=2)
    assert gc.get_freeze_count() == 0
