"""SARIF 2.1.0, for code scanning services and viewers."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from plum_jit_lint.findings import Finding, Place, Problem, Related, Role, UnusedComment
from plum_jit_lint.lint import Report
from plum_jit_lint.project.shown_lines import Lines
from plum_jit_lint.report.concise import problem_line, problem_text, unused_line, unused_text, where
from plum_jit_lint.rules import RULES
from plum_jit_lint.version import __version__

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
BASE = "SRCROOT"
FINGERPRINT = "plumJitLint/v1"


def render(report: Report) -> str:
    """The report as a SARIF log with one run."""
    return json.dumps(document(report), indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The report as the object that a SARIF log holds."""
    lines = Lines(report.sources)
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {BASE: {"uri": Path.cwd().as_uri().rstrip("/") + "/"}},
        "invocations": [
            {
                "executionSuccessful": not report.problems,
                "toolExecutionNotifications": [
                    *(_notification(one, _problem(one)) for one in report.problems),
                    *(_notification(one, _unused(one), "warning") for one in report.unused),
                ],
            }
        ],
        "results": [
            _result(finding, fingerprint, lines)
            for finding, fingerprint in zip(
                report.findings, fingerprints(report.findings, lines), strict=True
            )
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def fingerprints(findings: Iterable[Finding], lines: Lines) -> list[str]:
    """For each finding what it is recognised by after its line has moved.

    That is its code, its function, the text of its line, and which one it is of several in its
    file that are alike in these.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    prints = []
    for finding in findings:
        text = " ".join((lines.get(finding.place) or "").split())
        alike = (finding.code, finding.function, text)
        seen[(finding.place.path, *alike)] += 1
        number = seen[(finding.place.path, *alike)]
        joined = "\0".join((*alike, str(number))).encode("utf-8", errors="surrogatepass")
        prints.append(hashlib.sha256(joined).hexdigest()[:32])
    return prints


def _driver() -> dict[str, Any]:
    return {
        "name": "plum-jit-lint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [
            {
                "id": rule.code,
                "name": "".join(word.capitalize() for word in rule.name.split("-")),
                "shortDescription": {"text": rule.name.replace("-", " ").capitalize() + "."},
                "fullDescription": {"text": _first_paragraph(rule.text)},
                "help": {"text": rule.text, "markdown": rule.text},
                "properties": {"tags": ["jax", "plum", "correctness"]},
            }
            for rule in RULES.values()
        ],
    }


def _first_paragraph(text: str) -> str:
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    prose = [paragraph for paragraph in paragraphs if not paragraph.startswith("#")]
    return prose[0] if prose else text.strip()


def _result(finding: Finding, fingerprint: str, lines: Lines) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": list(RULES).index(finding.code),
        "level": finding.severity.label,
        "message": {"text": finding.message},
        "locations": [_location(finding.place, lines)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"function": finding.function},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_told(related, lines)}
            for number, related in enumerate(finding.related)
        ]
    flows = _flows(finding, lines)
    if flows:
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]} for flow in flows]
    return result


def _flows(finding: Finding, lines: Lines) -> list[list[dict[str, Any]]]:
    """For each first use the way down the calls, and to the registration that comes after."""
    ways: list[list[dict[str, Any]]] = []
    for related in finding.related:
        if related.role is Role.FIRST_USE:
            ways.append([_told(related, lines)])
        elif related.role is Role.CALL and ways:
            ways[-1].append(_told(related, lines))
    late = [_told(one, lines) for one in finding.related if one.role is Role.REGISTRATION]
    if not late:
        late = [{**_location(finding.place, lines), "message": {"text": finding.message}}]
    return [
        [
            {"location": location, "executionOrder": order}
            for order, location in enumerate((*way, *late), start=1)
        ]
        for way in ways
    ]


def _told(related: Related, lines: Lines) -> dict[str, Any]:
    return {**_location(related.place, lines), "message": {"text": related.message}}


def _location(place: Place, lines: Lines) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    if place.cell is None:
        return _physical(place, region)
    # A viewer shows the file: the line in the cell is told beside.
    return {
        **_physical(place, {"startLine": lines.in_file(place)}),
        "logicalLocations": [
            {
                "name": f"cell {place.cell.number}",
                "fullyQualifiedName": where(place),
                "kind": "cell",
                "properties": {"cell": place.cell.number, "cellId": place.cell.id, **region},
            }
        ],
    }


def _physical(place: Place, region: Mapping[str, int]) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(place.path), "region": region}}


def _artifact(path: str) -> Mapping[str, str]:
    if os.path.isabs(path):
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(os.fsencode(Path(path).as_posix())), "uriBaseId": BASE}


def _problem(problem: Problem) -> str:
    # A line in a cell is none of the file.
    return problem_text(problem) if problem.cell is None else problem_line(problem)


def _unused(comment: UnusedComment) -> str:
    return unused_text(comment) if comment.cell is None else unused_line(comment)


def _notification(told: Problem | UnusedComment, text: str, level: str = "error") -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(told.path)}
    if told.line is not None and told.cell is None:
        location["region"] = {"startLine": told.line, "startColumn": told.column or 1}
    return {
        "level": level,
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
    }
