"""What the bytes of a file say is asked in one place, and compared as one object."""

from __future__ import annotations

import ast
from dataclasses import fields, replace
from pathlib import Path

import pytest

from plum_jit_lint.cache.change_impact import equivalent
from plum_jit_lint.prefilter.features import ByteScan, FileFeatures

PACKAGE = Path(__file__).resolve().parent.parent / "plum_jit_lint"
ABOUT_FILES = ("cache", "checking", "integrations/flake8_plugin.py", "prefilter", "static")
"""Where decisions about files of a program are made."""

TEXT = '''\
def unread():
    """What it does.

    {}
    """
'''

PLAIN = TEXT.format("").encode()

WORDS = {
    "mentions_plum": "dispatch",
    "may_export_dispatcher": "plum",
    "mentions_jit": "jit",
    "may_stack_decorators": "\n    @dispatch\n    @jit\n    def",
    "mentions_registering": "reload",
    "imported_names": "import os",
    "has_indented_import": "from here",
    "may_compute_imports": "import_module",
    "mentions_getattr": "__getattr__",
    "mentions_main": "__main__",
    "mentions_tests": "def test",
}
"""Words in a docstring that change each feature: nothing else of such a change can be seen."""


def test_each_feature_is_tested_here() -> None:
    assert list(WORDS) == [field.name for field in fields(FileFeatures)]


@pytest.mark.parametrize("name", WORDS)
def test_the_bytes_decide_a_feature(name: str) -> None:
    scan = ByteScan()
    with_words = TEXT.format(WORDS[name]).encode()
    assert getattr(scan.features(PLAIN), name) != getattr(scan.features(with_words), name)


@pytest.mark.parametrize("name", WORDS)
def test_a_change_of_it_is_none_that_results_outlive(name: str) -> None:
    scan = ByteScan()
    other, with_words = (TEXT.format(words).encode() for words in ("Much.", WORDS[name]))
    assert equivalent(PLAIN, other, set(), set(), scan)
    assert not equivalent(PLAIN, with_words, set(), set(), scan)


class OneFeatureDiffers(ByteScan):
    """A scan that answers one question in another way for one text, and no other."""

    def __init__(self, name: str, source: bytes) -> None:
        super().__init__()
        self.name = name
        self.source = source

    def features(self, source: bytes) -> FileFeatures:
        found = super().features(source)
        if source != self.source:
            return found
        value = getattr(found, self.name)
        other = not value if isinstance(value, bool) else value | {"another"}
        return replace(found, **{self.name: other})


@pytest.mark.parametrize("field", fields(FileFeatures), ids=lambda field: field.name)
def test_each_field_is_compared(field: object) -> None:
    name = getattr(field, "name")  # noqa: B009
    other = TEXT.format("Much.").encode()
    assert not equivalent(PLAIN, other, set(), set(), OneFeatureDiffers(name, other))


def test_names_of_the_settings_are_looked_for_as_well() -> None:
    own = ByteScan(("own.core.registry",), ("own.compiled",))
    text = b"@own.core.registry(compiled)\ndef f(a): ...\n"
    assert not ByteScan().features(text).mentions_plum_and_jit
    assert own.features(text).mentions_plum_and_jit
    assert own.features(text).may_stack_decorators
    assert own.features(text).may_export_dispatcher


def test_nobody_else_looks_into_the_bytes() -> None:
    files = [file for place in ABOUT_FILES for file in _files(PACKAGE / place)]
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
