"""What the bytes of a file say is asked in one place, and compared as one object."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import pytest

from plum_jit_lint.cache.change_impact import alike
from plum_jit_lint.prefilter.features import FeaturesByContent, FileFeatures

PACKAGE = Path(__file__).resolve().parent.parent / "plum_jit_lint"
ASKING = ("cache", "checking", "integrations", "prefilter", "static", "lint.py")
"""Where files of a program are met."""

TEXT = '''\
def unread():
    """What it does.

    {}
    """
'''

SAYING = {
    "speaks_of_plum": "dispatch",
    "hands_out": "plum",
    "names_jit": "jit",
    "mixes": "dispatch, jit\n    @\n    @\n    def",
    "names_registering": "reload",
    "imports": "import os",
    "imports_inside": "from here",
    "computes_imports": "import_module",
    "is_lazy": "__getattr__",
    "is_script": "__main__",
    "has_tests": "def test",
}
"""What makes each feature another, where nobody reads it."""


def test_each_feature_is_in_question_here() -> None:
    assert SAYING.keys() == {field.name for field in fields(FileFeatures)}


@pytest.mark.parametrize("name", SAYING)
def test_a_feature_is_told_from_the_bytes(name: str) -> None:
    features = FeaturesByContent()
    plain, saying = (TEXT.format(said).encode() for said in ("", SAYING[name]))
    assert getattr(features.of(plain), name) != getattr(features.of(saying), name)


@pytest.mark.parametrize("name", SAYING)
def test_a_change_of_it_counts(name: str) -> None:
    plain, other, saying = (TEXT.format(said).encode() for said in ("", "Much.", SAYING[name]))
    features = FeaturesByContent()
    assert alike(plain, other, set(), set(), features)
    assert not alike(plain, saying, set(), set(), features)


def test_names_of_the_settings_tell_as_well() -> None:
    own = FeaturesByContent(("own.core.registry",), ("own.compiled",))
    text = b"@own.core.registry(compiled)\ndef f(a): ...\n"
    assert not FeaturesByContent().of(text).may_hold_stacks
    assert own.of(text).may_hold_stacks
    assert own.of(text).mixes
    assert own.of(text).hands_out


def test_nobody_else_looks_into_the_bytes() -> None:
    files = [file for place in ASKING for file in _files(PACKAGE / place)]
    assert len(files) > 50
    asking = {
        f"{file.relative_to(PACKAGE)}:{node.lineno}"
        for file in files
        if file.name != "features.py"
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes) and node.value
    }
    assert asking == set()


def _files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))
