"""`plum-jit-lint run`: the program sees what `python` would show it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

STALE = """\
import sys
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def area(a: jax.Array):
    return a * 2


@jax.jit
def total(a):
    return 12 * area(a)


total(jnp.ones(2))


@dispatch
def area(a: jax.Array):
    return a * 3


print("total", total(jnp.ones(2))[0])
"""

TELLS = """\
import json, sys
print(json.dumps([sys.argv, __name__, sys.path[0], __file__, __spec__ and __spec__.name]))
"""


def run(*arguments: str, cwd: Path, python: bool = False) -> subprocess.CompletedProcess[str]:
    command = [sys.executable]
    if not python:
        command += ["-m", "plum_jit_lint", "run"]
    return subprocess.run(
        [*command, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    (tmp_path / "stale.py").write_text(STALE)
    return tmp_path


def test_findings_and_the_summary(stale: Path) -> None:
    ended = run("stale.py", cwd=stale)
    assert ended.returncode == 1
    assert ended.stdout.startswith("total 24.0\n")
    assert "stale.py:20:1: error[PJ004]" in ended.stdout
    assert ended.stderr == (
        "Watched: 1 traced dispatch, 1 compiled function that holds a choice, 2 registrations, "
        "1 stale, 0 retraced.\n"
    )


def test_retrace_makes_it_right(stale: Path) -> None:
    ended = run("--on-stale", "retrace", "stale.py", cwd=stale)
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (0, "total 36.0")
    assert "1 stale, 1 retraced" in ended.stderr


def test_warn_and_raise(stale: Path) -> None:
    warned = run("--on-stale=warn", "-q", "stale.py", cwd=stale)
    assert "StaleJitWarning: PJ004" in warned.stderr
    raised = run("--on-stale", "raise", "-q", "stale.py", cwd=stale)
    assert raised.returncode == 1
    assert "StaleJitError: PJ004" in raised.stderr
    assert 'stale.py", line 20, in <module>' in raised.stderr
    assert "plum_jit_lint/runtime" not in raised.stderr


@pytest.mark.parametrize("output_format", ["concise", "json", "sarif", "github"])
def test_every_format(stale: Path, output_format: str) -> None:
    options = ("--output-format", output_format, "--output-file", "report", "-q")
    ended = run(*options, "stale.py", cwd=stale)
    assert (ended.returncode, ended.stdout) == (1, "total 24.0\n")
    report = (stale / "report").read_text()
    assert "PJ004" in report
    if output_format in ("json", "sarif"):
        json.loads(report)


def test_selection_and_noqa(stale: Path) -> None:
    assert run("--ignore", "PJ004", "stale.py", cwd=stale).returncode == 0
    assert run("--exit-zero", "stale.py", cwd=stale).returncode == 0
    program = STALE.replace(
        "@dispatch\ndef area(a: jax.Array):\n    return a * 3",
        "@dispatch  # noqa: PJ004\ndef area(a: jax.Array):\n    return a * 3",
    )
    (stale / "quiet.py").write_text(program)
    assert run("quiet.py", cwd=stale).returncode == 0
    assert run("--disable-noqa", "quiet.py", cwd=stale).returncode == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("tells.py", "-x", "--output-format", "y"),
        ("sub/tells.py",),
        ("-m", "tells", "--flag"),
        ("-m", "package", "a"),
        ("-m", "package.tells"),
    ],
)
def test_the_program_sees_what_python_shows_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    for folder in ("sub", "package"):
        (tmp_path / folder).mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    for name in ("tells", "sub/tells", "package/tells", "package/__main__"):
        (tmp_path / f"{name}.py").write_text(TELLS)
    watched = run("--quiet", "--output-format", "concise", *arguments, cwd=tmp_path)
    plain = run(*arguments, cwd=tmp_path, python=True)
    assert watched.stderr == plain.stderr == ""
    expected = json.loads(plain.stdout)
    # Python has `__file__` as an absolute path since 3.9, and `sys.argv[0]` as it was given.
    assert [*json.loads(watched.stdout)[:3], os.path.basename(expected[3])] == [
        *expected[:3],
        os.path.basename(json.loads(watched.stdout)[3]),
    ]


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("import sys; sys.exit(7)", 7),
        ("import sys; sys.exit('sorry')", 1),
        ("import sys; sys.exit()", 0),
        ("raise SystemExit", 0),
        ("1 / 0", 1),
        ("def f(:", 1),
        ("import nothing_of_that_name", 1),
        ("def f():\n    try:\n        1 / 0\n    except ZeroDivisionError as e:\n"
         "        raise ValueError('again') from e\nf()", 1),
    ],
)  # fmt: skip
def test_exit_codes_and_tracebacks_are_those_of_python(
    tmp_path: Path, program: str, code: int
) -> None:
    (tmp_path / "program.py").write_text(program + "\n")
    watched, plain = (
        run(*options, "program.py", cwd=tmp_path, python=python)
        for options, python in ((("-q",), False), ((), True))
    )
    assert watched.returncode == plain.returncode == code
    # Python names the file of a script as it was given, or in full.
    assert watched.stderr.replace(f"{tmp_path}/", "") == plain.stderr.replace(f"{tmp_path}/", "")


def test_the_programs_own_failure_comes_before_findings(stale: Path) -> None:
    with (stale / "stale.py").open("a") as file:
        file.write("sys.exit(5)\n")
    ended = run("stale.py", cwd=stale)
    assert ended.returncode == 5
    assert "PJ004" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("absent.py",), "run: absent.py: no such file or directory"),
        (("-m", "absent"), "run: no module named absent"),
        (("-m",), "run: expected a module after '-m'"),
        ((), "run: expected a script, or '-m' and a module"),
    ],
)
def test_what_cannot_be_run(tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    ended = run(*arguments, cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr == f"plum-jit-lint: error: {sentence}\n"


def test_a_folder_called_run_is_checked(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "clean.py").write_text("")
    ended = subprocess.run(
        [sys.executable, "-m", "plum_jit_lint", "./run"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "All clean: 1 file checked.\n")


def test_a_script_that_is_imported_too_registers_the_same_methods_again(tmp_path: Path) -> None:
    used = STALE.partition("\n\n@dispatch\ndef area(a: jax.Array):\n    return a * 3")[0]
    (tmp_path / "main.py").write_text(f"{used}\nif __name__ == '__main__':\n    import late\n")
    (tmp_path / "late.py").write_text("from main import area\n")
    done = run("main.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "2 registrations, 0 stale" in done.stderr


def test_threads_are_waited_for(tmp_path: Path) -> None:
    program = STALE.partition("@dispatch\ndef area(a: jax.Array):\n    return a * 3")[0] + (
        "import threading, time\n"
        "def late():\n    time.sleep(0.5)\n"
        "    @dispatch\n    def area(a: jax.Array):\n        return a * 3\n"
        "threading.Thread(target=late).start()\n"
    )
    (tmp_path / "threads.py").write_text(program)
    ended = run("--output-format", "concise", "threads.py", cwd=tmp_path)
    assert "PJ004" in ended.stdout
