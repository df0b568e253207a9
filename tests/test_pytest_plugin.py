"""The pytest plugin in real runs of pytest, over small suites that make something stale."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax")
pytest.importorskip("plum")

WORLD = """\
import jax
import jax.numpy as jnp
from plum import Dispatcher

x = jnp.ones(())


class World:
    def __init__(self):
        self.dispatch = Dispatcher()
        self.define(2)
        self.total = jax.jit(lambda a: 12 * self.area(a))

    def define(self, factor):
        @self.dispatch
        def area(a: jax.Array):
            return a * factor

        self.area = area
"""

CONFTEST = """\
import json, os, pathlib

NOTES = pathlib.Path(os.environ["NOTES"])


def note(**what):
    with NOTES.open("a") as file:
        file.write(json.dumps(what) + chr(10))


def pytest_runtest_logreport(report):
    if "PYTEST_XDIST_WORKER" not in os.environ and (report.when == "call" or not report.passed):
        sections = [text for title, text in report.sections if "plum-jit" in title]
        note(test=report.nodeid.rpartition("::")[2], when=report.when, outcome=report.outcome,
             text=str(report.longrepr), sections=sections)


def pytest_collectreport(report):
    if "PYTEST_XDIST_WORKER" not in os.environ and report.failed:
        note(test=report.nodeid, when="collect", outcome="failed", text=str(report.longrepr),
             sections=[text for title, text in report.sections if "plum-jit" in title])


def pytest_warning_recorded(warning_message, when, nodeid, location):
    if "PYTEST_XDIST_WORKER" not in os.environ:
        note(test=nodeid.rpartition("::")[2], when=when, outcome="warning",
             text=f"{os.path.basename(warning_message.filename)}:{warning_message.lineno}: "
                  f"{warning_message.category.__name__}: {warning_message.message}", sections=[])
"""

TESTS = """\
import jax, pytest
from world import World, x

w = World()

def test_uses():
    assert w.total(x) == 24

def test_registers():
    w.define(3)

def test_registers_and_uses():
    w.define(4)
    w.total(x)

def test_fails_by_itself():
    w.define(5)
    assert w.total(x) == 60

@pytest.fixture
def clearing():
    yield
    jax.clear_caches()

def test_cleared_by_its_fixture(clearing):
    w.define(6)

@pytest.mark.plum_jit(False)
def test_marked_false():
    w.total(x)
    w.define(7)
    w.total(x)

@pytest.mark.plum_jit("retrace")
def test_marked_retrace():
    w.define(8)
    assert w.total(x) == 96

@pytest.mark.plum_jit("warn")
def test_marked_warn():
    w.define(9)

@pytest.fixture
def registering():
    w.define(10)
    w.total(x)

def test_of_a_fixture(registering):
    pass

@pytest.mark.parametrize("factor", [11, 12])
def test_each(factor):
    w.define(factor)
    w.total(x)

@pytest.mark.xfail
def test_expected_to_fail():
    w.define(13)
    w.total(x)

def test_skips():
    pytest.skip("no reason")
"""

CASE = """\
import unittest
from world import World, x

w = World()

class Case(unittest.TestCase):
    def test_1_uses(self):
        self.assertEqual(w.total(x), 24)

    def test_2_registers_and_uses(self):
        w.define(3)
        w.total(x)

    def test_3_fails_by_itself(self):
        w.define(4)
        self.assertEqual(w.total(x), 48)
"""

IMPORTED = """\
from world import World, x

w = World()
w.total(x)
w.define(3)

def test_that_is_not_reached():
    pass
"""


XDIST = ("-p", "xdist") if importlib.util.find_spec("xdist") else ()


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of pytest: how it ended, and what a conftest noted."""

    code: int
    output: str
    notes: list[dict[str, Any]]

    def outcomes(self) -> dict[str, list[str]]:
        """Of each test that did not just pass: when and how."""
        found: dict[str, list[str]] = {}
        for note in self.notes:
            if note["outcome"] != "passed":
                found.setdefault(note["test"], []).append(f"{note['when']} {note['outcome']}")
        return found

    def of(self, test: str, outcome: str) -> dict[str, Any]:
        """The one note of a test with that outcome."""
        (found,) = (n for n in self.notes if n["test"] == test and n["outcome"] == outcome)
        return found


def run(folder: Path, *arguments: str, as_installed: bool = False) -> Ran:
    """pytest in `folder`, with this plugin and xdist; `as_installed`: with every plugin that is
    there, which takes longer to load than all the rest."""
    plugins = () if as_installed else ("-p", "plum_jit", *XDIST)
    notes = folder / "notes"
    notes.unlink(missing_ok=True)
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
    if not as_installed:
        plain["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no", *plugins]
    done = subprocess.run(
        [*command, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**plain, "JAX_PLATFORMS": "cpu", "NOTES": str(notes)},
        timeout=120,
        check=False,
    )
    lines = notes.read_text().splitlines() if notes.exists() else []
    return Ran(done.returncode, done.stdout + done.stderr, list(map(json.loads, lines)))


def project(folder: Path, **files: str) -> Path:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    (folder / "world.py").write_text(WORLD)
    (folder / "conftest.py").write_text(CONFTEST)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    silent = IMPORTED.replace("w.define(3)", "w.define(3)  # noqa: PJ004")
    files = {"test_tests": TESTS, "test_case": CASE, "test_imported": IMPORTED}
    return project(folder, **files, test_silent=silent)


STALE = {
    "test_imported.py": ["collect failed"],
    "test_registers": ["teardown failed"],
    "test_registers_and_uses": ["call failed"],
    "test_fails_by_itself": ["call failed"],
    "test_marked_warn": ["runtest warning"],
    "test_of_a_fixture": ["setup failed"],
    "test_each[11]": ["call failed"],
    "test_each[12]": ["call failed"],
    "test_expected_to_fail": ["call skipped"],
    "test_skips": ["call skipped"],
    "test_2_registers_and_uses": ["call failed"],
    "test_3_fails_by_itself": ["call failed"],
}


def test_error(suite: Path) -> None:
    ran = run(suite, "--plum-jit=error", "--continue-on-collection-errors")
    assert ran.code == 1
    assert ran.outcomes() == STALE, ran.output
    registers = ran.of("test_registers", "failed")["text"]
    # The finding stands where this file calls what registers.
    assert registers.startswith("test_tests.py:10: PJ004 `area(a: Array)` comes too late: ")
    assert (
        "\n  test_tests.py:7: `World.__init__.<locals>.<lambda>` is traced here" in registers
        or ("\n  test_tests.py:7: `<lambda>` is traced here" in registers)
    )
    assert "\n  world.py:15: `area(a: Array)` is registered here" in registers
    assert ran.of("test_imported.py", "failed")["text"].startswith("test_imported.py:5: PJ004")
    # Beside a failure of its own stands what may have caused it.
    for test, line in (("test_fails_by_itself", 17), ("test_3_fails_by_itself", 15)):
        failed = ran.of(test, "failed")
        assert "PJ004" not in failed["text"]
        assert f":{line}: PJ004" in failed["sections"][0]
    assert "--plum-jit: Watched: " in ran.output
    assert " 15 stale, 1 retraced." in ran.output


def test_xdist_says_the_same(suite: Path) -> None:
    pytest.importorskip("xdist")
    options = ("--plum-jit=error", "--continue-on-collection-errors", "-n", "2", "--dist=loadfile")
    ran = run(suite, *options)
    assert ran.code == 1
    assert ran.outcomes() == STALE, ran.output
    assert ran.output.count("--plum-jit: Watched: ") == 1
    # Each worker imports the two files that register when they are imported.
    assert " 17 stale, 1 retraced." in ran.output


def test_warn(suite: Path) -> None:
    # The folder is not the mode.
    ran = run(suite, "--plum-jit", str(suite))
    outcomes = {
        test: when
        for test, when in ran.outcomes().items()
        if when not in (["runtest warning"], ["collect warning"])
    }
    # What fails by itself, or by the fixture, fails; nothing else does.
    assert outcomes == {
        "test_fails_by_itself": ["call failed", "runtest warning"],
        "test_3_fails_by_itself": ["call failed", "runtest warning"],
        "test_skips": ["call skipped"],
    }, ran.output
    warned = ran.of("test_registers", "warning")["text"]
    assert warned.startswith("world.py:15: StaleJitWarning: PJ004 `area(a: Array)`")
    (collected,) = (n for n in ran.notes if n["when"] == "collect")
    assert collected["text"].startswith("world.py:15: StaleJitWarning: PJ004")
    assert len([n for n in ran.notes if n["test"].startswith("test_each")]) == 4


def test_the_configuration_and_retrace(tmp_path: Path) -> None:
    tests = "def test_{0}():\n    assert w.total(x) == {1}\n    w.define({2})\n\n"
    text = "import world\nfrom world import World, x\nw = World()\n\n"
    text += tests.format("first", 24, 3) + tests.format("second", 36, 4)
    project(tmp_path, test_order=text)
    (tmp_path / "pytest.ini").write_text("[pytest]\nplum_jit = retrace\n")
    ran = run(tmp_path, as_installed=True)
    assert ran.code == 0, ran.output
    assert " 2 stale, 2 retraced." in ran.output
    (tmp_path / "pytest.ini").unlink()
    table = '[tool.pytest.ini_options]\nplum_jit = "error"\n'
    (tmp_path / "pyproject.toml").write_text(table)
    ran = run(tmp_path, "-x")
    assert ran.outcomes() == {"test_first": ["teardown failed"]}, ran.output


def test_what_the_first_conftest_does(tmp_path: Path) -> None:
    project(tmp_path, test_nothing="def test_nothing(): pass\n")
    setting = "import os\nos.environ['JAX_ENABLE_X64'] = '1'\n"
    stale = IMPORTED.partition("\ndef")[0] + "import jax\nassert jax.config.jax_enable_x64\n"
    (tmp_path / "conftest.py").write_text(CONFTEST + setting + stale)
    line = (CONFTEST + setting + stale).splitlines().index("w.define(3)") + 1
    ran = run(tmp_path, "--plum-jit=error", "--collect-only")
    assert ran.code == 2
    assert f"conftest.py:{line}: PJ004" in ran.output
    assert "1 stale" in ran.output


STACKS = """\
import jax, pytest
from plum import Dispatcher
from world import World, x

dispatch = Dispatcher()

@dispatch
@jax.jit
def noted(a: jax.Array): return a

def test_stacks():
    @jax.jit
    @dispatch
    def inside(a: jax.Array): return a

def test_noqa():
    @jax.jit  # noqa: PJ002
    @dispatch
    def quiet(a: jax.Array): return a

def test_look_alike():
    @dispatch
    def plain(a: jax.Array): return a

    @jax.jit
    @jax.checkpoint
    def other(a): return plain(a)

w = World()

@pytest.fixture(scope="session")
def defining():
    w.total(x)
    yield
    w.define(3)

def test_of_a_teardown(defining):
    pass
"""

BETWEEN = """
def pytest_collection_modifyitems():
    global w
    from world import World, x
    w = World()
    w.total(x)
    w.define(3)

def pytest_sessionfinish():
    import jax
    from plum import Dispatcher
    @jax.jit
    @Dispatcher()
    def late(a: jax.Array): return a
"""


@pytest.fixture(scope="module")
def stacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = project(tmp_path_factory.mktemp("stacking"), test_stacking=STACKS)
    (folder / "conftest.py").write_text(CONFTEST + BETWEEN)
    return folder


def told_between(ran: Ran) -> list[str]:
    """The lines of the summary that say what was found between the tests, without details."""
    section = ran.output.partition("--plum-jit: between the tests")[2].partition("--plum-jit: ")[0]
    return [line.split(" `")[0] for line in section.splitlines()[1:] if line[:1] not in " ="]


def test_stacks_and_what_runs_between_the_tests(stacking: Path) -> None:
    ran = run(stacking, "--plum-jit=error")
    assert ran.code == 1
    first, second = (CONFTEST + BETWEEN).index("w.define(3)"), (CONFTEST + BETWEEN).index("@jax")
    lines = [(CONFTEST + BETWEEN).count("\n", 0, at) + 1 for at in (first, second)]
    between = [f"conftest.py:{lines[0]}: PJ004", f"conftest.py:{lines[1]}: PJ002"]
    assert told_between(ran) == between
    assert ran.outcomes() == {
        "": ["collect warning"],
        "test_stacks": ["call failed"],
        "test_of_a_teardown": ["teardown failed"],
    }, ran.output
    (collected,) = (n for n in ran.notes if n["when"] == "collect")
    assert collected["text"].startswith("test_stacking.py:7: StackedJitWarning: PJ001 `noted`")
    text = ran.of("test_stacks", "failed")["text"]
    assert text.startswith("test_stacking.py:12: PJ002 `inside` has `jax.jit` above dispatch")
    assert ran.of("test_of_a_teardown", "failed")["text"].startswith("test_stacking.py:35: PJ004")


def test_what_runs_between_the_tests_fails_the_run_by_itself(stacking: Path) -> None:
    pytest.importorskip("xdist")
    ran = run(stacking, "--plum-jit=error", "-n", "2", "-k", "noqa or look_alike")
    assert (ran.code, len(told_between(ran))) == (1, 2), ran.output
    assert " 2 passed" in ran.output


OFF = """\
import sys

def test_nothing_heavy_is_imported():
    ours = {"plum_jit_lint.integrations.companion", "plum_jit_lint.runtime"}
    heavy = {"jax", "plum", "libcst", "rich", *ours}
    assert not heavy & set(sys.modules)
    assert "plum_jit_lint" in sys.modules
"""


def test_off_it_costs_nothing(tmp_path: Path) -> None:
    project(tmp_path, test_off=OFF)
    for arguments in ((), ("-o", "plum_jit=error", "--plum-jit=off")):
        ran = run(tmp_path, *arguments, as_installed=True)
        assert ran.code == 0, ran.output
        assert "--plum-jit: " not in ran.output


def test_on_it_imports_neither_by_itself(tmp_path: Path) -> None:
    text = "import sys\n\ndef test_it():\n    assert not {'jax', 'plum'} & set(sys.modules)\n"
    ran = run(project(tmp_path, test_on=text), "--plum-jit")
    assert ran.code == 0, ran.output
    assert "--plum-jit: Nothing imported both plum and JAX." in ran.output


def test_it_can_be_left_out(tmp_path: Path) -> None:
    ran = run(project(tmp_path, test_off=""), "-p", "no:plum_jit", "--plum-jit", as_installed=True)
    assert ran.code == 4
    assert "unrecognized arguments: --plum-jit" in ran.output


BLOCKED = """\
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name == "jax" else find(name, *rest)
"""


def test_wrong_values_name_the_key_and_the_value(tmp_path: Path) -> None:
    marked = "import pytest\n@pytest.mark.plum_jit({})\ndef test_it(): pass\n"
    project(tmp_path, test_a=marked.format("'loud'"), test_b=marked.format(""), blocked=BLOCKED)
    modes = "expected one of error, warn, retrace, off, not"
    for arguments, sentence in (
        (("--plum-jit=loud",), f"ERROR: --plum-jit: {modes} 'loud'"),
        (("-o", "plum_jit=loud"), f"ERROR: plum_jit: {modes} 'loud'"),
        (
            ("--plum-jit", "test_a.py"),
            f"ERROR: test_a.py::test_it: @pytest.mark.plum_jit: {modes} 'loud'",
        ),
        (
            ("--plum-jit", "test_b.py"),
            "ERROR: test_b.py::test_it: @pytest.mark.plum_jit takes one mode",
        ),
        (
            ("-p", "blocked", "--plum-jit"),
            "ERROR: --plum-jit: plum and JAX are needed to watch them, and there is no module "
            "jax: pip install 'plum-jit-lint[runtime]'",
        ),
    ):
        ran = run(tmp_path, *arguments)
        assert ran.code == 4, ran.output
        assert sentence in ran.output.splitlines()
