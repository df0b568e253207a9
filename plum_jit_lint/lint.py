"""From paths or a source text to a report: the one flow that every entrance takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from plum_jit_lint.checking.one_file import (
    Checked,
    check_file,
    check_text,
    same_file,
    with_shown_paths,
)
from plum_jit_lint.checking.programs import Programs
from plum_jit_lint.checking.workers import check_all
from plum_jit_lint.findings import Cell, Finding, Problem, UnusedComment
from plum_jit_lint.project.config import Settings, SettingsTree, load_settings
from plum_jit_lint.project.discovery import discover
from plum_jit_lint.project.patterns import absolute, shown
from plum_jit_lint.project.source_lines import bytes_of_file, source_bytes, text_of
from plum_jit_lint.project.suppression import unsuppressed, unused

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found.

    `findings` are sorted by path, cell, line, column and code; `files` is how many files were
    checked; `sources` holds the texts of the files with findings, by path. `failed` says whether a
    finding is as severe as the settings of its file want for a failure; `unused` are the comments
    that silence nothing, where they are wanted. `notes` say what the run did without,
    `incomplete` of which files some was not followed, and why: it is no error of theirs.
    """

    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: int = 0
    sources: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    failed: bool = False
    unused: tuple[UnusedComment, ...] = ()
    notes: tuple[str, ...] = ()
    incomplete: tuple[Problem, ...] = ()


def lint_paths(
    paths: Iterable[str | os.PathLike[str]],
    settings: Settings | SettingsTree | None = None,
    *,
    progress: Progress | None = None,
    jobs: int = 1,
    cache: bool = False,
) -> Report:
    """Check the files that `paths` stand for, in `jobs` processes.

    Without `settings` those of each file come from the nearest pyproject.toml above it.
    `progress` is called after each file with the number of files done and of all files. With
    `cache`, what was found before in unchanged files is taken from the cache and kept there.
    """
    paths = list(paths)
    tree = _tree(settings)
    discovered = discover(paths, tree)
    problems = list(discovered.problems)
    named = _named(paths)
    checked: list[Checked] = []
    notes: list[str] = []
    for own, files in _projects(discovered.files, tree):
        programs = Programs(own)
        step = _further(progress, len(checked), len(discovered.files))
        checked += _checked(files, named, programs, step, jobs, cache, notes)
        problems += programs.problems()
    return replace(_report(checked, problems, tree), notes=tuple(dict.fromkeys(notes)))


def _tree(settings: Settings | SettingsTree | None) -> SettingsTree:
    if isinstance(settings, SettingsTree):
        return settings
    return SettingsTree(same_for_all=settings)


def _projects(files: Iterable[str], tree: SettingsTree) -> list[tuple[Settings, list[str]]]:
    """The files that have the same settings, together."""
    found: dict[int, tuple[Settings, list[str]]] = {}
    for file in files:
        settings = tree.of(os.path.dirname(file))
        found.setdefault(id(settings), (settings, []))[1].append(file)
    return list(found.values())


def _further(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Tells the progress of a part as that of the whole."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


def _named(paths: Iterable[str | os.PathLike[str]]) -> frozenset[str]:
    """The files that were named, and not found in a folder."""
    return frozenset(shown(path) for path in paths if not os.path.isdir(path))


def _checked(
    files: Sequence[str],
    named: frozenset[str],
    programs: Programs,
    progress: Progress | None,
    jobs: int,
    cache: bool,
    notes: list[str],
) -> list[Checked]:
    store = None
    if cache and any(map(programs.concern, files)):
        # Where nothing can matter, to look it up would take longer than to see that.
        from plum_jit_lint.cache.store import NoStoreError, open_store

        try:
            store = open_store(files[0], programs)
        except NoStoreError as error:
            notes.append(str(error))
    known = {} if store is None else store.known(files, programs)
    todo = [path for path in files if path not in known]
    done = len(known)
    for one in check_all(todo, programs, named, jobs):
        known[one.path] = one
        done += 1
        if progress is not None:
            progress(done, len(files))
    if store is not None:
        store.keep([known[path] for path in todo], programs, renew=True)
    return [known[path] for path in files]


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
    checked = check_text(name, source, programs)
    here = tuple(f for f in checked.findings if same_file(f.place.path, checked.path))
    told = _selected(checked.path, source, here, settings)
    problems = [*programs.problems(), *([checked.problem] if checked.problem else [])]
    rest = Report(
        problems=tuple(problems),
        files=checked.problem is None,
        incomplete=_incomplete(checked),
    )
    return _joined([told, rest])


def lint_program(path: str | os.PathLike[str], settings: Settings | None = None) -> Report:
    """Check the program that begins with the file `path`, and no other: what it finds may stand
    in any file that the program imports."""
    if settings is None:
        settings = load_settings(Path(path).parent)
    programs = Programs(settings)
    checked = check_file(shown(path), programs)
    if checked.problem is not None:
        return Report(problems=(*programs.problems(), checked.problem))
    return replace(
        reported(checked.findings, settings, 1),
        problems=programs.problems(),
        incomplete=_incomplete(checked),
    )


def _incomplete(checked: Checked) -> tuple[Problem, ...]:
    return tuple(
        Problem(checked.path, f"not followed to its end: {why}") for why in checked.incomplete
    )


def _report(checked: Sequence[Checked], problems: Sequence[Problem], tree: SettingsTree) -> Report:
    """The report of all files that were checked."""
    here: dict[str, list[Finding]] = {one.path: [] for one in checked}
    elsewhere: list[Finding] = []
    for one in checked:
        for finding in one.findings:
            own = same_file(finding.place.path, one.path)
            (here[one.path] if own else elsewhere).append(finding)
    told = {_place(finding) for found in here.values() for finding in found}
    for finding in elsewhere:
        # What stands in another file is told where that file is checked, and does not tell it by
        # itself.
        if finding.place.path in here and _place(finding) not in told:
            told.add(_place(finding))
            here[finding.place.path].append(finding)
    reports = [Report(problems=tuple(problems))]
    for one in checked:
        reports.append(Report(incomplete=_incomplete(one)))
        if one.problem is not None:
            reports.append(Report(problems=(one.problem,)))
            if not one.findings:
                continue
        found = here[one.path]
        settings = tree.of(os.path.dirname(one.path))
        source = bytes_of_file(one.path) if found or settings.unused_noqa else b""
        if source is None:
            # Without its text nobody knows what is silenced.
            reports.append(Report(problems=(Problem(one.path, "gone since it was checked"),)))
            continue
        reports.append(Report(files=int(one.problem is None)))
        reports.append(_selected(one.path, source, found, settings))
    return _joined(reports)


def reported(findings: Iterable[Finding], settings: Settings, files: int) -> Report:
    """A report of findings that were made elsewhere, as `settings` want it: selection, least
    severity and `# noqa`. `files` is how many files were looked at."""
    of_path: dict[str, list[Finding]] = {}
    full: dict[str, str] = {}
    for given in findings:
        finding = with_shown_paths(given)
        path = finding.place.path
        full[path] = given.place.path
        wanted = finding.severity >= settings.min_severity
        if wanted and settings.reports(finding.code, absolute(path)):
            of_path.setdefault(path, []).append(finding)
    reports = [Report(files=files)]
    for path, found in of_path.items():
        source = text_of(full[path])
        if source is None:
            # What was generated has no text.
            reports.append(Report(tuple(found), failed=_fails(found, settings)))
            continue
        kept = unsuppressed(found, source) if settings.noqa else found
        failed = _fails(kept, settings)
        reports.append(Report(tuple(kept), failed=failed, sources={path: source}))
    return _joined(reports)


def _fails(findings: Iterable[Finding], settings: Settings) -> bool:
    return any(finding.severity >= settings.fail_on for finding in findings)


def _selected(name: str, source: bytes, findings: Iterable[Finding], settings: Settings) -> Report:
    """What the settings and the comments leave of the findings in one file."""
    found = list(findings)
    idle = unused(name, found, source) if settings.unused_noqa else []
    findings = [
        finding
        for finding in found
        if finding.severity >= settings.min_severity
        and settings.reports(finding.code, absolute(name))
    ]
    if settings.noqa:
        findings = unsuppressed(findings, source)
    return Report(
        tuple(findings),
        failed=_fails(findings, settings) or bool(idle),
        unused=tuple(idle),
        sources={name: source} if findings else {},
    )


def _joined(reports: Iterable[Report]) -> Report:
    reports = list(reports)
    return Report(
        tuple(sorted((f for report in reports for f in report.findings), key=_order)),
        tuple(sorted((p for report in reports for p in report.problems), key=lambda p: p.path)),
        sum(report.files for report in reports),
        {path: text for report in reports for path, text in report.sources.items()},
        any(report.failed for report in reports),
        tuple(comment for report in reports for comment in report.unused),
        incomplete=tuple(one for report in reports for one in report.incomplete),
    )


def _order(finding: Finding) -> tuple[str, int, int, int, str]:
    place = finding.place
    return (place.path, _number(place.cell), place.line, place.column, finding.code)


def _place(finding: Finding) -> tuple[str, str, int, int]:
    place = finding.place
    return (finding.code, place.path, _number(place.cell), place.line)


def _number(cell: Cell | None) -> int:
    return 0 if cell is None else cell.number
