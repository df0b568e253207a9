"""How often the checker agrees with real JAX, on small projects of several files.

    python -m benchmarks.accuracy [--workers N] [CATEGORY[/PROJECT] ...]

Each project of `benchmarks/projects` is executed under real plum and JAX, which tells the stale
registrations (`benchmarks/real.py`), and read by the checker, every file as a root. A finding is
right when its place, its code, the registration it speaks of and the function are those that the
run shows. Printed are precision and recall by category and in all, what is missed and what is
said wrongly, and the time.

`benchmarks/projects/known_misses.txt` lists the disagreements that are accepted, each with its
reason. The exit code is 1 for any other, and for one that is listed and not there any more.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tokenize
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.corpus import default_cache
from benchmarks.real import files, source_roots
from plum_jit_lint import Finding, Settings, lint_paths
from plum_jit_lint.findings import Role

PROJECTS = Path(__file__).parent / "projects"
KNOWN = PROJECTS / "known_misses.txt"
CODES = {"PJ003", "PJ004"}
EXPECT = re.compile(r"# expect: (.+)")
KNOWN_LINE = re.compile(r"(?P<project>\S+) (?P<file>\S+):(?P<line>\d+) (?P<code>\w+): (?P<why>.+)")


class Stale(NamedTuple):
    """A finding as it is compared: its place, and the registration that it is about."""

    file: str
    line: int
    code: str
    registration: str
    registration_line: int
    function: str

    def __str__(self) -> str:
        where = f"{self.registration}:{self.registration_line}"
        return f"{self.file}:{self.line} {self.code} ({self.function}, registered {where})"


class Said(NamedTuple):
    """A finding of the checker."""

    stale: Stale
    severity: str

    @property
    def place(self) -> tuple[str, int, str]:
        """File, line and code, as an `# expect:` comment gives them."""
        return self.stale[:3]


@dataclass
class Truth:
    """What the runs of a project's roots show.

    `always` is stale in every run of some root, `sometimes` in one only. `errors` tells of the
    roots that do not run.
    """

    always: set[Stale] = field(default_factory=set)
    sometimes: set[Stale] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    uses: int = 0

    @property
    def stale(self) -> set[Stale]:
        return self.always | self.sometimes


# --- the projects ------------------------------------------------------------------------------


def projects(wanted: Iterable[str] = ()) -> list[Path]:
    """The project folders, of all categories or of those that are named."""
    names = tuple(name.strip("/") for name in wanted)
    found = sorted(p for p in PROJECTS.glob("*/*") if p.is_dir() and p.name != "__pycache__")
    return [p for p in found if not names or title(p) in names or p.parent.name in names]


def title(project: Path) -> str:
    """`category/project`."""
    return project.relative_to(PROJECTS).as_posix()


def expected(project: Path) -> dict[tuple[str, int, str], str | None]:
    """File, line and code of each `# expect:` comment, with the severity where it gives one."""
    found: dict[tuple[str, int, str], str | None] = {}
    for file in files(project):
        name, source = file.relative_to(project).as_posix(), file.read_bytes()
        if b"# expect: " not in source:
            continue
        for token in tokenize.tokenize(io.BytesIO(source).readline):
            if token.type != tokenize.COMMENT:
                continue
            match = EXPECT.search(token.string)
            for word in match[1].split() if match else ():
                code, _, severity = word.partition("/")
                found[name, token.start[0], code] = severity or None
    return found


def known() -> dict[tuple[str, str, int, str], str]:
    """The accepted disagreements with their reasons."""
    found = {}
    for text in KNOWN.read_text(encoding="utf-8").splitlines():
        if text.strip() and not text.startswith("#"):
            match = KNOWN_LINE.fullmatch(text)
            if match is None:
                raise ValueError(f"{KNOWN.name}: cannot be read: {text}")
            key = (match["project"], match["file"], int(match["line"]), match["code"])
            found[key] = match["why"]
    return found


# --- the two answers ---------------------------------------------------------------------------


def checked(project: Path, roots: Sequence[Path] | None = None) -> list[Said]:
    """What the checker says about the order of things in a project, or in some of its files."""
    settings = Settings(source_roots=tuple(source_roots(project)), respect_gitignore=False)
    report = lint_paths(files(project) if roots is None else roots, settings)
    if report.problems:
        raise RuntimeError(f"{title(project)}: {report.problems[0]}")
    return [_said(finding, project) for finding in report.findings if finding.code in CODES]


def _said(finding: Finding, project: Path) -> Said:
    late = [r.place for r in finding.related if r.role is Role.REGISTRATION]
    registration = late[0] if late else finding.place
    inside = [
        Path(place.path).resolve().relative_to(project.resolve()).as_posix()
        for place in (finding.place, registration)
    ]
    stale = Stale(
        inside[0], finding.place.line, finding.code, inside[1], registration.line, finding.function
    )
    return Said(stale, finding.severity.label)


def truths(wanted: Sequence[Path], workers: int) -> dict[str, Truth]:
    """What real JAX does with the projects, by title."""
    batches = [list(wanted[n::workers]) for n in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        found: dict[str, Truth] = {}
        for part in pool.map(_ask_jax, batches):
            found.update(part)
    return found


def _ask_jax(batch: Sequence[Path]) -> dict[str, Truth]:
    compiled = default_cache().parent / "compiled-by-jax"
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "JAX_COMPILATION_CACHE_DIR": str(compiled),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.real", *map(str, batch)],
        cwd=Path(__file__).parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise RuntimeError(ended.stderr)
    found = {title(project): Truth() for project in batch}
    for line in ended.stdout.splitlines():
        answer = json.loads(line)
        told = found[title(Path(answer["project"]))]
        if not answer["ok"]:
            error = answer["error"].strip().splitlines()[-1]
            told.errors.append(f"{answer['root']}: {error}")
            continue
        told.always.update(Stale(*stale) for stale in answer["stale"])
        told.sometimes.update(Stale(*stale) for stale in answer["sometimes"])
        told.uses += answer["uses"]
    for told in found.values():
        told.sometimes -= told.always
    return found


def against_comments(project: Path, told: Truth) -> list[str]:
    """How a project's `# expect:` comments differ from what JAX does."""
    wanted = expected(project)
    shown = {stale[:3] for stale in told.stale}
    sure = {stale[:3] for stale in told.always}
    wrong = [f"does not run: {error}" for error in told.errors]
    for file, line, code in sorted(shown - set(wanted)):
        wrong.append(f"JAX shows {file}:{line} {code}, not expected")
    for (file, line, code), severity in sorted(wanted.items()):
        if (file, line, code) not in (sure if severity == "error" else shown):
            wrong.append(f"expected {file}:{line} {code}, JAX does not show it")
    if not told.uses and not told.errors:
        wrong.append("nothing is traced")
    return wrong


# --- the report --------------------------------------------------------------------------------


@dataclass
class Count:
    projects: int = 0
    agree: int = 0
    right: int = 0
    false: int = 0
    missed: int = 0

    def add(self, told: set[Stale], said: set[Stale]) -> None:
        self.projects += 1
        self.agree += told == said
        self.right += len(told & said)
        self.false += len(said - told)
        self.missed += len(told - said)

    def row(self, name: str) -> str:
        precision = self.right / (self.right + self.false) if self.right + self.false else 1.0
        recall = self.right / (self.right + self.missed) if self.right + self.missed else 1.0
        return (
            f"{name:22}{self.projects:9}{self.agree:8}{self.right:7}{self.false:7}{self.missed:8}"
            f"{precision:11.1%}{recall:9.1%}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m benchmarks.accuracy", description="Ask real JAX.")
    parser.add_argument("names", nargs="*", metavar="CATEGORY[/PROJECT]", help="only these")
    parser.add_argument("--workers", type=int, default=max(1, min(os.cpu_count() or 1, 8)))
    parser.add_argument("--verbose", action="store_true", help="every finding, right ones too")
    arguments = parser.parse_args(argv)
    wanted = projects(arguments.names)
    if not wanted:
        parser.error("no such project")

    start = perf_counter()
    answers: dict[str, list[Said]] = {}
    notes: list[str] = []
    for project in wanted:
        try:
            answers[title(project)] = checked(project)
        except Exception as error:  # every project is to be told of, a crash too
            answers[title(project)] = []
            notes.append(f"crash   {title(project)} {type(error).__name__}: {error}")
    read = perf_counter() - start
    start = perf_counter()
    told = truths(wanted, arguments.workers)
    ran = perf_counter() - start

    failed = bool(notes)
    accepted = known()
    counts: dict[str, Count] = {}
    total = Count()
    disagreements: set[tuple[str, str, int, str]] = set()
    for project in wanted:
        name, truth = title(project), told[title(project)]
        said = {one.stale for one in answers[name]}
        for count in (counts.setdefault(project.parent.name, Count()), total):
            count.add(truth.stale, said)
        for kind, differing in (("missed", truth.stale - said), ("false", said - truth.stale)):
            for one in sorted(differing):
                key = (name, one.file, one.line, one.code)
                disagreements.add(key)
                why = accepted.get(key)
                failed = failed or why is None
                notes.append(f"{kind:7} {name} {one}" + (f" -- known: {why}" if why else ""))
        for said_one in answers[name]:
            if said_one.severity == "error" and said_one.stale in truth.sometimes:
                notes.append(f"surer   {name} {said_one.stale}: an error, and not always so")
        for severity_note in _severities(project, answers[name]):
            notes.append(f"other   {name} {severity_note}")
        for problem in against_comments(project, truth):
            notes.append(f"comment {name} {problem}")
            failed = True
        if arguments.verbose:
            notes += [f"right   {name} {one}" for one in sorted(truth.stale & said)]
    for key in sorted(set(accepted) - disagreements):
        if key[0] in told:
            notes.append(f"known_misses.txt lists {key[0]} {key[1]}:{key[2]} {key[3]}: not so")
            failed = True

    print(f"{'':22}{'projects':>9}{'agree':>8}{'right':>7}{'false':>7}{'missed':>8}", end="")
    print(f"{'precision':>11}{'recall':>9}")
    for category, count in counts.items():
        print(count.row(category))
    print(total.row("all"))
    print(f"\nchecker {read:.1f} s, real JAX {ran:.1f} s with {arguments.workers} processes")
    if notes:
        print()
        print("\n".join(notes))
    return int(failed)


def _severities(project: Path, said: Iterable[Said]) -> Iterable[str]:
    wanted = expected(project)
    for one in said:
        severity = wanted.get(one.place)
        if severity not in (None, one.severity):
            yield f"{one.stale}: {one.severity}, expected {severity}"


if __name__ == "__main__":
    sys.exit(main())
