"""What the check and the run of a program agree on, for people and for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from plum_jit_lint.project.source_lines import printable
from plum_jit_lint.report.concise import printable_path, where
from plum_jit_lint.report.json import dumped
from plum_jit_lint.report.style import PLAIN, Style
from plum_jit_lint.verification import Answer, Verdict, Verified

_ANSWERS: tuple[Answer, ...] = ("confirmed", "static only", "runtime only")
_WIDTH = max(map(len, _ANSWERS)) + 2


def render_text(programs: Sequence[Verified], style: Style = PLAIN) -> str:
    """Every finding with the answer before it, and a sentence about all."""
    lines = []
    for program in programs:
        lines += [_verdict(verdict, style) for verdict in program.verdicts]
        if program.unseen:
            said = f"{program.program.shown}: not seen: {', '.join(program.unseen)}"
            lines.append(printable_path(said))
    if lines:
        lines.append("")
    return "\n".join([*lines, _summary(programs), ""])


def _verdict(verdict: Verdict, style: Style) -> str:
    finding = verdict.finding
    answer = f"{verdict.answer:{_WIDTH}}"
    painted = style.paint(answer, "good" if verdict.answer == "confirmed" else "error")
    severity = style.severity(finding.severity, f"{finding.severity.label}[{finding.code}]")
    text = f"{painted}{where(finding.place)}: {severity} {printable(finding.message)}"
    note = _note(verdict)
    return f"{text}\n{'':{_WIDTH}}{note}" if note else text


def _note(verdict: Verdict) -> str:
    if verdict.elsewhere is not None:
        return f"The run reports it at {where(verdict.elsewhere)}."
    if verdict.answer != "static only":
        return ""
    if verdict.reached:
        return "The run came to the registration, and does not show this."
    if verdict.cut_short:
        return "The run was ended before anybody could know."
    return "The run did not come to the registration."


def _summary(programs: Sequence[Verified]) -> str:
    count: Counter[str] = Counter(
        verdict.answer for program in programs for verdict in program.verdicts
    )
    parts = ", ".join(f"{count[answer]} {answer}" for answer in _ANSWERS)
    number = len(programs)
    return f"Verified {number} program{'' if number == 1 else 's'}: {parts}."


def render_json(programs: Sequence[Verified]) -> str:
    """One object; `message` and `severity` are those of the check, where it has the finding."""
    document = {"version": 1, "programs": [_program(program) for program in programs]}
    return dumped(document)


def _program(program: Verified) -> dict[str, Any]:
    return {
        "program": program.program.shown,
        "arguments": list(program.program.arguments),
        "agrees": program.agrees and program.problem is None,
        "problem": program.problem,
        "unseen": list(program.unseen),
        "findings": [
            {
                "answer": one.answer,
                "reached": None if one.cut_short and not one.reached else one.reached,
                "code": one.finding.code,
                "severity": one.finding.severity.label,
                "message": one.finding.message,
                "function": one.finding.function,
                "path": one.finding.place.path,
                "line": one.finding.place.line,
                "registration_path": one.registration.path,
                "registration_line": one.registration.line,
                "run_path": None if one.seen_at is None else one.seen_at.path,
                "run_line": None if one.seen_at is None else one.seen_at.line,
            }
            for one in program.verdicts
        ],
    }
