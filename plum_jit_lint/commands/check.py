"""The check: paths and arguments become a report."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from plum_jit_lint.commands.arguments import add_files, add_output, add_selection, settings_of
from plum_jit_lint.commands.output import CLEAN, exit_code, write
from plum_jit_lint.lint import Report, lint_paths, lint_source
from plum_jit_lint.project.config import Settings
from plum_jit_lint.project.discovery import is_excluded
from plum_jit_lint.project.options import ConfigError
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

Settings stand in [tool.plum-jit-lint] of pyproject.toml; `# noqa: PJ004` silences a line.
"""


def main(given: Sequence[str]) -> int:
    """Checks what the arguments name; the exit code."""
    arguments = _parser().parse_args(given)
    if arguments.explain is not None:
        from plum_jit_lint.report.explain import explain
        from plum_jit_lint.report.style import style_for

        sys.stdout.write(explain(arguments.explain, style_for(sys.stdout, arguments.color)))
        return CLEAN
    paths = arguments.paths or ["."]
    if "-" in paths and len(paths) > 1:
        raise ConfigError("'-' (standard input) cannot be combined with other paths")
    if arguments.stdin_filename is not None and paths != ["-"]:
        raise ConfigError("--stdin-filename needs '-' as the only path")
    settings = settings_of(arguments, paths[0])
    report = _report(arguments, paths, settings)
    write(report, arguments, settings)
    return exit_code(report, arguments, settings)


def _report(arguments: Namespace, paths: list[str], settings: Settings) -> Report:
    if paths == ["-"]:
        name = arguments.stdin_filename
        if name is not None and settings.force_exclude and is_excluded(name, settings):
            return Report()
        return lint_source(sys.stdin.buffer.read(), name, settings)
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


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="plum-jit-lint",
        usage="%(prog)s [options] [PATH ...]",
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
    add_selection(parser)
    add_files(parser)
    add_output(parser)
    return parser
