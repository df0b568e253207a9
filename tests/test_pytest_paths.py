"""Where test files and `conftest.py` files find their modules: as real pytest does it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from plum_jit_lint import Settings, lint_paths
from plum_jit_lint.checking.programs import Programs

TELLS = """\
import json
import os

try:
    import helper
except ImportError:
    helper = None

def test_tells(request):
    plugins = request.config.pluginmanager.get_plugins()
    files = [getattr(plugin, "__file__", None) or "" for plugin in plugins]
    told = {
        "rootdir": str(request.config.rootpath),
        "inifile": request.config.inipath and str(request.config.inipath),
        "name": __name__,
        "helper": helper and os.path.realpath(helper.__file__),
        "conftests": sorted(file for file in files if file.endswith("conftest.py")),
    }
    with open(os.environ["TOLD"], "w") as file:
        json.dump(told, file)
"""

PYTHONPATH = "pythonpath = lib\n"
IN_TOML = '["lib"]\n'


@dataclass(frozen=True)
class Case:
    """A project: its files with text, its empty ones, and the test file that pytest is given."""

    texts: dict[str, str] = field(default_factory=dict)
    empty: str = ""
    test: str = "tests/test_it.py"


CASES = {
    # Files of settings.
    "pytest.toml": Case({"pytest.toml": f"[pytest]\npythonpath = {IN_TOML}"}, "lib/helper.py"),
    ".pytest.toml": Case({".pytest.toml": f"[pytest]\npythonpath = {IN_TOML}"}, "lib/helper.py"),
    "pytest.ini": Case({"pytest.ini": f"[pytest]\n{PYTHONPATH}"}, "lib/helper.py"),
    ".pytest.ini": Case({".pytest.ini": f"[pytest]\n{PYTHONPATH}"}, "lib/helper.py"),
    "tox.ini": Case({"tox.ini": f"[tox]\n[pytest]\n{PYTHONPATH}"}, "lib/helper.py"),
    "setup.cfg": Case(
        {"setup.cfg": f"[metadata]\nname = a%b\n[tool:pytest]\n{PYTHONPATH}"}, "lib/helper.py"
    ),
    "pyproject.toml": Case(
        {"pyproject.toml": f"[tool.pytest.ini_options]\npythonpath = {IN_TOML}"}, "lib/helper.py"
    ),
    "pyproject.toml with a text": Case(
        {"pyproject.toml": "[tool.pytest.ini_options]\npythonpath = 'more lib'\n"}, "lib/helper.py"
    ),
    "pyproject.toml in its own types": Case(
        {"pyproject.toml": f"[tool.pytest]\npythonpath = {IN_TOML}"}, "lib/helper.py"
    ),
    "a byte order mark": Case({"pytest.ini": f"\ufeff[pytest]\n{PYTHONPATH}"}, "lib/helper.py"),
    "several lines": Case(
        {"pytest.ini": "[pytest]\npythonpath =\n    more\n    'l i b'\n\n# lib\n"},
        "l\x20i b/helper.py",
    ),
    "a comment after a value": Case(
        {"pytest.ini": "[pytest]\npythonpath = more # lib\n"}, "#/helper.py"
    ),
    # Which of them counts.
    "an empty pytest.ini before pyproject.toml": Case(
        {"pyproject.toml": f"[tool.pytest.ini_options]\npythonpath = {IN_TOML}"},
        "pytest.ini lib/helper.py",
    ),
    "an empty pytest.toml before pytest.ini": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}"}, "pytest.toml lib/helper.py"
    ),
    "pyproject.toml before tox.ini": Case(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n",
            "tox.ini": f"[pytest]\n{PYTHONPATH}",
        },
        "lib/helper.py",
    ),
    "tox.ini before setup.cfg": Case(
        {"tox.ini": f"[pytest]\n{PYTHONPATH}", "setup.cfg": "[tool:pytest]\n"}, "lib/helper.py"
    ),
    "files that are not pytest's": Case(
        {"tox.ini": "[tox]\n", "setup.cfg": f"[pytests]\n{PYTHONPATH}"},
        "pyproject.toml lib/helper.py",
    ),
    "the nearest": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}", "tests/pytest.ini": "[pytest]\n"},
        "lib/helper.py conftest.py tests/conftest.py",
    ),
    "above a pyproject.toml without a table": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}", "part/pyproject.toml": "[project]\n"},
        "lib/helper.py conftest.py part/conftest.py",
        "part/tests/test_it.py",
    ),
    "an outer pyproject.toml with a table": Case(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n",
            "part/pyproject.toml": "[project]\n",
        },
        "conftest.py helper.py",
        "part/tests/test_it.py",
    ),
    "the nearest pyproject.toml without a table": Case(
        {"pyproject.toml": "[project]\n", "part/pyproject.toml": "[project]\n"},
        "conftest.py part/conftest.py part/helper.py",
        "part/tests/test_it.py",
    ),
    "setup.py": Case({}, "part/setup.py part/conftest.py part/helper.py", "part/tests/test_it.py"),
    "nothing but a conftest": Case({}, "conftest.py helper.py"),
    "relative to the file of settings": Case(
        {"tests/pytest.ini": "[pytest]\npythonpath = ../lib\n"}, "lib/helper.py"
    ),
    # What is put on the path.
    "beside the test": Case({}, "conftest.py tests/helper.py"),
    "in the folder above": Case({}, "conftest.py tests/helper.py", "tests/unit/test_it.py"),
    "in the folder above, with a conftest": Case(
        {}, "conftest.py tests/conftest.py tests/helper.py", "tests/unit/test_it.py"
    ),
    "beside a package": Case({}, "conftest.py tests/__init__.py tests/helper.py helper.py"),
    "in a package": Case(
        {},
        "conftest.py tests/unit/__init__.py tests/unit/helper.py tests/helper.py",
        "tests/unit/test_it.py",
    ),
    "in a folder of a package": Case(
        {}, "conftest.py tests/__init__.py tests/unit/helper.py", "tests/unit/test_it.py"
    ),
    "in a package whose name is none": Case(
        {}, "conftest.py my-tests/__init__.py my-tests/helper.py", "my-tests/test_it.py"
    ),
    "the test's folder before those of conftests": Case(
        {},
        "conftest.py tests/conftest.py tests/helper.py tests/unit/helper.py",
        "tests/unit/test_it.py",
    ),
    "inner conftests before outer ones": Case(
        {}, "conftest.py helper.py tests/conftest.py tests/helper.py", "tests/unit/test_it.py"
    ),
    "conftests before pythonpath": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}"},
        "tests/conftest.py tests/helper.py lib/helper.py",
        "tests/unit/test_it.py",
    ),
    "pythonpath in its order": Case(
        {"pytest.ini": "[pytest]\npythonpath = more lib\n"}, "lib/helper.py more/helper.py"
    ),
    "pythonpath before what is there": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}"}, "src/helper.py lib/helper.py"
    ),
    # Import modes.
    "appended": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}addopts = -q --import-mode=append\n"},
        "tests/helper.py lib/helper.py",
    ),
    "appended in two words": Case(
        {"pytest.ini": "[pytest]\naddopts = -q --import-mode append\n"},
        "tests/conftest.py tests/helper.py tests/unit/helper.py",
        "tests/unit/test_it.py",
    ),
    "importlib": Case(
        {"pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n"},
        "tests/conftest.py tests/helper.py",
    ),
    "importlib with pythonpath": Case(
        {
            "pyproject.toml": '[tool.pytest.ini_options]\naddopts = ["--import-mode=importlib"]\n'
            f"pythonpath = {IN_TOML}"
        },
        "tests/helper.py lib/helper.py",
    ),
    "importlib in a package": Case(
        {"tests/pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n"},
        "tests/__init__.py tests/helper.py",
    ),
    "importlib in the root": Case(
        {"tests/pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n"}, "helper.py"
    ),
    "the last mode counts": Case(
        {"pytest.ini": "[pytest]\naddopts = --import-mode=importlib --import-mode=prepend\n"},
        "tests/helper.py",
    ),
    "overridden": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}addopts = -o pythonpath=more\n"},
        "lib/helper.py more/helper.py",
    ),
    "namespace packages": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}consider_namespace_packages = true\n"},
        "lib/helper.py lib/tests/helper.py",
        "lib/tests/test_it.py",
    ),
    "no namespace packages": Case(
        {"pytest.ini": f"[pytest]\n{PYTHONPATH}"},
        "lib/helper.py lib/tests/helper.py",
        "lib/tests/test_it.py",
    ),
}


def laid_out(project: Path, case: Case) -> Path:
    files = dict.fromkeys(case.empty.split(), "") | case.texts | {case.test: TELLS}
    for name, text in files.items():
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return project / case.test


def plain_environment() -> dict[str, str]:
    """An environment without settings for pytest, and without plugins that happen to be installed:
    they take longer to load than all the rest."""
    unset = {"PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_PLUGINS"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def told_by_pytest(project: Path, test: Path) -> dict[str, object]:
    answer = project.parent / "told.json"
    # With `-P`, the folder that pytest is started in is not on the path.
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, str(test.relative_to(project))],
        cwd=project,
        env={**plain_environment(), "TOLD": str(answer)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(answer.read_text())
    assert isinstance(told, dict)
    return told


def told_by_us(test: Path) -> dict[str, object]:
    programs = Programs(Settings())
    paths = programs.pytest
    module_finder = programs.of(str(test)).module_finder
    name, roots = module_finder.identify(str(test))
    helper = module_finder.place_of("helper", name, roots)
    inifile = paths.settings(test.parent).inifile
    conftests = [str(file) for file in paths.conftests(str(test)) if file.is_file()]
    return {
        "rootdir": str(paths.rootdir(test.parent)),
        "inifile": inifile and str(inifile),
        "name": name,
        "helper": helper and str(helper),
        "conftests": sorted(conftests),
    }


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_modules_are_found_where_pytest_finds_them(tmp_path: Path, case: Case) -> None:
    project = tmp_path / "project"
    test = laid_out(project, case)
    assert told_by_us(test) == told_by_pytest(project, test)


BROKEN = {
    "no section": ("pytest.ini", b"pythonpath = lib\n"),
    "half a section": ("pytest.ini", b"[pytest\npythonpath = lib\n"),
    "twice": ("pytest.ini", b"[pytest]\npythonpath = lib\npythonpath = lib\n"),
    "no text": ("pytest.ini", b"[pytest]\npythonpath = \xff\n"),
    "half a quote": ("pytest.ini", b"[pytest]\npythonpath = 'lib\n"),
    "no TOML": ("pyproject.toml", b"[tool.pytest.ini_options]\npythonpath = [\n"),
    "deep TOML": ("pyproject.toml", b"pytest = " + b"[" * 100_000),
    "no table": ("pyproject.toml", b"[tool]\npytest = 1\n"),
    "no table of tools": ("pyproject.toml", b"tool = 'pytest'\n"),
    "two tables": (
        "pyproject.toml",
        b"[tool.pytest]\npythonpath = ['lib']\n[tool.pytest.ini_options]\npythonpath = ['lib']\n",
    ),
    "outside of the table": ("pytest.toml", b"pythonpath = ['lib']\n"),
    "a number": ("pytest.toml", b"[pytest]\npythonpath = 1\naddopts = 2\npython_files = 3\n"),
    "numbers": ("pytest.toml", b"[pytest]\npythonpath = [1, 2]\ntestpaths = {}\n"),
    "no names of folders": (
        "pytest.toml",
        b"[pytest]\npythonpath = ['%s', \"\\u0000\"]\n" % (b"a" * 300),
    ),
    "a section of pytest's in setup.cfg": ("setup.cfg", b"[pytest]\npythonpath = lib\n"),
}


@pytest.mark.parametrize(("name", "content"), BROKEN.values(), ids=BROKEN)
def test_what_pytest_would_complain_of_is_not_there(
    tmp_path: Path, name: str, content: bytes
) -> None:
    test = laid_out(tmp_path, Case({}, "lib/helper.py conftest.py"))
    test.write_text(f"from plum import dispatch\n{TELLS}")
    (tmp_path / name).write_bytes(content)
    assert told_by_us(test)["helper"] is None
    paths = Programs(Settings()).pytest
    assert paths.collects(str(test))
    assert not paths.pythonpath(str(test.parent))
    assert lint_paths([tmp_path], Settings()).problems == ()


def test_a_folder_is_no_file_of_settings(tmp_path: Path) -> None:
    test = laid_out(tmp_path, Case({"tox.ini": f"[pytest]\n{PYTHONPATH}"}, "lib/helper.py"))
    (tmp_path / "pytest.ini").mkdir()
    assert told_by_us(test)["helper"] == str(tmp_path / "lib" / "helper.py")


SOME = "test_a.py a_test.py check_a.py a.py tests/test_b.py tests/b.py"

COLLECTED = {
    "by default": ("console_output_style = classic", "test_a.py a_test.py tests/test_b.py"),
    "of other names": ("python_files = check_*.py", "check_a.py"),
    "two patterns": ("python_files =\n    check_*.py\n    a.py", "check_a.py a.py"),
    "of a folder": ("python_files = tests/*.py", "tests/test_b.py tests/b.py"),
}


@pytest.mark.parametrize(("option", "wanted"), COLLECTED.values(), ids=COLLECTED)
def test_the_same_files_are_collected(tmp_path: Path, option: str, wanted: str) -> None:
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{option}\n")
    for name in SOME.split():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def test_it():\n    pass\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--collect-only", "-q", "."],
        cwd=tmp_path,
        env=plain_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    paths = Programs(Settings()).pytest
    ours = {name for name in SOME.split() if paths.collects(str(tmp_path / name))}
    assert ours == set(wanted.split())
    told = {line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    assert told == ours, done.stdout + done.stderr


def test_a_pattern_for_all_files_is_meant_for_those_of_the_tests(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_files = *.py\ntestpaths = te*\n")
    paths = Programs(Settings()).pytest
    asked = ("tests/unit/a.py", "src/a.py", "src/test_a.py")
    assert [paths.collects(str(tmp_path / name)) for name in asked] == [True, False, True]


def test_other_files_find_the_modules_that_they_found_before(tmp_path: Path) -> None:
    laid_out(tmp_path, Case({"pytest.ini": f"[pytest]\n{PYTHONPATH}"}, "lib/helper.py setup.py"))
    (tmp_path / "main.py").write_text("import helper\n")
    module_finder = Programs(Settings()).of(str(tmp_path / "main.py")).module_finder
    name, roots = module_finder.identify(str(tmp_path / "main.py"))
    assert (name, roots) == ("main", (tmp_path,))
    assert module_finder.place_of("helper", name, roots) is None


def test_tests_are_of_the_program_around_them_where_nothing_is_added(tmp_path: Path) -> None:
    case = Case({"pytest.ini": "[pytest]\npythonpath = src\n"}, "src/a.py setup.py")
    test = laid_out(tmp_path, case)
    programs = Programs(Settings())
    assert programs.of(str(test)) is programs.of(str(tmp_path / "src" / "a.py"))
