"""The extension in a real IPython shell and in a real Jupyter kernel, one of each for all tests."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax")
pytest.importorskip("plum")
pytest.importorskip("IPython")

SHELL = """\
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance(colors="NoColor")
for cell in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        result = shell.run_cell(cell, store_history=True)
    told = [out.getvalue(), err.getvalue(), bool(result.success)]
    sys.__stdout__.write(json.dumps(told) + chr(10))
"""


@dataclass(frozen=True, slots=True)
class Told:
    """What a cell wrote, and whether it went well."""

    out: str
    err: str
    success: bool


def run_cells(folder: Path, *cells: str) -> list[Told]:
    """What each cell wrote in a shell of IPython in another process."""
    (folder / "shell.py").write_text(SHELL)
    done = subprocess.run(
        [sys.executable, "shell.py"],
        cwd=folder,
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=plain(folder),
    )
    assert done.returncode == 0, done.stderr
    return [Told(*json.loads(line)) for line in done.stdout.splitlines()]


def plain(folder: Path) -> dict[str, str]:
    """An environment in which IPython reads no profile of the user."""
    return {**os.environ, "IPYTHONDIR": str(folder / "ipython"), "JAX_PLATFORMS": "cpu"}


IMPORTS = """\
import jax, jax.numpy as jnp
from plum import dispatch
x = jnp.ones(())"""

AREA = """\
@dispatch
def area(a: jax.Array): return a * {}"""

TOTAL = """\
@jax.jit
def total(a): return 12 * area(a)"""

STACK = """\
@{}
@{}
def {}(a: jax.Array): return a"""

USE = "print(total(x))"


def test_a_shell(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import jax\nfrom plum import dispatch\n\n" + AREA.format(7) + "\n"
    )
    cells = {
        1: "%load_ext plum_jit_lint",
        2: IMPORTS,
        3: AREA.format(2) + "\n" + TOTAL,
        4: USE,
        5: "y = 1\n" + AREA.format(3),
        6: USE,
        7: "%plum_jit retrace",
        8: AREA.format(4),
        9: USE,
        10: "%plum_jit error",
        11: AREA.format(5),
        12: "%plum_jit warn",
        13: f"jax.clear_caches()\n{USE}",
        14: f"%%time\n\n{AREA.format(6)}",
        15: "%run script.py",
        16: f"{AREA.format(8)}\n1 / 0",
        17: f"{AREA.format(9)}\njax.clear_caches()",
        18: USE,
        19: "%plum_jit loud",
        20: "%plum_jit off",
        21: AREA.format(10),
        22: "%plum_jit",
        23: "%plum_jit warn",
        24: "def (",
        25: "total(x)\n" + AREA.format(11),
        26: "y = 1\n" + AREA.format(20).replace("@dispatch", "@dispatch  # noqa: PJ004"),
        27: "%%time\n\n" + AREA.format(21).replace("@dispatch", "@dispatch  # noqa: PJ004"),
        28: "y = 1\n" + STACK.format("jax.jit", "dispatch", "first"),
        29: "%%time\n\n" + STACK.format("dispatch", "jax.jit", "second"),
        30: "%plum_jit error",
        31: STACK.format("jax.jit  # noqa: PJ002", "dispatch", "third"),
        32: STACK.format("jax.jit", "dispatch", "fourth"),
        33: "from functools import cache\n"
        + STACK.format("dispatch", "cache", "fifth")
        + "\njitted = jax.jit(fifth)",
        34: "%reload_ext plum_jit_lint",
        35: "%unload_ext plum_jit_lint",
        36: AREA.format(12),
        37: "%plum_jit",
        38: "import sys\nwatch = sys.modules['plum_jit_lint.runtime.watch']\n"
        "print(watch._session, get_ipython().events.callbacks['post_run_cell'])",
    }
    told = dict(zip(cells, run_cells(tmp_path, *cells.values()), strict=True))
    silent = [1, 2, 3, 4, 6, 7, 9, 10, 12, 13, 17, 18, 20, 21, 22, 23]
    silent += [26, 27, 30, 31, 33, 35, 36, 38]
    assert {number: told[number].err for number in silent if told[number].err} == {}
    assert [n for n in told if not told[n].success] == [11, 16, 19, 24, 32, 37]

    assert told[5].err.splitlines() == [
        "In [5], line 2: PJ004 `area(a: Array)` comes too late: `total` was traced at In [4], "
        "line 1 and keeps `area(a: Array)` (In [3], line 1) for (Array[float32]). "
        "Register it before In [4], line 1 runs, or call `jax.clear_caches()` right after it.",
        "  In [4], line 1: `total` is traced here, and keeps what it chooses",
        "  In [3], line 4: `total` calls `area` here",
    ]
    assert told[6].out == "24.0\n"
    assert told[8].err == (
        "In [8], line 1: `area` got a method after a trace chose among the methods it had; JAX's "
        "caches were cleared, and the next calls trace again\n"
    )
    assert told[9].out == "48.0\n"
    assert "StaleJitError: In [11], line 1: PJ004" in told[11].out + told[11].err
    assert told[14].err.startswith("In [14], line 3: PJ004")
    assert told[15].err.startswith("In [15], line 1: PJ004")
    assert "\n  script.py:4: `area(a: Array)` is registered here" in told[15].err
    assert "ZeroDivisionError" in told[16].out
    assert told[16].err.startswith("In [16], line 1: PJ004")
    assert told[18].out == "108.0\n"
    assert told[19].err == (
        "UsageError: %plum_jit: expected one of error, warn, retrace, off, not 'loud' (or status)\n"
    )
    assert told[22].out.startswith("plum_jit: off (modes: error, warn, retrace, off)\nWatched: ")
    assert told[25].err.startswith("In [25], line 2: PJ004")
    assert told[28].err == (
        "In [28], line 2: PJ002 `first` has `jax.jit` above dispatch: dispatch sees tracers, and "
        "every wrapper of the function shares one trace cache. Put dispatch on top, or jit the "
        "caller.\n"
    )
    assert told[29].err.startswith("In [29], line 3: PJ001 `second` has dispatch above `jax.jit`")
    assert "StackedJitError: In [32], line 1: PJ002 `fourth`" in told[32].out + told[32].err
    assert told[34].err == (
        "plum_jit_lint: 1 function was compiled before: what they keep is unknown until "
        "jax.clear_caches().\n"
    )
    assert told[38].out == "None []\n"


def test_a_kernel(kernel: Any) -> None:
    assert kernel("%load_ext plum_jit_lint") == ("ok", "")
    kernel(IMPORTS)
    kernel(AREA.format(2))
    kernel(TOTAL)
    assert kernel("total(x)") == ("ok", "")
    # The same cell once more defines the same method.
    assert kernel(AREA.format(2)) == ("ok", "")
    status, text = kernel("z = 1\n" + AREA.format(3))
    assert status == "ok"
    assert text.splitlines() == [
        "In [7], line 2: PJ004 `area(a: Array)` comes too late: `total` was traced at In [5], "
        "line 1 and keeps `area(a: Array)` (In [6], line 1) for (Array[float32]). "
        "Register it before In [5], line 1 runs, or call `jax.clear_caches()` right after it.",
        "  In [5], line 1: `total` is traced here, and keeps what it chooses",
        "  In [4], line 2: `total` calls `area` here",
    ]
    kernel("%plum_jit error")
    status, text = kernel(AREA.format(4))
    assert status == "error"
    assert "In [9], line 1: PJ004" in text
    kernel("%plum_jit retrace")
    assert kernel(AREA.format(5))[1].startswith("In [11], line 1: `area` got a method")
    assert kernel("assert total(x) == 60") == ("ok", "")
    # A task that runs between the cells is watched as well.
    task = "import asyncio\nasync def later():\n    await asyncio.sleep(0)\n    redefine()\n"
    define = "def redefine():\n    global area\n    " + AREA.format(6).replace("\n", "\n    ")
    kernel(f"{define}\n{task}task = asyncio.ensure_future(later())")
    status, text = kernel("await task\nassert total(x) == 72")
    assert (status, "`area` got a method" in text) == ("ok", True), text
    quiet = AREA.format(7).replace("@dispatch", "@dispatch  # noqa: PJ004")
    kernel("%plum_jit warn")
    assert kernel(quiet) == ("ok", "")
    status, text = kernel(STACK.format("jax.jit", "dispatch", "side"))
    assert (status, text.startswith("In [17], line 1: PJ002 `side`")) == ("ok", True), text
    assert kernel("%unload_ext plum_jit_lint") == ("ok", "")
    assert kernel(AREA.format(8)) == ("ok", "")


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Any]:
    """Runs a cell in a kernel; returns its status and what it wrote to stderr, with what it
    raised."""
    pytest.importorskip("ipykernel")
    manager = pytest.importorskip("jupyter_client.manager")
    with contextlib.ExitStack() as stack:
        km, kc = manager.start_new_kernel(env=plain(tmp_path), cwd=str(tmp_path))
        stack.callback(km.shutdown_kernel, now=True)
        stack.callback(kc.stop_channels)

        def run(cell: str) -> tuple[str, str]:
            texts = []

            def hear(message: dict[str, Any]) -> None:
                content = message["content"]
                if message["msg_type"] == "stream" and content["name"] == "stderr":
                    texts.append(content["text"])
                if message["msg_type"] == "error":
                    texts.append("\n".join(content["traceback"]))

            reply = kc.execute_interactive(cell, timeout=60, output_hook=hear)
            return reply["content"]["status"], "".join(texts)

        yield run
