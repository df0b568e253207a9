"""From paths or a source text to a report: the one flow that every entrance takes."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from plum_jit_lint.config import Settings, load_settings
from plum_jit_lint.discovery import discover
from plum_jit_lint.findings import Finding, Place, Problem
from plum_jit_lint.patterns import absolute, shown
from plum_jit_lint.sourcelines import printable, source_bytes
from plum_jit_lint.suppression import unsuppressed

if TYPE_CHECKING:
    from plum_jit_lint.static import Program

STDIN = "stdin"
"""What reports call a text that has no file, as flake8 does."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found.

    `findings` are sorted by path, line, column and code; `files` is how many files were checked;
    `sources` holds the texts of the files with findings, by path.
    """

    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: int = 0
    sources: Mapping[str, bytes] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Programs:
    """The program that each file belongs to, told by the folders its imports are looked for in.

    Kept for a whole run, because a program remembers the modules it has read.
    """

    settings: Settings
    _programs: dict[tuple[Path, ...], Program] = field(default_factory=dict)
    _roots: dict[Path, tuple[Path, ...]] = field(default_factory=dict)

    @cached_property
    def _followed(self) -> tuple[dict[str, Path], tuple[str, ...]]:
        if not self.settings.follow:
            return {}, ()
        from plum_jit_lint.environment import folders_of

        return folders_of(self.settings.follow)

    def problems(self) -> tuple[Problem, ...]:
        """The packages that the settings say to follow and that cannot be found."""
        return tuple(
            Problem(name, "named in `follow`, but not installed where plum-jit-lint looks for it")
            for name in self._followed[1]
        )

    def roots(self, path: str | None) -> tuple[Path, ...]:
        """The source roots of the file `path`; a text without a path has no neighbours."""
        if path is None:
            return ()
        folder = absolute(path).parent
        if folder not in self._roots:
            self._roots[folder] = self.settings.roots_for(folder)
        return self._roots[folder]

    def of(self, path: str | None) -> Program:
        """The program of the file `path`."""
        from plum_jit_lint.static import Program

        roots = self.roots(path)
        if roots not in self._programs:
            self._programs[roots] = Program(
                roots,
                self.settings.extend_jit,
                self.settings.extend_dispatchers,
                self._followed[0],
            )
        return self._programs[roots]


def lint_paths(
    paths: Iterable[str | os.PathLike[str]],
    settings: Settings | None = None,
    *,
    progress: Progress | None = None,
) -> Report:
    """Check the files that `paths` stand for.

    Without `settings` they come from the nearest pyproject.toml above the first path.
    `progress` is called after each file with the number of files done and of all files.
    """
    paths = list(paths)
    if settings is None:
        settings = load_settings(paths[0] if paths else ".")
    discovered = discover(paths, settings)
    programs = Programs(settings)
    reports = [Report(problems=(*discovered.problems, *programs.problems()))]
    elsewhere: dict[str, list[Finding]] = {}
    for done, path in enumerate(discovered.files, start=1):
        reports.append(_lint_file(path, programs, elsewhere))
        if progress is not None:
            progress(done, len(discovered.files))
    told = {_place(finding) for report in reports for finding in report.findings}
    for path in discovered.files:
        more = {_place(f): f for f in elsewhere.get(path, ()) if _place(f) not in told}
        if more:
            reports.append(_reported(path, Path(path).read_bytes(), [*more.values()], settings))
    return _joined(reports)


def lint_source(
    source: bytes | str,
    path: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
) -> Report:
    """Check one text as if it stood in the file `path`; without `path` it has no neighbours."""
    if settings is None:
        settings = load_settings(Path(path).parent if path is not None else ".")
    if isinstance(source, str):
        source = source_bytes(source)
    name = shown(path) if path is not None else None
    programs = Programs(settings)
    report = _lint_text(name, source, programs, {})
    return _joined([Report(problems=programs.problems()), report])


def lint_program(path: str | os.PathLike[str], settings: Settings | None = None) -> Report:
    """Check the program that begins with the file `path`, and no other: what it finds may stand
    in any file that the program imports."""
    name = shown(path)
    if settings is None:
        settings = load_settings(Path(path).parent)
    programs = Programs(settings)
    try:
        findings = _analysed(name, Path(path).read_bytes(), programs, parsed=False)
    except OSError as error:
        return Report(problems=(Problem(name, (error.strerror or str(error)).lower()),))
    except Exception as error:
        return Report(problems=(_problem(name, error),))
    report = reported(findings, settings, 1)
    return replace(report, problems=programs.problems())


def analyse(
    path: str | None, source: bytes, programs: Programs, *, parsed: bool = False
) -> list[Finding]:
    """All findings that stand in one file, before selection and `# noqa`.

    `parsed` says that somebody has seen already that it can be. Raises as `_analysed` does.
    """
    name = path or STDIN
    findings = _analysed(path, source, programs, parsed)
    return [f for f in findings if _same_file(f.place.path, name)]


def _analysed(path: str | None, source: bytes, programs: Programs, parsed: bool) -> list[Finding]:
    """All findings of the program that begins with one file. A few of them stand in another
    file: those of an import that runs both the jitted call and the late registration.

    Raises `plum_jit_lint.static.SourceError` for a text that cannot be decoded or parsed.
    """
    from plum_jit_lint.rules import judge
    from plum_jit_lint.static import observe

    name = path or STDIN
    timelines = observe(name, source, programs.of(path))
    if not timelines and not parsed:
        # The observer reads only what can matter; a broken file is to be told of all the same.
        _require_syntax(source)
    return [_with_shown_paths(finding) for finding in judge(timelines)]


def _require_syntax(source: bytes) -> None:
    """Raises `SourceError` unless `source` is Python."""
    from plum_jit_lint.static.reading.source import read_source

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # It may be newer syntax than this Python's.
        read_source(source, by_libcst=True)


def reported(findings: Iterable[Finding], settings: Settings, files: int) -> Report:
    """A report of findings that were made elsewhere, as `settings` want it: selection, least
    severity and `# noqa`. `files` is how many files were looked at."""
    of_path: dict[str, list[Finding]] = {}
    for finding in map(_with_shown_paths, findings):
        path = finding.place.path
        wanted = finding.severity >= settings.min_severity
        if wanted and settings.reports(finding.code, absolute(path)):
            of_path.setdefault(path, []).append(finding)
    reports = [Report(files=files)]
    for path, found in of_path.items():
        try:
            source = Path(path).read_bytes()
        except OSError:
            # What was typed or generated has no file.
            reports.append(Report(tuple(found)))
            continue
        kept = unsuppressed(found, source) if settings.noqa else found
        reports.append(Report(tuple(kept), sources={path: source}))
    return _joined(reports)


def internal_error(error: Exception) -> str:
    """A sentence for an error that is this program's own fault; raises it when debugging."""
    if os.environ.get("PLUM_JIT_LINT_DEBUG") == "1":
        raise error
    text = printable(str(error).partition("\n")[0])
    return f"internal error: {type(error).__name__}" + (f": {text}" if text else "")


def _lint_file(path: str, programs: Programs, elsewhere: dict[str, list[Finding]]) -> Report:
    try:
        source = Path(path).read_bytes()
    except OSError as error:
        return Report(problems=(Problem(path, (error.strerror or str(error)).lower()),))
    return _lint_text(path, source, programs, elsewhere)


def _lint_text(
    path: str | None, source: bytes, programs: Programs, elsewhere: dict[str, list[Finding]]
) -> Report:
    """Checks one text; `elsewhere` takes up what is found in other files, by their paths."""
    name = path or STDIN
    here: list[Finding] = []
    try:
        for finding in _analysed(path, source, programs, parsed=False):
            if _same_file(finding.place.path, name):
                here.append(finding)
            else:
                elsewhere.setdefault(finding.place.path, []).append(finding)
        return replace(_reported(name, source, here, programs.settings), files=1)
    except Exception as error:
        return Report(problems=(_problem(name, error),))


def _reported(name: str, source: bytes, findings: list[Finding], settings: Settings) -> Report:
    """What the settings and the comments leave of the findings in one file."""
    findings = [
        finding
        for finding in findings
        if finding.severity >= settings.min_severity
        and settings.reports(finding.code, absolute(name))
    ]
    if settings.noqa:
        findings = unsuppressed(findings, source)
    return Report(tuple(findings), sources={name: source} if findings else {})


def _problem(name: str, error: Exception) -> Problem:
    # Imported late: an error in loading the observer is to be told like any other.
    from plum_jit_lint.static import SourceError

    if isinstance(error, SourceError):
        return Problem(name, printable(error.message), error.line, error.column)
    return Problem(name, internal_error(error))


def _joined(reports: Iterable[Report]) -> Report:
    reports = list(reports)
    return Report(
        tuple(sorted((f for report in reports for f in report.findings), key=_order)),
        tuple(sorted((p for report in reports for p in report.problems), key=lambda p: p.path)),
        sum(report.files for report in reports),
        {path: text for report in reports for path, text in report.sources.items()},
    )


def _order(finding: Finding) -> tuple[str, int, int, str]:
    place = finding.place
    return (place.path, place.line, place.column, finding.code)


def _place(finding: Finding) -> tuple[str, str, int]:
    return (finding.code, finding.place.path, finding.place.line)


def _same_file(path: str, name: str) -> bool:
    return path == name or (name != STDIN and absolute(path) == absolute(name))


def _with_shown_paths(finding: Finding) -> Finding:
    related = tuple(replace(r, place=_with_shown_path(r.place)) for r in finding.related)
    return replace(finding, place=_with_shown_path(finding.place), related=related)


def _with_shown_path(place: Place) -> Place:
    if place.path == STDIN or place.path.startswith("<"):
        return place
    return replace(place, path=shown(place.path))
