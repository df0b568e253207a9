"""Where the real files come from: the standard library, this environment, and fetched releases."""

from __future__ import annotations

import os
import random
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from benchmarks import corpus, releases

MORE = {
    "ansible": "14.5.0",
    "sympy": "1.14.0",
    "statsmodels": "0.15.0",
    "pandas": "3.1.1",
    "django": "6.1.3",
    "scipy": "1.17.1",
    "twisted": "26.10.0",
    "scikit-learn": "1.9.1",
}
"""What is fetched, in this order, until there are enough files."""

_LEFT_OUT = ("site-packages", "dist-packages", "__pycache__")


def python_files(top: Path, *, but: Sequence[str] = ()) -> list[Path]:
    """Every `.py` file below `top`, in a fixed order, without the folders named in `but`."""
    found = []
    for folder, below, names in os.walk(top):
        below[:] = sorted(name for name in below if name not in but)
        found += [Path(folder, name) for name in sorted(names) if name.endswith(".py")]
    return [path for path in found if path.is_file()]


def real_files(least: int, cache: Path) -> dict[str, list[Path]]:
    """The real files by where they come from: at least `least` outside the standard library."""
    found = {
        "standard library": python_files(Path(sysconfig.get_path("stdlib")), but=_LEFT_OUT),
        "site-packages": python_files(Path(sysconfig.get_path("purelib"))),
    }
    count = len(found["site-packages"])
    for package, version in MORE.items():
        if count >= least:
            break
        try:
            folder = releases.fetched(package, version, cache)
        except releases.FetchError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        found[f"{package} {version}"] = python_files(folder)
        count += len(found[f"{package} {version}"])
    return found


def plum_files(cache: Path) -> list[Path]:
    """The files that speak of plum: the fixtures, and the packages that are known to use it."""
    tops = [Path(__file__).parents[2] / "tests" / "fixtures"]
    for package in corpus.PACKAGES:
        try:
            tops.append(corpus.fetched(package, cache))
        except releases.FetchError as error:
            print(f"left out: {error}", file=sys.stderr)
    return [path for top in tops for path in python_files(top) if _speaks_of_plum(path)]


def _speaks_of_plum(path: Path) -> bool:
    source = path.read_bytes()
    return b"plum" in source or b"dispatch" in source


def sampled(files: dict[str, list[Path]], count: int, seed: int) -> dict[str, list[Path]]:
    """About `count` of the files, from every place its share."""
    total = sum(map(len, files.values()))
    if count >= total:
        return files
    chance = random.Random(seed)
    return {
        name: sorted(chance.sample(paths, min(len(paths), len(paths) * count // total + 1)))
        for name, paths in files.items()
    }


def program_behind(source: bytes) -> bytes:
    """The text with a program behind it that uses plum and jit, so that nothing is left unread."""
    newline = b"\r\n" if b"\r\n" in source else b"\r" if b"\r" in source[:-1] else b"\n"
    start = b"" if not source or source.endswith((b"\n", b"\r")) else newline
    return source + start + PROGRAM.encode().replace(b"\n", newline)


PROGRAM = """\
import jax
import jax.numpy as jnp
from plum import dispatch


@jax.jit
@dispatch
def area(x: jax.Array):
    return x


@jax.jit
def total(x):
    return 2 * area(x)


total(jnp.ones(2))


@dispatch
def area(x: jax.Array):
    return 3 * x
"""
