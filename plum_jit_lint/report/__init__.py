"""What a report looks like: one module a format, each turning a `Report` into text."""

from __future__ import annotations

from plum_jit_lint.lint import Report
from plum_jit_lint.report.style import PLAIN, Style


def render(report: Report, output_format: str, style: Style = PLAIN) -> str:
    """`report` in one of the `FORMATS` of the settings; `style` matters to `text` alone."""
    if output_format == "text":
        from plum_jit_lint.report import text

        return text.render(report, style)
    if output_format == "json":
        from plum_jit_lint.report import json

        return json.render(report)
    if output_format == "sarif":
        from plum_jit_lint.report import sarif

        return sarif.render(report)
    if output_format == "github":
        from plum_jit_lint.report import github

        return github.render(report)
    from plum_jit_lint.report import concise

    return concise.render(report)
