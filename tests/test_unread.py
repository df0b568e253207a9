"""A change that no result can see leaves what was found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_cache import LATE, MAIN, SHAPES, Analyses, analyses, check, places, project

from plum_jit_lint.cache.change_impact import equivalent
from plum_jit_lint.prefilter.features import ByteScan
from plum_jit_lint.syntax.source import ALL

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import changes  # noqa: E402

__all__ = ["analyses", "project"]

TEXT = """\
import jax

def helper(a, b=1):
    total = a + b
    return total

class Shape:
    def area(self):
        return 1

    def size(self):
        def inner():
            return 2
        return inner()
"""
SAME = {
    "another body": ("total = a + b", "total = a * b\n    total += 1"),
    "a comment": ("import jax\n", "# why\nimport jax  # here\n\n"),
    "a docstring": ("class Shape:\n", 'class Shape:\n    """What it is."""\n\n'),
    "a docstring of a function": ("    total =", '    """What it does."""\n    total ='),
    "another body of a method": ("return 1", "return [\n            1,\n        ]"),
    "a function inside of another": ("            return 2\n", "            return 3\n"),
    "another layout": ("def helper(a, b=1):", "def helper(\n    a,\n    b=1,\n):"),
}
OTHER = {
    "a name": ("helper", "helper_2"),
    "a default": ("b=1", "b=2"),
    "a parameter": ("(a, b=1)", "(a, b=1, c=2)"),
    "an import": ("import jax\n", "import jax\nimport numpy\n"),
    "an import inside": ("    total =", "    import late\n    total ="),
    "a decorator": ("    def area", "    @property\n    def area"),
    "a decorator inside": ("        def inner", "        @cache\n        def inner"),
    "a new function": ("class Shape:\n", "def other():\n    return 1\n\n\nclass Shape:\n"),
    "a body that was read": ("return inner()", "return inner() + 1"),
    "a word that was asked for": ("    total =", "    register(a)\n    total ="),
    "another name that was asked for": ("    total =", "    compute(a)\n    total ="),
    "a generator": ("return total", "yield total"),
    "a body beside its head": (
        "    def area(self):\n        return 1",
        "    def area(self): return 1",
    ),
    "a mention of plum": ("    total =", "    plum\n    total ="),
    "a mention of jit": ("    total =", "    jit\n    total ="),
    "whether it is run": ("    total =", "    '__main__'\n    total ="),
    "no Python": ("return total", "return ("),
}
READ = frozenset({".Shape#0.size#0"})
NAMES = frozenset({"register", "compute"})


def compare(before: str, after: str, read: frozenset[str] = READ) -> bool:
    return equivalent(before.encode(), after.encode(), read, NAMES, ByteScan())


@pytest.mark.parametrize("name", SAME)
def test_it_is_as_good_as_the_same(name: str) -> None:
    old, new = SAME[name]
    assert old in TEXT
    assert compare(TEXT, TEXT.replace(old, new, 1))


@pytest.mark.parametrize("name", OTHER)
def test_it_is_another(name: str) -> None:
    old, new = OTHER[name]
    assert old in TEXT
    assert not compare(TEXT, TEXT.replace(old, new, 1))


def test_where_all_was_read_every_change_counts() -> None:
    assert not compare(TEXT, TEXT + "# more\n", frozenset({ALL}))


HELPER = """
def helper(a):
    return a
"""


def test_a_function_that_nobody_calls_counts_for_nothing(project: Path, analyses: Analyses) -> None:
    plugin = "import shapes\n" + HELPER
    (project / "plugin.py").write_text(plugin)
    first = check()
    assert places(first) == [("main.py", 7, "PJ004")]
    analyses.paths.clear()
    for body in ("a + 1", "a + 2", "a + 2"):
        (project / "plugin.py").write_text(plugin.replace("return a", f"return {body}"))
        assert check() == first
    assert analyses.paths == []


def test_a_function_that_is_traced_counts(project: Path, analyses: Analyses) -> None:
    check()
    analyses.paths.clear()
    (project / "shapes.py").write_text(SHAPES.replace("12 * area(a)", "12 * a"))
    assert places(check()) == []
    assert "main.py" in analyses.paths


def test_a_function_that_comes_to_register_counts(project: Path) -> None:
    text = "import shapes\n\ndef add():\n    return 1\n\nadd()\nshapes.total(1.0)\n"
    (project / "plugin.py").write_text(text)
    check()
    late = "@shapes.dispatch\n    def area(a: str): ..."
    (project / "plugin.py").write_text(text.replace("return 1", late))
    assert check() == check_anew()


def check_anew() -> object:
    from plum_jit_lint import Settings, lint_paths

    return lint_paths(["."], Settings())


def test_a_finding_stands_where_the_changed_file_has_it(project: Path, analyses: Analyses) -> None:
    main = MAIN.replace("total(jnp", HELPER + "\ntotal(jnp")
    (project / "main.py").write_text(main)
    ((_, line, _),) = places(check())
    analyses.paths.clear()
    (project / "main.py").write_text(main.replace("return a", "a = 1\n    return a"))
    assert places(check()) == [("main.py", line + 1, "PJ004")]
    assert analyses.paths == [], "what is kept moves, with the lines that its message names"
    assert check() == check_anew()


def test_a_finding_moves_with_what_it_tells(project: Path, analyses: Analyses) -> None:
    size = "\n@dispatch\n@jax.jit\ndef size(a: jax.Array): ...\n"
    stack = f"import jax\nfrom plum import dispatch\n{{}}{size}"
    (project / "stack.py").write_text(stack.format(HELPER))
    before = [place for place in places(check()) if place[0] == "stack.py"]
    analyses.paths.clear()
    for body in ("a = 1\n    return a", "a = 1\n\n    return a", "return a"):
        (project / "stack.py").write_text(stack.format(HELPER.replace("return a", body)))
        assert check() == check_anew()
    assert [place for place in places(check()) if place[0] == "stack.py"] == before
    assert analyses.paths.count("stack.py") == 3, "only where nothing is kept"


def test_one_file_after_the_other_in_processes_of_their_own(project: Path) -> None:
    """What a later process reads counts for the text that it has read, and for no other."""
    (project / "shapes.py").write_text(SHAPES + HELPER)
    (project / "user.py").write_text("import plum\nimport shapes\n")

    def run(*files: str) -> str:
        command = [sys.executable, "-m", "plum_jit_lint", "--output-format", "concise", *files]
        return subprocess.run(
            command, cwd=project, capture_output=True, text=True, check=False
        ).stdout

    run(".")
    late = "    @dispatch\n    def area(a: jax.Array): return 1\n    return a"
    longer = HELPER.replace("    return a", "    a = 2\n    return a")
    (project / "shapes.py").write_text(SHAPES + longer)
    # It comes to call the function that has changed meanwhile.
    calls = "import jax.numpy as jnp, shapes\nshapes.total(jnp.ones(3))\nshapes.helper(1)\n"
    (project / "user.py").write_text(calls)
    assert "user.py" not in run("user.py")
    (project / "shapes.py").write_text(SHAPES + HELPER.replace("    return a", late))
    expected = run("--no-cache", ".")
    assert "PJ004" in expected.replace("main.py", "")
    assert run(".") == expected
    (project / "shapes.py").write_text(SHAPES + HELPER)
    assert run(".") == run("--no-cache", ".")


def test_flake8_takes_what_holds_and_leaves_the_rest(project: Path) -> None:
    (project / "shapes.py").write_text(SHAPES + HELPER)
    (project / "late.py").write_text(LATE)

    def flake8() -> str:
        command = [sys.executable, "-m", "flake8", "--select", "PJ", "."]
        return subprocess.run(
            command, cwd=project, capture_output=True, text=True, check=False
        ).stdout

    first = flake8()
    assert "main.py" in first
    for body in ("a + 1", "area(a)", "a + 1"):
        (project / "shapes.py").write_text(SHAPES + HELPER.replace("return a", f"return {body}"))
        assert flake8() == first
    (project / "shapes.py").write_text(SHAPES.replace("12 * area(a)", "12 * a"))
    assert "main.py" not in flake8()


@pytest.mark.parametrize("seed", range(6))
def test_after_a_random_change_the_cache_says_what_is_found_anew(seed: int) -> None:
    found = changes.Found()
    changes.try_changes(seed, changes.programs(), found)
    assert found.changes
    assert found.differing == []
