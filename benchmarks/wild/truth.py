"""What real plum and JAX do with a program, in a process of its own.

`ready()` once, then `judge(folder)` for each program: a folder with `main.py`, or with files
`test_*.py` that pytest runs.
"""

from __future__ import annotations

import builtins
import gc
import importlib
import os
import re
import sys
import types
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.wild.asking import UnjudgedError, in_a_fork

Finding = tuple[str, int, str]
"""File in the folder, line and code."""
SECONDS = 60
COMPILES_AT_IMPORT = "CHECKED = "
"""How a generated package calls a jitted function when it is imported."""


@dataclass
class Truth:
    error: str = ""
    """Why the program is not judged."""
    reported: set[Finding] = field(default_factory=set)
    harmless: set[Finding] = field(default_factory=set)
    unused: set[Finding] = field(default_factory=set)
    late: int = 0
    uses: int = 0


def environment() -> None:
    """Settings of JAX that have to be there before it is imported."""
    from benchmarks.releases import default_cache

    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["JAX_CPU_ENABLE_ASYNC_DISPATCH"] = "false"
    compiled = str(default_cache().parent / "compiled-by-jax")
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", compiled)
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"


def ready() -> None:
    """Imports once what every child needs; this process must compute nothing."""
    import warnings

    environment()
    warnings.filterwarnings("ignore")
    for name in ("jax", "equinox", "plum", "jaxtyping", "pytest", "numpy"):
        importlib.import_module(name)
    for name in in_a_fork(_modules_of_a_first_run, SECONDS):
        with suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()


def _modules_of_a_first_run() -> list[str]:
    import jax

    before = set(sys.modules)
    jax.jit(lambda a: a * 2)(jax.numpy.ones(2))[0].block_until_ready()
    jax.make_jaxpr(lambda: jax.numpy.ones(2))()
    return sorted(set(sys.modules) - before)


def judge(folder: Path) -> Truth:
    folder = folder.resolve()
    whole = Truth()
    for root, function in roots(folder):
        try:
            one: Truth = in_a_fork(partial(_run, folder, root, function), SECONDS)
        except UnjudgedError as error:
            return Truth(str(error))
        if one.error:
            return one
        whole.reported |= one.reported
        whole.harmless |= one.harmless
        whole.unused |= one.unused
        if root.parent == folder:
            whole.late += one.late
            whole.uses += one.uses
    whole.harmless -= whole.reported
    whole.unused -= whole.reported
    return whole


def roots(folder: Path) -> list[tuple[Path, str]]:
    """What is run, each in a process of its own: a file, and a function of it that nothing calls.

    The modules of a package are roots as well as `main.py` is. Those matter in which something
    is compiled when they are imported.
    """
    found = [(path, "") for path in sorted(folder.glob("test_*.py"))] or [(folder / "main.py", "")]
    packages = [path.parent for path in folder.glob("*/__init__.py")]
    for package in packages:
        if COMPILES_AT_IMPORT not in (package / "__init__.py").read_text():
            continue
        for path in sorted(package.rglob("*.py")):
            found.append((path, ""))
            found += [
                (path, name) for name in re.findall(r"^def (\w+)\(\):", path.read_text(), re.M)
            ]
    return found


def _run(folder: Path, root: Path, function: str) -> Truth:
    """Runs a program in this process, which is of no use afterwards."""
    from benchmarks.wild.holding import Program
    from benchmarks.wild.instrument import CALL, DECORATOR, ENTER, Entries, Finder, compiled
    from benchmarks.wild.watch import Watch

    quiet()
    os.chdir(folder)
    sys.dont_write_bytecode = True
    Program.folder = str(folder) + os.sep
    entries: Entries = {}
    watch = Watch()
    vars(builtins).update({CALL: watch.call, DECORATOR: watch.decorator, ENTER: watch.enter})
    sys.meta_path.insert(0, Finder(folder, entries))
    sys.path.insert(0, str(folder))
    try:
        if root.name.startswith("test_"):
            _pytest(root)
        elif root.parent != folder:
            name = ".".join(root.relative_to(folder).with_suffix("").parts)
            module = importlib.import_module(name.removesuffix(".__init__"))
            if function:
                getattr(module, function)()
        else:
            module = types.ModuleType("__main__")
            module.__file__ = str(root)
            sys.modules["__main__"] = module
            exec(compiled(root, entries), vars(module))
        watch.end()
    except UnjudgedError as error:
        return Truth(str(error))
    except BaseException as error:
        return Truth(f"{type(error).__name__}: {error}".splitlines()[0])
    if watch.problem:
        return Truth(watch.problem)
    verdict = watch.verdict

    def below(found: set[Finding]) -> set[Finding]:
        return {(os.path.relpath(file, folder), line, code) for file, line, code in found}

    return Truth(
        "",
        below(verdict.reported),
        below(verdict.harmless),
        below(verdict.unused),
        verdict.late,
        len(watch.uses),
    )


def _pytest(root: Path) -> None:
    import pytest

    options = ["-q", "-p", "no:cacheprovider", "--assert=plain", "--rootdir", str(root.parent)]
    off = ["-p", "no:plum_jit", "-c", os.devnull, "-p", "no:xdist"]
    code = pytest.main([*options, *off, str(root)])
    if code != 0:
        raise UnjudgedError(f"pytest ends with {code}")


def quiet() -> None:
    """What the program writes is no concern of whoever judges it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def expected(folder: Path, comment: str = "# expect:") -> set[Finding]:
    """What the comments of a program say."""
    found: set[Any] = set()
    for path in sorted(folder.rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if comment in line:
                codes = re.findall(r"PJ00[34]", line.split(comment)[1])
                found.update((str(path.relative_to(folder)), number, code) for code in codes)
    return found
