"""What a command writes, and the code that it ends with."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TextIO

from plum_jit_lint.lint import Report
from plum_jit_lint.project.config import Settings
from plum_jit_lint.project.options import ConfigError

CLEAN, FOUND, TROUBLE, INTERRUPTED = 0, 1, 2, 130


def write(report: Report, arguments: Namespace, settings: Settings) -> None:
    output_format = settings.output_format
    if arguments.output_file is None:
        _write_to(sys.stdout, report, arguments, output_format)
    else:
        try:
            with open(arguments.output_file, "w", encoding="utf-8", errors="backslashreplace") as f:
                _write_to(f, report, arguments, output_format)
        except OSError as error:
            reason = error.strerror or error
            raise ConfigError(f"--output-file: {arguments.output_file}: {reason}") from None
    if output_format in ("text", "concise", "github"):
        from plum_jit_lint.report.concise import problem_line

        sys.stdout.flush()
        for problem in report.problems:
            print(problem_line(problem), file=sys.stderr)


def _write_to(stream: TextIO, report: Report, arguments: Namespace, output_format: str) -> None:
    from plum_jit_lint.report import render
    from plum_jit_lint.report.style import style_for

    style = style_for(stream, arguments.color)
    stream.write(render(report, output_format, style))
    if arguments.statistics:
        from plum_jit_lint.report.text import statistics

        # What another program reads on standard output stays whole.
        readable = output_format in ("text", "concise")
        (stream if readable else sys.stderr).write(statistics(report))
    if output_format == "text" and not arguments.quiet:
        from plum_jit_lint.report.text import summary

        stream.write(summary(report, style) + "\n")


def exit_code(report: Report, arguments: Namespace, settings: Settings) -> int:
    if report.problems:
        return TROUBLE
    failed = any(finding.severity >= settings.fail_on for finding in report.findings)
    return FOUND if failed and not arguments.exit_zero else CLEAN
