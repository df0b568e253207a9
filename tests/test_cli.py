from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from house import CLEAN, PJ001, PJ002, PJ004, PJ004_LINE, run

import plum_jit_lint
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.cli import main
from plum_jit_lint.findings import Problem
from plum_jit_lint.lint import lint_paths, lint_source


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file for each of three codes, as the current folder."""
    (tmp_path / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    (tmp_path / "one.py").write_text(PJ001)
    (tmp_path / "two.py").write_text(PJ002)
    (tmp_path / "four.py").write_text(PJ004)
    (tmp_path / "clean.py").write_text(CLEAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


Captured = pytest.CaptureFixture[str]


def codes(capsys: Captured, *arguments: str) -> list[str]:
    """The codes and lines that a run reports."""
    main(["--output-format", "json", *arguments])
    found = json.loads(capsys.readouterr().out)["findings"]
    return [f"{f['path']}:{f['line']} {f['code']}" for f in found]


EVERYTHING = [f"four.py:{PJ004_LINE} PJ004", "one.py:5 PJ001", "two.py:5 PJ002"]


def test_the_current_folder_is_checked_by_default(project: Path, capsys: Captured) -> None:
    assert codes(capsys) == EVERYTHING
    assert codes(capsys, ".") == EVERYTHING
    assert codes(capsys, "one.py", "clean.py") == EVERYTHING[1:2]


def test_text(project: Path, capsys: Captured) -> None:
    assert main([]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert f"four.py:{PJ004_LINE}:1: error[PJ004] registered-after-traced-by-caller: " in out
    assert out.endswith("\n\nFound 1 error, 1 warning and 1 note in 4 files.\n")
    assert "\x1b" not in out
    assert main(["clean.py"]) == 0
    assert capsys.readouterr().out == "All clean: 1 file checked.\n"


def test_quiet_and_statistics(project: Path, capsys: Captured) -> None:
    main(["-q", "clean.py"])
    assert capsys.readouterr().out == ""
    main(["-q", "--statistics", "--output-format", "concise", "one.py"])
    assert capsys.readouterr().out.splitlines()[1:] == ["1  PJ001  jit-inside-dispatch  note"]
    main(["--statistics", "--output-format", "json", "one.py"])
    out, err = capsys.readouterr()
    assert json.loads(out)["findings"]
    assert err == "1  PJ001  jit-inside-dispatch  note\n"


class TestExitCodes:
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["clean.py"], 0),
            (["one.py"], 0),
            (["one.py", "--fail-on", "note"], 1),
            (["two.py"], 1),
            (["two.py", "--fail-on", "error"], 0),
            (["four.py", "--fail-on", "error"], 1),
            (["four.py", "--exit-zero"], 0),
            (["four.py", "none.py"], 2),
            (["none.py", "--exit-zero"], 2),
            (["--config", "none.toml"], 2),
        ],
    )
    def test_exit_codes(
        self, project: Path, capsys: Captured, arguments: list[str], code: int
    ) -> None:
        assert main(arguments) == code

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--nonsense"],
            ["--sel", "PJ001"],
            ["--fail-on", "never"],
            ["--output-format", "xml"],
        ],
    )
    def test_bad_usage(self, project: Path, capsys: Captured, arguments: list[str]) -> None:
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("plum-jit-lint: error: ")
        assert arguments[0] in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (
                ["--select", "PJ0004"],
                "--select: unknown code 'PJ0004' (did you mean 'PJ004'?)",
            ),
            (
                ["--per-file-ignores", "PJ001"],
                "--per-file-ignores: expected 'PATTERN:CODES', not 'PJ001'",
            ),
            (["-", "one.py"], "'-' (standard input) cannot be combined with other paths"),
            (["--stdin-filename", "a.py"], "--stdin-filename needs '-' as the only path"),
            (
                ["--output-file", os.path.join("none", "x")],
                f"--output-file: {os.path.join('none', 'x')}: No such file or directory",
            ),
        ],
    )
    def test_sentences(
        self, project: Path, capsys: Captured, arguments: list[str], sentence: str
    ) -> None:
        assert main(arguments) == 2
        assert capsys.readouterr().err == f"plum-jit-lint: error: {sentence}\n"

    def test_bad_settings(self, project: Path, capsys: Captured) -> None:
        (project / "pyproject.toml").write_text('[tool.plum-jit-lint]\nselct = ["PJ"]\n')
        assert main([]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err == (
            f"plum-jit-lint: error: {project / 'pyproject.toml'}: [tool.plum-jit-lint]:"
            " unknown key 'selct' (did you mean 'select'?)\n"
        )
        assert main(["--isolated", "clean.py"]) == 0


class TestSelection:
    @pytest.mark.parametrize(
        ("arguments", "kept"),
        [
            (["--select", "PJ004"], [0]),
            (["--select", "PJ001,PJ002"], [1, 2]),
            (["--select", "PJ001", "--select", "PJ002"], [1, 2]),
            (["--ignore", "PJ001"], [0, 2]),
            (["--ignore", "PJ", "--select", "PJ001"], [1]),
            (["--select", "PJ004", "--extend-select", "PJ001"], [0, 1]),
            (["--min-severity", "warning"], [0, 2]),
            (["--min-severity", "error"], [0]),
            (["--per-file-ignores", "four.py:PJ004", "--per-file-ignores", "o*.py:PJ"], [2]),
            (["--exclude", "four.py, two.py"], [1]),
            (["--extend-exclude", "[ft]*.py"], [1]),
        ],
    )
    def test_options(
        self, project: Path, capsys: Captured, arguments: list[str], kept: list[int]
    ) -> None:
        assert codes(capsys, *arguments) == [EVERYTHING[index] for index in kept]

    def test_settings(self, project: Path, capsys: Captured) -> None:
        (project / "pyproject.toml").write_text(
            "[tool.plum-jit-lint]\nignore = ['PJ001']\nexclude = ['four.py']\n"
            "[tool.plum-jit-lint.per-file-ignores]\n'two.py' = ['PJ002']\n"
        )
        assert codes(capsys) == []
        assert codes(capsys, "--select", "PJ") == EVERYTHING[1:2]
        assert codes(capsys, "--isolated") == EVERYTHING
        assert codes(capsys, "--isolated", "--config", "pyproject.toml") == []

    def test_noqa(self, project: Path, capsys: Captured) -> None:
        (project / "one.py").write_text(PJ001.replace("@dispatch", "@dispatch  # noqa: PJ001"))
        (project / "two.py").write_text(PJ002.replace("@jax.jit", "@jax.jit  # noqa: PJ001"))
        assert codes(capsys) == [EVERYTHING[0], EVERYTHING[2]]
        assert codes(capsys, "--disable-noqa") == EVERYTHING


class TestStandardInput:
    def test_with_and_without_a_name(self, project: Path) -> None:
        done = run("-", "--output-format", "concise", cwd=project, stdin=PJ001.encode())
        assert done.returncode == 0
        assert done.stdout.startswith("stdin:5:1: PJ001 note: ")
        name = os.path.join("pkg", "new.py")
        arguments = ["-", "--stdin-filename", name, "--output-format", "json"]
        done = run(*arguments, cwd=project, stdin=PJ004.encode())
        assert done.returncode == 1
        (found,) = json.loads(done.stdout)["findings"]
        assert (found["path"], found["line"]) == (name, PJ004_LINE)
        assert {related["path"] for related in found["related"]} == {name}

    def test_the_text_is_shown_though_it_is_in_no_file(self, project: Path) -> None:
        done = run("-", cwd=project, stdin=PJ001.encode())
        assert "5 │ @dispatch" in done.stdout

    def test_the_settings_of_its_place_count(self, project: Path) -> None:
        (project / "pyproject.toml").write_text(
            "[tool.plum-jit-lint]\nexclude = ['pkg']\nper-file-ignores = {'x.py' = ['PJ001']}\n"
        )
        arguments = ["-", "--output-format", "concise", "--stdin-filename"]
        source = PJ001.encode()
        assert run(*arguments, "x.py", cwd=project, stdin=source).stdout == ""
        assert run(*arguments, "y.py", cwd=project, stdin=source).stdout != ""
        assert run(*arguments, "pkg/y.py", cwd=project, stdin=source).stdout != ""
        forced = run(*arguments, "pkg/y.py", "--force-exclude", cwd=project, stdin=source)
        assert (forced.stdout, forced.returncode) == ("", 0)

    def test_bad_input(self, project: Path) -> None:
        done = run("-", cwd=project, stdin=b"x = (\n")
        assert done.returncode == 2
        assert done.stderr.startswith("stdin:1:5: cannot be read: ")
        assert done.stderr.count("\n") == 1


class TestOutput:
    def test_output_file(self, project: Path, capsys: Captured) -> None:
        assert main(["--output-format", "sarif", "--output-file", "out.sarif"]) == 1
        assert capsys.readouterr().out == ""
        assert json.loads((project / "out.sarif").read_text())["version"] == "2.1.0"

    def test_json_holds_the_problems(self, project: Path, capsys: Captured) -> None:
        assert main(["--output-format", "json", "one.py", "none.py"]) == 2
        out, err = capsys.readouterr()
        assert err == ""
        data = json.loads(out)
        assert [f["code"] for f in data["findings"]] == ["PJ001"]
        assert data["errors"] == [
            {"path": "none.py", "line": None, "column": None, "message": "no such file or folder"}
        ]

    @pytest.mark.parametrize("output_format", ["text", "concise", "github"])
    def test_problems_go_to_standard_error(
        self, project: Path, capsys: Captured, output_format: str
    ) -> None:
        assert main(["--output-format", output_format, "none.py"]) == 2
        out, err = capsys.readouterr()
        assert err == "none.py: cannot be read: no such file or folder\n"
        assert ("::error" in out) == (output_format == "github")

    def test_color(self, project: Path) -> None:
        assert "\x1b[" not in run("one.py", cwd=project).stdout
        assert "\x1b[" in run("one.py", "--color", "always", cwd=project).stdout
        assert "\x1b[" in run("one.py", cwd=project, env={"FORCE_COLOR": "1"}).stdout

    def test_an_ascii_terminal(self, project: Path) -> None:
        done = run("one.py", cwd=project, env={"PYTHONIOENCODING": "ascii"})
        assert done.stdout.isascii()
        assert "5 | @dispatch" in done.stdout

    @pytest.mark.skipif(sys.platform == "win32", reason="names are no bytes there")
    def test_names_that_are_no_text(self, project: Path) -> None:
        Path(os.fsdecode(b"b\xff\n.py")).write_text(PJ001)
        for output_format in ("text", "concise", "json", "github", "sarif"):
            done = run("--output-format", output_format, cwd=project)
            assert done.returncode == 1, done.stderr
            assert "Traceback" not in done.stderr


class TestExplain:
    def test_by_code_and_by_name(self, capsys: Captured) -> None:
        assert main(["--explain", "pj003"]) == 0
        text = capsys.readouterr().out
        assert "PJ003" in text
        assert main(["--explain", "registered-after-jitted-use"]) == 0
        assert capsys.readouterr().out == text

    def test_on_a_terminal(self, capsys: Captured) -> None:
        assert main(["--explain", "PJ003", "--color", "always"]) == 0
        assert "\x1b[" in capsys.readouterr().out

    def test_unknown(self, capsys: Captured) -> None:
        assert main(["--explain", "PJ009"]) == 2
        assert "unknown code 'PJ009'" in capsys.readouterr().err


def test_version_and_help(capsys: Captured) -> None:
    for option, text in (
        ("--version", f"plum-jit-lint {plum_jit_lint.__version__}\n"),
        ("--help", "exit codes:"),
    ):
        with pytest.raises(SystemExit) as exit:
            main([option])
        assert exit.value.code == 0
        assert text in capsys.readouterr().out


class TestWhatGoesWrong:
    @pytest.fixture
    def broken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from plum_jit_lint.static import observer
        from plum_jit_lint.static.program import Program

        observe = observer.observe

        def fails(path: str, source: bytes, program: Program) -> object:
            if path == "two.py":
                raise RecursionError("maximum\nrecursion depth")
            return observe(path, source, program)

        monkeypatch.setattr(observer, "observe", fails)

    def test_an_error_of_our_own_is_one_line(
        self, project: Path, capsys: Captured, broken: None
    ) -> None:
        assert main(["--output-format", "concise"]) == 2
        out, err = capsys.readouterr()
        assert [line.split(":")[0] for line in out.splitlines()] == ["four.py", "one.py"]
        assert err == "two.py: internal error: RecursionError: maximum\n"

    def test_debugging_shows_where(
        self, project: Path, broken: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PLUM_JIT_LINT_DEBUG", "1")
        with pytest.raises(RecursionError):
            main([])

    def test_an_error_outside_of_any_file(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(*_: object, **__: object) -> None:
            raise KeyError("x")

        monkeypatch.setattr("plum_jit_lint.commands.check.lint_paths", fails)
        assert main([]) == 2
        assert capsys.readouterr().err == "plum-jit-lint: internal error: KeyError: 'x'\n"

    def test_interrupted(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("plum_jit_lint.commands.check.lint_paths", fails)
        assert main([]) == 128 + signal.SIGINT
        assert capsys.readouterr().err == "interrupted\n"

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
    def test_nobody_reads_on(self, project: Path) -> None:
        for number in range(200):
            (project / f"many{number}.py").write_text(PJ001)
        command = f'"{sys.executable}" -m plum_jit_lint | head -n 1'
        done = subprocess.run(
            ["sh", "-c", command], cwd=project, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""
        assert done.stdout.count("\n") == 1


class TestLibrary:
    def test_paths(self, project: Path) -> None:
        report = lint_paths([project])
        assert [f"{f.place.path}:{f.place.line} {f.code}" for f in report.findings] == EVERYTHING
        assert report.files == 4
        assert lint_paths(["none.py"]).problems == (Problem("none.py", "no such file or folder"),)

    def test_source(self, project: Path) -> None:
        assert [f.code for f in lint_source(PJ001).findings] == ["PJ001"]
        assert [f.place.path for f in lint_source(PJ001.encode(), "x.py").findings] == ["x.py"]
        latin = "# -*- coding: latin-1 -*-\nx = 'é'\n" + PJ001
        assert [f.place.line for f in lint_source(latin).findings] == [7]

    def test_progress(self, project: Path) -> None:
        seen: list[tuple[int, int]] = []
        lint_paths(["."], progress=lambda done, total: seen.append((done, total)))
        assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]

    def test_importing_costs_nothing(self) -> None:
        script = "import sys, plum_jit_lint; print(*sorted(sys.modules))"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        loaded = done.stdout.split()
        ours = [name for name in loaded if name.startswith("plum_jit_lint")]
        assert ours == ["plum_jit_lint", "plum_jit_lint.version"]
        assert not {"libcst", "rich", "pathspec", "jax", "plum", "tomllib"} & set(loaded)

    def test_public_names(self) -> None:
        for name in plum_jit_lint.__all__:
            assert getattr(plum_jit_lint, name) is not None
            assert name in dir(plum_jit_lint)
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            plum_jit_lint.nothing  # noqa: B018

    def test_one_program_for_a_project(self, project: Path) -> None:
        from plum_jit_lint.project.config import Settings

        programs = Programs(Settings())
        assert programs.of("one.py") is programs.of("two.py")
        assert programs.of(None) is not programs.of("one.py")
        assert programs.roots(None) == ()
        assert programs.roots("one.py") == (project,)
