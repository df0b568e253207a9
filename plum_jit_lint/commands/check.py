"""The check: paths and arguments become a report."""

from __future__ import annotations

import os
import sys
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence

from plum_jit_lint.commands.arguments import (
    Parser,
    add_files,
    add_output,
    add_selection,
    settings_tree,
)
from plum_jit_lint.commands.output import CLEAN, exit_code, say, write
from plum_jit_lint.findings import Problem
from plum_jit_lint.lint import Report, lint_paths, lint_source
from plum_jit_lint.project.config import Settings, SettingsTree
from plum_jit_lint.project.discovery import NOT_CHECKED, discover, is_checked, is_excluded
from plum_jit_lint.project.options import CODES, ConfigError
from plum_jit_lint.project.patterns import shown
from plum_jit_lint.project.source_lines import printable
from plum_jit_lint.version import __version__

_DESCRIPTION = """\
Find compiled JAX functions that keep an old plum method.

  PJ001  jit-inside-dispatch                a definition with dispatch above jit
  PJ002  dispatch-inside-jit                a definition with jit above dispatch
  PJ003  registered-after-jitted-use        a method added after its function was jitted and called
  PJ004  registered-after-traced-by-caller  a method added after a jitted caller was called
"""

_EPILOG = """\
examples:
  plum-jit-lint                          check the current folder
  plum-jit-lint src tests --select PJ004
  plum-jit-lint --output-format concise src | grep error
  plum-jit-lint --explain PJ003
  cat module.py | plum-jit-lint - --stdin-filename src/module.py
  plum-jit-lint clean                    remove the cache of this project
  plum-jit-lint run script.py            run a program and watch it (see: plum-jit-lint run -h)
  plum-jit-lint verify script.py         check it, run it, and compare (plum-jit-lint verify -h)

exit codes:
  0  nothing found at or above --fail-on
  1  something found
  2  a file could not be read (all others were still checked), or bad arguments or settings

A file or folder called 'check', 'clean', 'run' or 'verify' is checked as './check'.
Settings stand in [tool.plum-jit-lint] of pyproject.toml; `# noqa: PJ004` silences a line.
"""


def main(given: Sequence[str]) -> int:
    """Checks what the arguments name; the exit code."""
    arguments = _parser().parse_intermixed_args(given)
    if arguments.explain is not None:
        from plum_jit_lint.report.explain import explain
        from plum_jit_lint.report.style import style_for

        say(explain(arguments.explain, style_for(sys.stdout, arguments.color)))
        return CLEAN
    paths = arguments.paths or ["."]
    if "-" in paths and len(paths) > 1:
        raise ConfigError("'-' (standard input) cannot be combined with other paths")
    if arguments.stdin_filename is not None and paths != ["-"]:
        raise ConfigError("--stdin-filename needs '-' as the only path")
    if "" in paths:
        raise ConfigError("'' is no path")
    tree = settings_tree(arguments)
    if paths == ["-"]:
        settings = tree.of(os.path.dirname(arguments.stdin_filename or ""))
        report = _of_standard_input(arguments.stdin_filename, settings)
    else:
        settings = tree.of_all(paths)
        report = _of_files(arguments, paths, tree)
    write(report, arguments, settings)
    for sentence in _doubts(report, paths, settings):
        print(f"plum-jit-lint: warning: {printable(sentence)}", file=sys.stderr)
    for sentence in report.notes if arguments.verbose else ():
        print(f"plum-jit-lint: {printable(sentence)}", file=sys.stderr)
    return exit_code(report, arguments)


def _doubts(report: Report, paths: list[str], settings: Settings) -> Iterator[str]:
    """Why that nothing was found may mean nothing."""
    if not any(map(settings.selects, CODES)):
        yield f"no code is selected: select and ignore leave none of {', '.join(CODES)}"
    if report.files or report.problems:
        return
    everything = Settings(respect_gitignore=False)
    left_out = paths == ["-"] or discover(paths, everything).files
    why = "all of it is left out (exclude, .gitignore)" if left_out else "there are no Python files"
    where = "" if paths in (["."], ["-"]) else f" in {', '.join(paths)}"
    yield f"nothing was checked{where}: {why}"


def _of_standard_input(name: str | None, settings: Settings) -> Report:
    if sys.stdin is None:
        raise ConfigError("standard input is closed")
    source = sys.stdin.buffer.read()
    if name is not None and settings.force_exclude and is_excluded(name, settings):
        return Report()
    if name is not None and not is_checked(name, source):
        return Report(problems=(Problem(shown(name), NOT_CHECKED),))
    return lint_source(source, name, settings)


def _of_files(arguments: Namespace, paths: list[str], settings: SettingsTree) -> Report:
    jobs = arguments.jobs or _cores()
    if arguments.quiet:
        return lint_paths(paths, settings, jobs=jobs, cache=arguments.cache)

    from plum_jit_lint.report.progress import progress_on

    with progress_on(sys.stderr) as progress:
        return lint_paths(paths, settings, progress=progress, jobs=jobs, cache=arguments.cache)


def _cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _parser() -> Parser:
    parser = Parser(
        prog="plum-jit-lint",
        usage="%(prog)s [check] [options] [PATH ...]",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, notebooks and folders to check (default: the current folder); "
        "'-' is standard input",
    )
    parser.add_argument("--version", action="version", version=f"plum-jit-lint {__version__}")
    parser.add_argument("--explain", metavar="CODE", help="tell what a code means, and stop")
    add_selection(parser).add_argument(
        "--unused-noqa",
        action="store_true",
        help="report comments such as `# noqa: PJ004` that silence nothing, and exit with 1",
    )
    add_files(parser)
    add_output(parser)
    return parser
