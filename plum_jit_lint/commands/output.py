"""What a command writes, and the code that it ends with."""

from __future__ import annotations

import errno
import io
import os
import sys
from argparse import Namespace
from dataclasses import replace
from typing import TextIO

from plum_jit_lint.findings import Finding
from plum_jit_lint.lint import Report
from plum_jit_lint.project.config import Settings
from plum_jit_lint.project.options import ConfigError
from plum_jit_lint.project.source_lines import printable

CLEAN, FOUND, TROUBLE, INTERRUPTED = 0, 1, 2, 130


def _errors_first(finding: Finding) -> int:
    return -finding.severity


class ClosedOutput(io.StringIO):
    """In place of a standard output that is closed: nothing can be written there."""

    def write(self, text: str) -> int:
        """Fails, as to write there would, unless there is nothing to write."""
        if text:
            raise OSError(errno.EBADF, "it is closed")
        return 0


def say(text: str) -> None:
    """Writes to standard output, which may be full or closed."""
    try:
        sys.stdout.write(text)
    except OSError as error:
        raise _cannot_write(error) from None
    flush()


def flush() -> None:
    """Everything is written now that is going to be."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise _cannot_write(error) from None


def forget_output() -> None:
    """What could not be written Python would try, and complain of, once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _cannot_write(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return error
    if not isinstance(sys.stdout, ClosedOutput):
        forget_output()
    return ConfigError(f"standard output cannot be written: {error.strerror or error}")


def write(report: Report, arguments: Namespace, settings: Settings) -> None:
    """Writes the report to the file that was named, else to standard output, in the form that the
    settings name."""
    output_format = settings.output_format
    if settings.sort == "severity" and output_format in ("text", "concise"):
        report = replace(report, findings=tuple(sorted(report.findings, key=_errors_first)))
    if arguments.output_file in (None, "-"):
        text = io.StringIO()
        _write_to(text, sys.stdout, report, arguments, output_format)
        say(text.getvalue())
    else:
        try:
            with open(arguments.output_file, "w", encoding="utf-8", errors="backslashreplace") as f:
                _write_to(f, f, report, arguments, output_format)
        except OSError as error:
            reason = error.strerror or error
            raise ConfigError(f"--output-file: {arguments.output_file}: {reason}") from None
    if output_format in ("text", "concise", "github"):
        from plum_jit_lint.report.concise import problem_line

        for problem in report.problems:
            print(problem_line(problem), file=sys.stderr)
        for one in report.incomplete if getattr(arguments, "verbose", False) else ():
            print(f"{printable(one.path)}: {one.message}", file=sys.stderr)


def _write_to(
    stream: TextIO, shown_on: TextIO, report: Report, arguments: Namespace, output_format: str
) -> None:
    from plum_jit_lint.report import render
    from plum_jit_lint.report.style import style_for

    style = style_for(shown_on, arguments.color)
    stream.write(render(report, output_format, style))
    if arguments.statistics:
        from plum_jit_lint.report.text import statistics

        # What another program reads on standard output stays whole.
        readable = output_format in ("text", "concise")
        (stream if readable else sys.stderr).write(statistics(report))
    if output_format == "text" and not arguments.quiet and (report.files or report.problems):
        from plum_jit_lint.report.text import summary

        stream.write(summary(report, style) + "\n")


def exit_code(report: Report, arguments: Namespace) -> int:
    """The exit code of a check: trouble comes before findings."""
    if report.problems:
        return TROUBLE
    return FOUND if report.failed and not arguments.exit_zero else CLEAN
