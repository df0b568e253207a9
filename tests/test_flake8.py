"""flake8 with the plugin, as users run it: in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from house import CLEAN, PJ001, PJ002, PJ004, PJ004_LINE, run

from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.integrations import flake8_plugin
from plum_jit_lint.integrations.flake8_plugin import PlumJitChecker
from plum_jit_lint.project.config import Settings, SettingsTree


def flake8(
    folder: Path, *arguments: str, stdin: str | None = None, isolated: bool = True
) -> list[str]:
    """The lines that flake8 prints, each shortened to place and code."""
    alone = ["--isolated"] if isolated else []
    done = run(*alone, *arguments, cwd=folder, module="flake8", stdin=(stdin or "").encode())
    assert done.stderr == ""
    return [line.removeprefix("./").rpartition(": PJ")[0] + " PJ" + line.rpartition(": PJ")[2][:3]
            for line in done.stdout.splitlines()]  # fmt: skip


def command_line(folder: Path, *arguments: str) -> list[str]:
    done = run("--output-format", "json", *arguments, cwd=folder)
    return [
        f"{f['path']}:{f['line']}:{f['column']} {f['code']}"
        for f in json.loads(done.stdout)["findings"]
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    (tmp_path / "one.py").write_text(PJ001)
    (tmp_path / "two.py").write_text(PJ002)
    (tmp_path / "four.py").write_text(PJ004)
    (tmp_path / "clean.py").write_text(CLEAN)
    return tmp_path


EVERYTHING = [f"four.py:{PJ004_LINE}:1 PJ004", "one.py:5:1 PJ001", "two.py:5:1 PJ002"]


def test_the_findings_of_the_command_line(project: Path) -> None:
    assert flake8(project, "--select", "PJ") == command_line(project) == EVERYTHING


def test_whole_lines(project: Path) -> None:
    """A line of flake8 and of the concise format are the same."""
    concise = run("--output-format", "concise", cwd=project).stdout
    done = run("--isolated", "--select", "PJ", "--format", "pylint", "one.py", cwd=project,
               module="flake8")  # fmt: skip
    assert done.stdout.startswith("one.py:5: [PJ001] note: ")
    done = run("--isolated", "--select", "PJ", cwd=project, module="flake8")
    assert done.stdout.replace("./", "") == concise


def test_a_plain_run_leaves_the_accepted_idiom_out(project: Path) -> None:
    plain = [line for line in flake8(project) if " PJ" in line and "PJ00" in line]
    assert plain == [EVERYTHING[0], EVERYTHING[2]]
    extended = flake8(project, "--extend-select", "PJ001", "--extend-ignore", "E,W,F")
    assert extended == EVERYTHING
    assert flake8(project, "--select", "PJ001") == EVERYTHING[1:2]


def test_the_same_comments_silence_the_same_lines(project: Path) -> None:
    (project / "one.py").write_text(PJ001.replace("@dispatch", "@dispatch  # noqa: PJ001"))
    (project / "two.py").write_text(PJ002.replace("@jax.jit", "@jax.jit  # noqa: F811"))
    (project / "four.py").write_text("# flake8: noqa\n" + PJ004)
    assert flake8(project, "--select", "PJ") == command_line(project) == EVERYTHING[2:]
    everything = command_line(project, "--disable-noqa")
    assert flake8(project, "--select", "PJ", "--disable-noqa") == everything
    assert len(everything) == 3


def test_its_own_settings_and_per_file_ignores(project: Path) -> None:
    (project / ".flake8").write_text(
        "[flake8]\nselect = PJ\nexclude = two.py\nper-file-ignores =\n    one.py:PJ001\n"
        "pj-min-severity = warning\n"
    )
    assert flake8(project, isolated=False) == EVERYTHING[:1]


@pytest.mark.parametrize(
    ("severity", "kept"), [("note", [0, 1, 2]), ("warning", [0, 2]), ("error", [0])]
)
def test_min_severity(project: Path, severity: str, kept: list[int]) -> None:
    found = flake8(project, "--select", "PJ", "--pj-min-severity", severity)
    assert found == [EVERYTHING[index] for index in kept]


def test_settings_from_pyproject(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        "[tool.plum-jit-lint]\nmin-severity = 'error'\nignore = ['PJ004']\n"
    )
    # Which codes count is flake8's own matter.
    assert flake8(project, "--select", "PJ") == EVERYTHING[:1]
    assert flake8(project, "--select", "PJ", "--pj-min-severity", "note") == EVERYTHING


EXTENDED = """\
from lib.tools import compiled, registry


@registry
@compiled
def area(x):
    return x
"""


def test_extended_names(project: Path) -> None:
    for file in project.glob("*.py"):
        file.unlink()
    (project / "own.py").write_text(EXTENDED)
    assert flake8(project, "--select", "PJ") == []
    options = ["--pj-extend-jit", "lib.tools.compiled",
               "--pj-extend-dispatchers", "lib.tools.registry"]  # fmt: skip
    found = flake8(project, "--select", "PJ", *options)
    assert found == ["own.py:4:1 PJ001"]
    (project / "pyproject.toml").write_text(
        "[tool.plum-jit-lint]\nextend-jit = ['lib.tools.compiled']\n"
        "extend-dispatchers = ['lib.tools.registry']\n"
    )
    assert flake8(project, "--select", "PJ") == command_line(project) == found


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--pj-min-severity", "high"], "--pj-min-severity: unknown severity 'high'"),
        (["--pj-src", "nowhere"], "--pj-src: 'nowhere' is not a folder"),
        (["--pj-extend-jit", "compile"], "--pj-extend-jit: 'compile' is no qualified name"),
    ],
)
def test_bad_settings(project: Path, arguments: list[str], sentence: str) -> None:
    done = run("--isolated", *arguments, cwd=project, module="flake8")
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_standard_input(project: Path) -> None:
    assert flake8(project, "--select", "PJ", "-", stdin=PJ004) == [f"stdin:{PJ004_LINE}:1 PJ004"]
    named = ["--select", "PJ", "--stdin-display-name", "x.py", "-"]
    assert flake8(project, *named, stdin=PJ001) == ["x.py:5:1 PJ001"]


def test_encodings_and_line_ends(project: Path) -> None:
    for file in project.glob("*.py"):
        file.unlink()
    wide = "π = '日本é'\n" + PJ002.replace("@jax.jit", "@jax.jit  # é")
    (project / "bom.py").write_bytes(b"\xef\xbb\xbf" + wide.encode())
    cookie = "# -*- coding: latin-1 -*-\nx = 'é'\n" + PJ002
    (project / "cookie.py").write_bytes(cookie.encode("latin-1"))
    (project / "crlf.py").write_bytes(PJ002.replace("\n", "\r\n").encode())
    assert flake8(project, "--select", "PJ") == command_line(project)
    assert len(command_line(project)) == 3


def test_what_flake8_cannot_read_is_its_own_matter(project: Path) -> None:
    (project / "one.py").write_text("def f(:\n")
    done = run("--isolated", "--select", "PJ,E9", "one.py", "two.py", cwd=project, module="flake8")
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["E999", "PJ002"]
    assert done.stderr == ""


def test_several_processes(project: Path) -> None:
    for number in range(6):
        (project / f"more{number}.py").write_text(PJ001)
    assert flake8(project, "--select", "PJ", "-j", "2") == command_line(project)


def test_the_help_tells_the_options(project: Path) -> None:
    text = run("--help", cwd=project, module="flake8").stdout
    for option in ("min-severity", "src", "extend-jit", "extend-dispatchers"):
        assert f"--pj-{option}" in text


class TestFilesThatCannotMatter:
    @pytest.fixture
    def programs(self, tmp_path: Path) -> Programs:
        (tmp_path / "pkg").mkdir()
        (tmp_path / "mod.py").touch()
        settings = Settings(source_roots=(tmp_path,), extend_dispatchers=("lib.core.registry",))
        flake8_plugin._exists.cache_clear()
        return Programs(settings)

    @pytest.mark.parametrize(
        ("text", "matters"),
        [
            ("import os\nprint(1)\n", False),
            ("import jax\n@jax.jit\ndef f(x): return x\n", False),
            ("from numpy import linalg\n", False),
            ("", False),
            ("from plum import dispatch\n", True),
            ("import plum\n", True),
            ("from lab import dispatch\n", True),
            ("from lib.core import registry\n", True),
            ("import pkg\n", True),
            ("import os, pkg.sub as p\n", True),
            ("import os; import mod\n", True),
            ("try:\n    from mod import f\nexcept ImportError: pass\n", True),
            ("from . import f\n", True),
            ("from .sub import f\n", True),
            ("from .. import f\n", True),
            ("importlib.import_module(name)\n", True),
            ("runpy.run_path(path)\n", True),
            ("runpy.run_module(name)\n", True),
        ],
    )
    def test_which(self, programs: Programs, text: str, matters: bool) -> None:
        assert flake8_plugin._can_matter(text.encode(), "x.py", programs) is matters

    def test_nothing_is_loaded_for_them(self, project: Path) -> None:
        script = (
            "import ast, sys\n"
            "from plum_jit_lint.integrations.flake8_plugin import PlumJitChecker\n"
            "text = open('clean.py').read()\n"
            "checker = PlumJitChecker(ast.parse(text), 'clean.py', text.splitlines(True))\n"
            "print(list(checker.run()))\n"
            "print('libcst' in sys.modules, 'rich' in sys.modules)\n"
        )
        import subprocess
        import sys

        done = subprocess.run(
            [sys.executable, "-c", script], cwd=project, capture_output=True, text=True, check=True
        )
        assert done.stdout.split("\n")[:2] == ["[]", "False False"]


class TestWhatGoesWrong:
    def test_is_told_and_ends_nothing(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from plum_jit_lint.static import observer

        def fails(*_: object) -> None:
            raise KeyError("x")

        monkeypatch.setattr(observer, "observe", fails)
        monkeypatch.setattr(PlumJitChecker, "settings", SettingsTree(same_for_all=Settings()))
        checker = PlumJitChecker(None, "a.py", PJ001.splitlines(keepends=True))
        assert list(checker.run()) == []
        assert capsys.readouterr().err == "a.py: plum-jit-lint: internal error: KeyError: 'x'\n"
