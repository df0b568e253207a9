"""Findings for people: each with its source line and the places that explain it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from plum_jit_lint.findings import Finding, Place, Severity
from plum_jit_lint.lint import Report
from plum_jit_lint.project.shown_lines import Lines
from plum_jit_lint.project.source_lines import printable
from plum_jit_lint.report.concise import unused_line, where
from plum_jit_lint.report.style import PLAIN, Style

_TAB = "    "

NOTES_IN_FULL = 10
"""Notes that are shown with their lines; findings after which the summary says where errors are."""


def render(report: Report, style: Style = PLAIN) -> str:
    """All findings, an empty line after each."""
    lines = Lines(report.sources)
    findings = "".join(_findings(report.findings, lines, style))
    comments = "".join(f"{unused_line(comment)}\n" for comment in report.unused)
    return findings + (f"{comments}\n" if comments else "")


def _findings(findings: Sequence[Finding], lines: Lines, style: Style) -> Iterator[str]:
    """Each finding with the places that explain it; of a long list of notes the rest in one line
    each, so that they do not bury what is worse."""
    notes, short = 0, False
    for finding in findings:
        notes += finding.severity is Severity.NOTE
        if finding.severity is Severity.NOTE and notes > NOTES_IN_FULL:
            place = style.paint(where(finding.place), "place")
            kind = style.severity(finding.severity, f"note[{finding.code}]")
            yield f"{place}: {kind} {printable(finding.message)}\n"
            short = True
        else:
            yield ("\n" if short else "") + f"{_finding(finding, lines, style)}\n\n"
            short = False
    if short:
        yield "\n"


def summary(report: Report, style: Style = PLAIN) -> str:
    """What was found, in one sentence."""
    files = _count(report.files, "file")
    counts = Counter(finding.severity for finding in report.findings)
    parts = [
        style.severity(severity, _count(counts[severity], severity.label))
        for severity in sorted(Severity, reverse=True)
        if counts[severity]
    ]
    if report.unused:
        parts.append(_count(len(report.unused), "unused comment"))
    if parts:
        sentence = f"Found {_listed(parts)} in {files}."
        errors = [one for one in report.findings if one.severity is Severity.ERROR]
        if errors and len(report.findings) > NOTES_IN_FULL:
            sentence += f" The first error is at {where(errors[0].place)}."
    elif report.problems or report.incomplete:
        sentence = f"Found nothing in {files}."
    else:
        return style.paint(f"All clean: {files} checked.", "good")
    if report.problems:
        sentence += style.paint(f" {_count(len(report.problems), 'path')} not checked.", "error")
    if report.incomplete:
        count = _count(len(report.incomplete), "file")
        sentence += f" {count} not followed to the end (--verbose says why)."
    return sentence


def statistics(report: Report) -> str:
    """How many findings each code has, the most frequent first."""
    counts = Counter((f.code, f.name, f.severity) for f in report.findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = max((len(str(count)) for count in counts.values()), default=0)
    long = max((len(name) for _, name, _ in counts), default=0)
    return "".join(
        f"{count:>{width}}  {code}  {name:<{long}}  {severity.label}\n"
        for (code, name, severity), count in rows
    )


def _finding(finding: Finding, lines: Lines, style: Style) -> str:
    # What is marked already needs no second line.
    others = [related for related in finding.related if related.place != finding.place]
    numbers = [finding.place.line, *(related.place.line for related in others)]
    gutter = _Gutter(len(str(max(numbers))), style)
    kind = style.severity(finding.severity, f"{finding.severity.label}[{finding.code}]")
    message = style.paint(printable(finding.message), "bold")
    out = [f"{style.paint(where(finding.place), 'place')}: {kind} {finding.name}: {message}"]
    mark = finding.severity.label
    if finding.place.cell is not None and finding.place.cell.id is not None:
        out.append(gutter.note(f"cell id {printable(finding.place.cell.id)}"))
    out += gutter.excerpt(finding.place, lines, "^", mark)
    for related in others:
        place = style.paint(where(related.place), "place")
        out.append(f"{gutter.branch()}{place}: {printable(related.message)}")
        out += gutter.excerpt(related.place, lines, "-", "gutter")
    return "\n".join(out)


class _Gutter:
    """The column of line numbers on the left."""

    def __init__(self, width: int, style: Style) -> None:
        self.width = width
        self.style = style

    def excerpt(self, place: Place, lines: Lines, mark: str, role: str) -> list[str]:
        """The first line of `place` with the place marked; nothing when it cannot be read."""
        line = lines.get(place)
        if line is None:
            return []
        before, marked = _split(line, place)
        text = _shown(line).rstrip()
        underline = mark * max(1, _width(_shown(marked)))
        return [
            f"{self._bar(str(place.line))} {text}",
            f"{self._bar('')} {' ' * _width(_shown(before))}{self.style.paint(underline, role)}",
        ]

    def note(self, text: str) -> str:
        """A line with a word about the excerpt below it."""
        return f"{self._bar('')} {self.style.paint(text, 'gutter')}"

    def branch(self) -> str:
        """The beginning of a line that leads to another place."""
        return self.style.paint(f"{'':>{self.width}} {self.style.box('├╴')}", "gutter")

    def _bar(self, number: str) -> str:
        return self.style.paint(f"{number:>{self.width}} {self.style.box('│')}", "gutter")


def _split(line: str, place: Place) -> tuple[str, str]:
    """What stands before the place in its first line, and what of the line belongs to it."""
    start = place.column - 1
    end = place.end_column - 1 if place.end_line == place.line else len(line.rstrip())
    return line[:start], line[start:end]


def _shown(text: str) -> str:
    return printable(text.replace("\t", _TAB))


def _width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(_character_width(character) for character in text)


def _character_width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
