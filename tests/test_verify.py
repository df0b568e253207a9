"""`plum-jit-lint verify`: what the check says, what the run shows, and how the two are joined."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from house import run

pytest.importorskip("jax")
pytest.importorskip("plum")

HEAD = """\
import os
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
"""

LATE = """\

@dispatch
def area(a: jax.Array):
    return a * 3


print("total", total(jnp.ones(2))[0])
"""

UNTAKEN = """\
if os.environ.get("NOBODY_SETS_THIS"):

    @dispatch
    def area(a: jax.Array):
        return a * 5
"""

HIDDEN = """\
exec(compile('''
@dispatch
def area(a: jax.Array):
    return a * 7
''', __file__, "exec"))
"""

UNMATCHED = """\
def pick(kind):
    @dispatch
    def area(a: kind):
        return a * 11


pick(eval("str"))
"""


def verified(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run("verify", *arguments, cwd=cwd, env={"JAX_PLATFORMS": "cpu"})


def answers(*arguments: str, cwd: Path) -> tuple[int, list[dict[str, Any]]]:
    done = verified("--output-format", "json", *arguments, cwd=cwd)
    programs = json.loads(done.stdout)["programs"]
    return done.returncode, programs


def told(program: dict[str, Any]) -> list[tuple[str, int, str, bool]]:
    return [(f["answer"], f["line"], f["code"], f["reached"]) for f in program["findings"]]


def test_what_the_run_confirms(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(HEAD + LATE)
    done = verified("app.py", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("confirmed     app.py:19:1: error[PJ004] ")
    assert done.stdout.endswith(
        "\nVerified 1 program: 1 confirmed, 0 static only, 0 runtime only.\n"
    )
    assert done.stderr == "total 24.0\n"
    quiet = verified("-q", "app.py", cwd=tmp_path)
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")


def test_what_only_one_of_them_has(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(HEAD + UNTAKEN + HIDDEN + UNMATCHED)
    code, (program,) = answers("app.py", cwd=tmp_path)
    assert code == 1
    assert told(program) == [
        ("runtime only", 2, "PJ004", True),
        ("static only", 20, "PJ004", False),
        ("static only", 29, "PJ004", True),
    ]
    text = verified("app.py", cwd=tmp_path).stdout
    assert "\n              The run did not come to the registration.\n" in text
    assert "\n              The run came to the registration, and does not show this.\n" in text


def test_a_clean_program(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import sys\nprint(sys.argv)\n")
    done = verified("app.py", "--flag", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == "Verified 1 program: 0 confirmed, 0 static only, 0 runtime only.\n"
    assert done.stderr == "['app.py', '--flag']\n"


def test_a_folder_of_scripts_and_a_module(tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "a.py").write_text(HEAD + LATE)
    (scripts / "b.py").write_text(HEAD)
    code, programs = answers("scripts", cwd=tmp_path)
    assert code == 0
    assert [(p["program"], len(p["findings"])) for p in programs] == [
        ("scripts/a.py", 1),
        ("scripts/b.py", 0),
    ]
    code, (program,) = answers("-m", "scripts.a", cwd=tmp_path)
    assert (code, told(program)) == (0, [("confirmed", 19, "PJ004", True)])


def test_tests(tmp_path: Path) -> None:
    late = LATE.replace('print("total", total(jnp.ones(2))[0])', "")
    body = "\n".join(f"    {line}" if line else "" for line in late.splitlines())
    (tmp_path / "test_app.py").write_text(
        f"{HEAD}\n\ndef test_late():\n{body}\n    total(jnp.ones(2))\n"
    )
    options = ("--pytest", "-q", "-p", "no:cacheprovider", "test_app.py")
    code, (program,) = answers(*options, cwd=tmp_path)
    assert program["problem"] is None
    assert (code, told(program)) == (0, [("confirmed", 22, "PJ004", True)])


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("raise SystemExit(3)", "ended with exit code 3; what it did until then counts"),
        ("while True: pass", "did not end within 8 s (see --timeout)"),
        (
            "import os; os._exit(0)",
            "the process ended with exit code 0 before the watch could answer",
        ),
    ],
)
def test_a_program_that_does_not_run_to_its_end(tmp_path: Path, program: str, problem: str) -> None:
    (tmp_path / "app.py").write_text(HEAD + LATE + program + "\n")
    done = verified("-q", "--timeout", "8", "app.py", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"plum-jit-lint: error: verify: app.py: {problem}\n"
    assert ("confirmed" in done.stdout.partition(" ")[0]) is ("exit code 3" in problem)
    # What a run did that was ended from outside, nobody knows.
    assert "did not come to" not in done.stdout
    assert ("before anybody could know" in done.stdout) is ("exit code 3" not in problem)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "verify: expected a script, a folder of scripts, or '-m'"),
        (("-m",), "verify: expected a module after '-m'"),
        (("absent.py",), "verify: absent.py: no such file or directory"),
        (("-m", "absent"), "verify: -m absent: no module named absent"),
    ],
)
def test_what_cannot_be_run(tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    done = verified(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"plum-jit-lint: error: {sentence}\n"


STACKED = """\
import jax
from plum import dispatch


@jax.jit
@dispatch
def area(a: jax.Array):
    return a * 2


@dispatch
@jax.jit
def size(a: jax.Array):
    return a * 3
"""


def test_stacks_in_modules_that_are_imported(tmp_path: Path) -> None:
    package = tmp_path / "shapes"
    package.mkdir()
    (package / "__init__.py").write_text("from shapes import areas, left_out\n")
    (package / "areas.py").write_text(STACKED)
    (package / "left_out.py").write_text(re.sub(r"(@.+)\n(@.+)", r"\1  # noqa\n\2", STACKED))
    (tmp_path / "app.py").write_text("import shapes\n")
    code, (program,) = answers("app.py", cwd=tmp_path)
    assert (code, told(program)) == (
        0,
        [("confirmed", 5, "PJ002", True), ("confirmed", 11, "PJ001", True)],
    )
    assert {one["path"] for one in program["findings"]} == {"shapes/areas.py"}


def test_stacks_in_what_is_excluded_are_not_the_checks(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.plum-jit-lint]\nexclude = ["areas.py"]\n')
    (tmp_path / "areas.py").write_text(STACKED)
    (tmp_path / "app.py").write_text("import areas\n")
    code, (program,) = answers("app.py", cwd=tmp_path)
    assert (code, [one["answer"] for one in program["findings"]]) == (1, ["runtime only"] * 2)


TWO_PLACES = """\
import late


def later():
    late.register()


eval("late.register()")
total(jnp.ones(2))
"""

LATE_IN_A_FUNCTION = """\
import jax
from plum import dispatch


def register():
    @dispatch
    def area(a: jax.Array):
        return a * 3
"""


def test_one_registration_that_is_reported_at_two_places(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(HEAD + TWO_PLACES)
    (tmp_path / "late.py").write_text(LATE_IN_A_FUNCTION)
    done = verified("-q", "app.py", cwd=tmp_path)
    assert "confirmed     " in done.stdout
    assert "\n              The run reports it at app.py:25:1.\n" in done.stdout
    _, (program,) = answers("app.py", cwd=tmp_path)
    (finding,) = program["findings"]
    assert (finding["path"], finding["line"]) == ("app.py", 22)
    assert (finding["run_path"], finding["run_line"]) == ("app.py", 25)
