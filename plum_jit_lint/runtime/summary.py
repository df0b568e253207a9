"""What a watch saw, in a few lines, and its findings as a report."""

from __future__ import annotations

from plum_jit_lint.lint import Report, reported
from plum_jit_lint.project.config import Settings
from plum_jit_lint.runtime import stacked
from plum_jit_lint.runtime.watch import Watch

_HOLDING = "compiled functions that hold choices"


def report(watch: Watch, settings: Settings) -> Report:
    """The findings of a watch, of which `settings` leave out what nobody wants to hear of."""
    stacks = stacked.findings(watch.places, settings)
    return reported([*watch.findings, *stacks], settings, len(watch.places))


def summary(watch: Watch) -> str:
    """What was seen, and what could not be, a line each."""
    counts = watch.counts
    lines = [
        f"Watched: {_count(counts.dispatches, 'traced dispatch', 'traced dispatches')}, "
        f"{_count(counts.traces, 'compiled function that holds a choice', _HOLDING)}, "
        f"{_count(counts.registrations, 'registration')}, {watch.stale} stale, "
        f"{watch.retraced} retraced."
    ]
    if watch.unknown:
        noun = _count(watch.unknown, "function")
        lines.append(f"Unknown: {noun} compiled before the watch began.")
    if watch.unseen:
        lines.append(f"Not seen with this plum and JAX: {', '.join(watch.unseen)}.")
    return "\n".join(lines)


def _count(number: int, noun: str, nouns: str | None = None) -> str:
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"
