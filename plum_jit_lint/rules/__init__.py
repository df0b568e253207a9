"""The four rules. They read events and know nothing of libcst or of JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TypeAlias

from plum_jit_lint.events import Timeline
from plum_jit_lint.findings import Finding, Place
from plum_jit_lint.rules import pj001, pj002, pj003, pj004


@dataclass(frozen=True, slots=True)
class Rule:
    """A code, what it is called, the page that explains it, and its judgement of a timeline."""

    code: str
    name: str
    text: str
    judge: Callable[[Timeline], Iterator[Finding]]


def _rule(module: ModuleType) -> Rule:
    text = f"# {module.CODE}: {module.NAME}\n\n{(module.__doc__ or '').strip()}\n"
    return Rule(module.CODE, module.NAME, text, module.judge)


RULES: Mapping[str, Rule] = {rule.code: rule for rule in map(_rule, (pj001, pj002, pj003, pj004))}


def judge(timelines: Iterable[Timeline]) -> list[Finding]:
    """The findings of all rules, in the order of their places. A place that several timelines
    report is one finding, of the highest severity, with the related places of all."""
    findings: dict[MergeKey, Finding] = {}
    for timeline in timelines:
        for rule in RULES.values():
            merge_into(findings, rule.judge(timeline))
    return in_order(findings)


MergeKey: TypeAlias = tuple[Place, str, str]


def merge_into(findings: dict[MergeKey, Finding], added: Iterable[Finding]) -> None:
    """Adds findings to those that are known; one that is known already is merged with it."""
    for finding in added:
        key = finding.merge_key
        findings[key] = _merged(findings[key], finding) if key in findings else finding


def in_order(findings: Mapping[MergeKey, Finding]) -> list[Finding]:
    """The findings in the order of their places."""
    return sorted(findings.values(), key=lambda finding: finding.merge_key)


def _merged(a: Finding, b: Finding) -> Finding:
    """Two findings about one place as one, of the higher severity, with the related places of
    both."""
    related = tuple(dict.fromkeys((*a.related, *b.related)))
    return replace(a if a.severity >= b.severity else b, related=related)
