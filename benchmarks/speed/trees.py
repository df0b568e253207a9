"""The trees of files that are checked, laid out as projects."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks import corpus, releases

PLUM = ("coordinax", "unxt", "netket", "cola-ml", "galax", "quaxed")
"""Packages that use plum, checked as one project."""

WITHOUT = {"jax": "0.12.0.1", "scipy": "1.17.1"}
"""Large packages without plum."""


def lay_out(folder: Path, cache: Path) -> dict[str, Path]:
    """Writes the trees below `folder`: the packages with plum, ten copies of them, and each
    package without, whole and in part."""
    trees = {"plum": folder / "plum", "ten": folder / "ten", "empty": folder / "empty"}
    for package in PLUM:
        _copy(corpus.fetched(package, cache), trees["plum"])
        for number in range(10):
            _copy(corpus.fetched(package, cache), trees["ten"] / f"copy{number}")
    for package, version in WITHOUT.items():
        trees[package] = folder / package
        _copy(releases.fetched(package, version, cache), trees[package])
    trees["part"] = folder / "part"
    trees["both"] = folder / "both"
    _copy(trees["plum"], trees["both"])
    _copy(trees["scipy"], trees["both"])
    trees["part"].mkdir()
    # Without their folders: relative imports then lead nowhere, as those of scipy lead to no plum.
    for number, file in enumerate(files(trees["scipy"])[::10]):
        shutil.copy(file, trees["part"] / f"part{number}.py")
    trees["empty"].mkdir(exist_ok=True)
    projects = [tree for name, tree in trees.items() if name != "ten"]
    for project in [*projects, *trees["ten"].iterdir()]:
        (project / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    return trees


def files(tree: Path) -> list[Path]:
    """The Python files of a tree."""
    return sorted(tree.rglob("*.py"))


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, dirs_exist_ok=True)


def read_by_libcst(tree: Path) -> list[Path]:
    """The files of a tree that the checker reads with libcst: plum and jit may meet in one
    definition of them."""
    from plum_jit_lint.prefilter.features import ByteScan
    from plum_jit_lint.syntax.source import suits_libcst

    texts = {file: file.read_bytes() for file in files(tree)}
    scan = ByteScan()
    return [
        file
        for file, source in texts.items()
        if scan.features(source).may_stack_decorators and suits_libcst(source.decode())
    ]
