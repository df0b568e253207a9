"""The child process of `plum-jit-lint verify`: runs a program under the watch, and writes down
what was seen.

    python -m plum_jit_lint.runtime.child ANSWER (script|module|pytest) NAME [ARGUMENT ...]

ANSWER is a file that takes one JSON object: `code`, the exit code of the program; `problem`, why
it could not be started, or `null`; `findings`; `registered`, the lines of each file at which
something was registered; `unseen`, what this plum and JAX do not let the watch see.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plum_jit_lint.finding_codec import encode

_IMPORTED_BEFORE = (
    "ignore:Module already imported so cannot be rewritten; plum_jit_lint"
    ":pytest.PytestAssertRewriteWarning"
)
"""pytest would warn that this package, which has its plugin, is here already; and a warning fails
the run of whoever makes errors of them."""


def main(given: Sequence[str]) -> int:
    """Runs the program and writes the answer."""
    answer_file, kind, *program = given
    # Where this process was started is not on the path of the program.
    del sys.path[0]
    answer = _answer(kind, program)
    Path(answer_file).write_text(json.dumps(answer), encoding="utf-8")
    return 0


def _answer(kind: str, program: list[str]) -> dict[str, Any]:
    try:
        from plum_jit_lint.runtime import run
    except ImportError as error:
        return {"problem": str(error)}
    try:
        if kind == "pytest":
            ended = _pytest(program)
        elif kind == "module":
            ended = run.run_module(program[0], program[1:], "collect")
        else:
            ended = run.run_script(program[0], program[1:], "collect")
    except run.CannotRun as error:
        return {"problem": str(error)}
    watch = ended.watch
    return {
        "problem": None,
        "code": ended.code,
        "findings": [encode(finding) for finding in [*watch.findings, *watch.stacked]],
        "registered": {path: sorted(lines) for path, lines in watch.places.items()},
        "unseen": list(watch.unseen),
    }


def _pytest(arguments: list[str]) -> Any:
    from plum_jit_lint.runtime.run import CannotRun, Ended
    from plum_jit_lint.runtime.watch import watch

    try:
        import pytest
    except ImportError:
        raise CannotRun("pytest is not installed") from None
    # As `python -m pytest` has it.
    sys.path.insert(0, str(Path.cwd()))
    with watch("collect") as seen:
        code = int(pytest.main(["-W", _IMPORTED_BEFORE, *arguments]))
    return Ended(code, seen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
