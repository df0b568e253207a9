"""Programs under `plum-jit-lint run`, many in one process: what they are found to do.

    python tests/runtime/programs.py FILE ...

Each file runs in a child process of its own, by the command line itself, and the answer is one
JSON object a line: its findings and its exit code. Lines `# run: expression` and functions
named `test_*` are called when the program has ended, by lines that are added below its own.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import truth


def whole(path: Path) -> str:
    """The program, and what is called when it has ended."""
    source = path.read_text()
    tests = [
        f"{node.name}()"
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    return "\n".join([source.rstrip("\n"), *truth.RUN.findall(source), *tests, ""])


def run(path: Path) -> dict[str, Any]:
    """The program under the command, in this process, which is of no use afterwards."""
    from plum_jit_lint import cli

    # The lines stay where they are, so the findings do; only the end of the file is another.
    source = whole(path)
    real = io.open_code
    io.open_code = lambda name: (
        io.BytesIO(source.encode()) if Path(name) == path else real(name)  # type: ignore[assignment,return-value]
    )
    written = io.StringIO()
    answer: dict[str, Any] = {"path": str(path)}
    try:
        with contextlib.redirect_stdout(written):
            options = ["--isolated", "--quiet", "--disable-noqa", "--output-format", "json"]
            answer["code"] = cli.main(["run", *options, str(path)])
        text = written.getvalue()
        answer["findings"] = [
            (one["path"], one["line"], one["code"], one["severity"])
            for one in json.loads(text[text.index('{\n  "version"') :])["findings"]
        ]
    except BaseException:
        answer["error"] = traceback.format_exc()
    return answer


def main(arguments: list[str]) -> None:
    truth.ready_to_fork()
    import libcst  # noqa: F401

    import plum_jit_lint.cli
    import plum_jit_lint.report.json
    import plum_jit_lint.runtime.run
    import plum_jit_lint.runtime.summary
    import plum_jit_lint.static.observer  # noqa: F401

    for name in arguments:
        path = Path(name)
        answer = truth.in_a_child(path, lambda path=path: run(path))  # type: ignore[misc]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
