"""The command line: which command is meant, and how it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from plum_jit_lint.checking.one_file import internal_error
from plum_jit_lint.commands.output import (
    FOUND,
    INTERRUPTED,
    TROUBLE,
    ClosedOutput,
    flush,
    forget_output,
)
from plum_jit_lint.project.options import ConfigError
from plum_jit_lint.project.source_lines import printable


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _open_streams()
    try:
        code = _command(list(sys.argv[1:] if argv is None else argv))
        flush()
    except ConfigError as error:
        return _failed(f"error: {error}")
    except BrokenPipeError:
        # Whoever read the output has gone.
        forget_output()
        return FOUND
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return _failed(internal_error(error))
    return code


def _open_streams() -> None:
    """Whoever starts a program may have closed its streams: Python then has none, and the next file
    that is opened would take their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding cannot show must not end the run.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")


def _failed(sentence: str) -> int:
    print(f"plum-jit-lint: {printable(sentence)}", file=sys.stderr)
    return TROUBLE


def _command(given: list[str]) -> int:
    # Each command brings what it needs: a check does not wait for the parts of a run.
    if given[:1] == ["clean"]:
        from plum_jit_lint.commands import clean

        return clean.main(given[1:])
    if given[:1] == ["run"]:
        from plum_jit_lint.commands import run

        return run.main(given[1:])
    if given[:1] == ["verify"]:
        from plum_jit_lint.commands import verify

        return verify.main(given[1:])
    from plum_jit_lint.commands import check

    return check.main(given[1:] if given[:1] == ["check"] else given)
