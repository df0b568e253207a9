"""Program folders as `python main.py` and `pytest` run them, many after one import of JAX.

    python tests/run_folders.py FOLDER ...

Each program runs in a child process of its own, in its folder; the answer is one JSON object a
line: the folder, whether all of its programs ended well, and what they wrote.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

import truth


def run(folder: Path, name: str) -> dict[str, Any]:
    """`main.py`, or with `pytest` the tests of the folder, in this process, which is of no use
    afterwards."""
    os.chdir(folder)
    sys.path[0] = str(folder)
    sys.argv = [name]
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
        try:
            if name == "pytest":
                import pytest

                code: object = pytest.main(["-p", "no:cacheprovider"])
            else:
                runpy.run_path(name, run_name="__main__")
                code = 0
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException:
            traceback.print_exc()
            code = 1
    return {"ok": code == 0, "written": written.getvalue()}


def main(folders: list[str]) -> None:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    truth.ready_to_fork()
    import pytest  # noqa: F401

    for folder in map(Path, folders):
        names = [name for name in ("main.py",) if (folder / name).is_file()]
        if any(folder.rglob("test_*.py")):
            names.append("pytest")
        answers = [
            truth.in_a_child(folder, lambda f=folder, n=name: run(f, n))  # type: ignore[misc]
            for name in names
        ]
        wrong = [answer for answer in answers if not answer["ok"]]
        answer = {"path": str(folder), "programs": names, "wrong": wrong}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
