"""Whatever lies in a folder: one clear line for what cannot be read, all else is checked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from house import PJ002, run

# Each stands in a file before a definition that is to be found, or told in one line why not.
UNREADABLE = {
    "syntax": (b"def f(:\n    pass\n", ":1:7: ", "invalid syntax"),
    "indent": (b"if x:\ny\n", ":2:", "indent"),
    "unclosed": (b"x = (\n", ":1:5: ", "was never closed"),
    "undecodable": (b"# one\n# two\nx = '\xe9\xff'\n", ":3:", "utf-8"),
    "undecodable_first_line": (b"x = '\xe9\xff'\n", ":", "encoding"),
    "null": (b"x = 1\ny = '\0'\n", ":2:", "null bytes"),
    "unknown_cookie": (b"# -*- coding: nonsense -*-\n", ": ", "nonsense"),
    "no_text_cookie": (b"# -*- coding: hex -*-\n", ": ", "hex"),
    "cookie_against_bom": (b"\xef\xbb\xbf# -*- coding: latin-1 -*-\n", ": ", "encoding"),
    "binary": (bytes(range(256)) * 8, ":", ""),
}

READABLE = {
    "crlf": b"x = 1\r\ny = 2\r\n",
    "cr": b"x = 1\ry = 2\r",
    "bom": b"\xef\xbb\xbfx = 1\n",
    "cookie": b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
    "form_feed": b"x = 1\n\x0c\ny = 2\n",
    "tabs": b"if 1:\n\tx = 1\n",
    "wide": "π = '日本'\n".encode(),
    "backslash": b"x = 1 + \\\n    2\n",
    "generic_pep695": b"type A[T] = list[T]\ndef f[T](x: T) -> T: return x\nclass C[T]: pass\n",
    "fstring_pep701": b"x = f'{ f'{1}' + \"\\n\".join(['a']) }'\n",
    "except_pep758": b"try:\n    pass\nexcept ValueError, TypeError:\n    pass\n",
    "template_pep750": b"y = 1\nx = t'{y}'\n",
    "escape": b"x = '\\d'\n",
}

DEEP = {
    "parentheses": "x = " + "(" * 3000 + "1" + ")" * 3000 + "\n",
    "brackets": "x = " + "[" * 3000 + "]" * 3000 + "\n",
    "sum_10000": "x = " + " + ".join(["1"] * 10_000) + "\n",
    "sum_500": "x = " + " + ".join(["1"] * 500) + "\n",
    "elif_500": "if x == 0: pass\n" + "".join(f"elif x == {n}: pass\n" for n in range(500)),
    "calls_500": "x = f" + "()" * 500 + "\n",
    "methods_500": "x = f" + ".g()" * 500 + "\n",
    "strings_500": "x = " + " ".join(["'a'"] * 500) + "\n",
    "or_10000": "x = y" + " or y" * 10_000 + "\n",
    "strings_5000": "x = " + " ".join(["'a'"] * 5000) + "\n",
    "fors_4000": "x = [y" + " for y in z" * 4000 + "]\n",
    "dotted_10000": "import a" + ".a" * 10_000 + "\n",
    "bases_300": "class A0: pass\n"
    + "".join(f"class A{n}(A{n - 1}): pass\n" for n in range(1, 300))
    + "A299().x\n",
    "dispatch_5000": "import plum\n" + "@plum.dispatch\n" * 5000 + "def f(x: int): pass\n",
    "long": "x = 1  # " + "a" * 600_000 + "\n",
    "unary_3000": "x = " + "-" * 3000 + "1\n",
    "lambda_500": "x = " + "lambda: " * 500 + "1\n",
    "indent_90": "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "pass\n",
}


def with_something_to_find(start: bytes) -> bytes:
    newline = b"\r\n" if b"\r\n" in start else b"\r" if b"\r" in start else b"\n"
    return start + PJ002.encode().replace(b"\n", newline)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """One run over all of them."""
    folder = tmp_path_factory.mktemp("zoo")
    for name, (source, _, _) in UNREADABLE.items():
        (folder / f"{name}.py").write_bytes(source)
    for name, start in READABLE.items():
        (folder / f"{name}.py").write_bytes(with_something_to_find(start))
    for name, text in DEEP.items():
        (folder / f"{name}.py").write_bytes(with_something_to_find(text.encode()))
    (folder / "empty.py").touch()
    (folder / "blank.py").write_bytes(b"\n \n")
    (folder / "zzz_last.py").write_text(PJ002)
    return run(".", "none.py", "--output-format", "concise", cwd=folder)


def lines_about(name: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"{name}.py:")]


def test_the_process_survives(zoo: subprocess.CompletedProcess[str]) -> None:
    assert zoo.returncode == 2
    assert "Traceback" not in zoo.stderr
    assert "internal error" not in zoo.stderr
    assert lines_about("zzz_last", zoo.stdout), "every other file is still checked"


@pytest.mark.parametrize("name", UNREADABLE)
def test_one_clear_line(zoo: subprocess.CompletedProcess[str], name: str) -> None:
    _, place, words = UNREADABLE[name]
    (line,) = lines_about(name, zoo.stderr)
    assert line.startswith(f"{name}.py{place}")
    assert "cannot be read: " in line
    assert words in line
    assert lines_about(name, zoo.stdout) == []


@pytest.mark.parametrize("name", READABLE)
def test_checked_all_the_same(zoo: subprocess.CompletedProcess[str], name: str) -> None:
    assert lines_about(name, zoo.stderr) == []
    (line,) = lines_about(name, zoo.stdout)
    lines_before = len(READABLE[name].splitlines())
    assert line.startswith(f"{name}.py:{lines_before + 5}:1: PJ002 ")


@pytest.mark.parametrize("name", DEEP)
def test_checked_or_one_clear_line(zoo: subprocess.CompletedProcess[str], name: str) -> None:
    complaints = lines_about(name, zoo.stderr)
    if complaints:
        (line,) = complaints
        assert "cannot be read: " in line
        assert lines_about(name, zoo.stdout) == []
    else:
        (line,) = lines_about(name, zoo.stdout)
        assert line.startswith(f"{name}.py:{DEEP[name].count(chr(10)) + 5}:1: PJ002 ")


@pytest.mark.parametrize(
    "name",
    ["sum_500", "elif_500", "calls_500", "strings_500", "strings_5000", "dispatch_5000", "long"],
)
def test_long_is_not_deep(zoo: subprocess.CompletedProcess[str], name: str) -> None:
    assert lines_about(name, zoo.stdout), "generated code looks like this and is to be checked"


@pytest.mark.parametrize("name", ["empty", "blank"])
def test_nothing_in_it(zoo: subprocess.CompletedProcess[str], name: str) -> None:
    assert lines_about(name, zoo.stdout + zoo.stderr) == []


def test_a_missing_path(zoo: subprocess.CompletedProcess[str]) -> None:
    assert lines_about("none", zoo.stderr) == ["none.py: cannot be read: no such file or folder"]


def test_nothing_else_is_complained_about(zoo: subprocess.CompletedProcess[str]) -> None:
    known = {*UNREADABLE, *DEEP, "none"}
    assert [line for line in zoo.stderr.splitlines() if line.split(".py:")[0] not in known] == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links and named pipes")
def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "up").symlink_to(".", target_is_directory=True)
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "two.py").write_text(PJ002)
    done = run("--output-format", "concise", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "gone.py: cannot be read: dangling symbolic link to 'nowhere.py'",
        "loop.py: cannot be read: symbolic link loop",
        "pipe.py: cannot be read: a named pipe, not a regular file",
    ]
    assert done.stdout.startswith("two.py:5:1: PJ002 ")


GUARD = dedent(
    """
    import os, sys

    sys.dont_write_bytecode = True
    NAMES = {"checked", "helper", "libcst_helper"}
    FORBIDDEN = ("subprocess.", "socket.", "os.system", "os.exec", "os.posix_spawn", "os.fork",
                 "os.remove", "os.rename", "os.mkdir", "os.chmod", "urllib.", "ftplib.",
                 "webbrowser.", "shutil.", "pty.")
    WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def guard(event, arguments):
        if event == "import" and arguments[0].partition(".")[0] in NAMES:
            raise RuntimeError(f"imports {arguments[0]}")
        if event == "exec" and "telltale" in arguments[0].co_names:
            raise RuntimeError(f"runs {arguments[0]}")
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
            raise RuntimeError(f"writes {arguments[0]}")
        if event.startswith(FORBIDDEN):
            raise RuntimeError(f"does {event}")

    sys.addaudithook(guard)
    from plum_jit_lint.cli import main

    sys.exit(main(sys.argv[1:]))
    """
)

CHECKED = dedent(
    """
    import helper
    from helper import area, shape
    telltale = open("written", "w")
    import importlib
    importlib.import_module("helper")
    exec("telltale = 1")
    """
)


@pytest.mark.parametrize("output_format", ["text", "json", "sarif"])
def test_what_is_read_is_never_run(tmp_path: Path, output_format: str) -> None:
    (tmp_path / "checked.py").write_text(CHECKED + PJ002)
    (tmp_path / "helper.py").write_text("telltale = open('written', 'w')\n" + PJ002)
    (tmp_path / "broken.py").write_text("telltale = (\n")
    # As `-c`, so that the folder is on the path and every import would succeed.
    done = subprocess.run(
        [sys.executable, "-c", GUARD, "--no-cache", "--output-format", output_format, "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "RuntimeError" not in done.stdout + done.stderr
    assert done.returncode == 2, done.stderr
    assert "PJ002" in done.stdout
    assert not (tmp_path / "written").exists()


def test_the_guard_guards(tmp_path: Path) -> None:
    for statement in ("import helper", "open('x', 'w')", "import os; os.system('true')"):
        guarded = GUARD.replace("from plum_jit_lint.cli import main", statement)
        done = subprocess.run(
            [sys.executable, "-c", guarded],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "RuntimeError" in done.stderr


def test_a_checked_file_cannot_pose_as_a_module_of_ours(tmp_path: Path) -> None:
    for name in ("argparse", "libcst", "pathspec", "rich", "json", "tomllib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('was run')\n" + PJ002)
    done = run("--output-format", "concise", cwd=tmp_path)
    assert "was run" not in done.stderr
    assert done.stdout.count("PJ002") == 6
