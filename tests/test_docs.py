"""The pages and the README say what is true of the program as it is."""

from __future__ import annotations

import ast
import re
import runpy
import tomllib
from pathlib import Path

import pytest
from house import run

from plum_jit_lint import __version__
from plum_jit_lint.project.options import _CHECKS
from plum_jit_lint.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_pages_of_the_rules_are_up_to_date() -> None:
    pages = runpy.run_path(str(ROOT / "docs" / "make_rules.py"))["pages"]()
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs/rules").iterdir()}
    assert kept == pages, "run: python docs/make_rules.py"


def undocumented(body: list[ast.stmt], above: str) -> list[str]:
    """The public functions and classes among statements that have no docstring."""
    found = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            name = f"{above}{node.name}"
            if not ast.get_docstring(node):
                found.append(name)
            if isinstance(node, ast.ClassDef):
                found += undocumented(node.body, f"{name}.")
    return found


def test_every_public_definition_says_what_it_is() -> None:
    files = sorted((ROOT / "plum_jit_lint").rglob("*.py"))
    assert len(files) > 100
    found = [
        name
        for file in files
        for name in undocumented(ast.parse(file.read_bytes()).body, f"{file.name}: ")
    ]
    assert found == []


def test_the_readme_shows_the_real_output() -> None:
    done = run("examples/", cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr == ""
    assert done.stdout in [text for kind, text in BLOCKS if kind == "text"]


def test_the_readme_shows_a_real_verification() -> None:
    pytest.importorskip("jax")
    pytest.importorskip("plum")
    done = run("verify", "overview.py", cwd=ROOT / "examples", env={"JAX_PLATFORMS": "cpu"})
    assert done.returncode == 0, done.stderr
    assert done.stdout in [text for kind, text in BLOCKS if kind == "text"]


def test_the_examples_show_what_they_say() -> None:
    pytest.importorskip("jax")
    pytest.importorskip("plum")
    examples = ROOT / "examples"
    for name, line in (("overview", "a circle costs 12.0 still"), ("scaling", ""), ("shapes", "")):
        done = run(cwd=examples, env={"JAX_PLATFORMS": "cpu"}, module=name)
        assert done.returncode == 0, done.stderr
        assert line in done.stdout


def test_the_readme_names_every_setting() -> None:
    table = README.partition("## Configuration")[2].partition("\n## ")[0]
    named = re.findall(r"^\| `([a-z-]+)` \|", table, flags=re.MULTILINE)
    assert named == list(_CHECKS)


def test_the_readme_names_every_code() -> None:
    for code, rule in RULES.items():
        assert f"| [{code}](docs/rules/{code}.md) | {rule.name} |" in README


def test_the_settings_in_the_readme_are_valid() -> None:
    for kind, text in BLOCKS:
        if kind == "toml":
            tomllib.loads(text)


def test_the_readme_names_the_version() -> None:
    assert f"rev: v{__version__}\n" in README


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_tests_run_in_ci_as_the_readme_says() -> None:
    command = next(text for kind, text in BLOCKS if kind == "sh" and "-m pytest" in text).strip()
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
