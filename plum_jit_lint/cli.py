"""The command line: arguments and exit codes, no analysis."""

from __future__ import annotations

import os
import sys
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
    _ArgumentGroup,
)
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from plum_jit_lint.checking.one_file import internal_error
from plum_jit_lint.lint import Report, lint_paths, lint_source
from plum_jit_lint.project.config import Settings, load_settings
from plum_jit_lint.project.discovery import is_excluded
from plum_jit_lint.project.options import FORMATS, SEVERITIES, ConfigError
from plum_jit_lint.version import __version__

CLEAN, FOUND, TROUBLE, INTERRUPTED = 0, 1, 2, 130

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


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal's encoding cannot show must not end the run.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        given = list(sys.argv[1:] if argv is None else argv)
        commands = {"run": _watch, "verify": _verify}
        if given and given[0] in commands:
            code = commands[given[0]](given[1:])
        elif given == ["clean"]:
            code = _clean()
        else:
            code = _run(_parser().parse_args(given))
        sys.stdout.flush()
    except ConfigError as error:
        return _failed(f"error: {error}")
    except BrokenPipeError:
        # Whoever read the output has gone; Python would complain once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return _failed(internal_error(error))
    return code


def _failed(sentence: str) -> int:
    print(f"plum-jit-lint: {sentence}", file=sys.stderr)
    return TROUBLE


def _run(arguments: Namespace) -> int:
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
    settings = _settings(arguments, paths[0])
    report = _report(arguments, paths, settings)
    _write(report, arguments, settings)
    return _exit_code(report, arguments, settings)


def _clean() -> int:
    """`plum-jit-lint clean`: removes the cache of this project."""
    from plum_jit_lint.cache.store import clean

    removed = clean(".")
    for folder in removed:
        print(f"removed {folder}")
    if not removed:
        print("no cache here")
    return CLEAN


def _watch(given: Sequence[str]) -> int:
    """`plum-jit-lint run`: the program's own exit code, or that of the findings."""
    parser = _run_parser()
    options, program = _divided(given, parser)
    arguments = parser.parse_args(options)
    if not program:
        raise ConfigError("run: expected a script, or '-m' and a module")
    try:
        from plum_jit_lint.runtime import run, summary
    except ImportError as error:
        raise ConfigError(str(error)) from None
    is_module = program[0] == "-m"
    if is_module and len(program) == 1:
        raise ConfigError("run: expected a module after '-m'")
    settings = _settings(arguments, "." if is_module else program[0])
    try:
        if is_module:
            ended = run.run_module(program[1], program[2:], arguments.on_stale)
        else:
            ended = run.run_script(program[0], program[1:], arguments.on_stale)
    except run.CannotRun as error:
        raise ConfigError(f"run: {error}") from None
    report = summary.report(ended.watch, settings)
    sys.stdout.flush()
    _write(report, arguments, settings)
    sys.stdout.flush()
    if not arguments.quiet:
        print(summary.summary(ended.watch), file=sys.stderr)
    return ended.code or _exit_code(report, arguments, settings)


def _verify(given: Sequence[str]) -> int:
    """`plum-jit-lint verify`: 0 when the check and the run agree."""
    parser = _verify_parser()
    options, named = _divided(given, parser)
    arguments = parser.parse_args(options)
    is_module, is_pytest = named[:1] == ["-m"], named[:1] == ["--pytest"]
    if is_module or is_pytest:
        named = named[1:]
    if not named and not is_pytest:
        wanted = "a module after '-m'" if is_module else "a script, a folder of scripts, or '-m'"
        raise ConfigError(f"verify: expected {wanted}")
    from plum_jit_lint.commands import verify
    from plum_jit_lint.report import verified

    settings = _settings(arguments, "." if is_module or is_pytest else named[0])
    if is_pytest:
        programs = [verify.Program("pytest", "", tuple(named))]
    elif is_module:
        programs = [verify.Program("module", named[0], tuple(named[1:]))]
    else:
        programs = verify.programs(named[0], named[1:], settings)
    if not programs:
        raise ConfigError(f"verify: {named[0]}: no Python files")
    found = [
        verify.verify(one, settings, timeout=arguments.timeout, quiet=arguments.quiet)
        for one in programs
    ]
    if arguments.output_format == "json":
        text = verified.render_json(found)
    else:
        from plum_jit_lint.report.style import style_for

        text = verified.render_text(found, style_for(sys.stdout, arguments.color))
    sys.stdout.write(text)
    sys.stdout.flush()
    for one in found:
        if one.problem is not None:
            _failed(f"error: verify: {one.program.shown}: {one.problem}")
    if any(one.problem is not None for one in found):
        return TROUBLE
    return CLEAN if all(one.agrees for one in found) else FOUND


def _divided(given: Sequence[str], parser: ArgumentParser) -> tuple[list[str], list[str]]:
    """The options of a command, and the program with its own arguments."""
    valued = {
        option
        for action in parser._actions
        if action.nargs is None and action.option_strings
        for option in action.option_strings
    }
    position = 0
    while position < len(given) and given[position].startswith("-") and given[position] != "-":
        if given[position] in ("-m", "--pytest"):
            break
        if given[position] == "--":
            return list(given[:position]), list(given[position + 1 :])
        position += 2 if given[position] in valued else 1
    return list(given[:position]), list(given[position:])


def _settings(arguments: Namespace, start: str) -> Settings:
    if start == "-":
        start = str(Path(arguments.stdin_filename or ".").parent)
    listed = {
        "select": arguments.select,
        "ignore": arguments.ignore,
        "extend-select": arguments.extend_select,
        "exclude": arguments.exclude,
        "extend-exclude": arguments.extend_exclude,
    }
    overrides: dict[str, object] = {
        "force-exclude": arguments.force_exclude,
        "min-severity": arguments.min_severity,
        "fail-on": arguments.fail_on,
        "output-format": arguments.output_format,
        **{key: _split(values) for key, values in listed.items() if values is not None},
    }
    if arguments.per_file_ignores is not None:
        overrides["per-file-ignores"] = _file_ignores(arguments.per_file_ignores)
    settings = load_settings(
        start,
        config=arguments.config,
        isolated=arguments.isolated,
        overrides={key: value for key, value in overrides.items() if value is not None},
    )
    return replace(settings, noqa=not arguments.disable_noqa)


def _split(values: Sequence[str]) -> tuple[str, ...]:
    items = (item.strip() for value in values for item in value.split(","))
    return tuple(item for item in items if item)


def _file_ignores(values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    ignores: dict[str, tuple[str, ...]] = {}
    for value in values:
        pattern, colon, codes = value.rpartition(":")
        if not colon or not pattern:
            raise ConfigError(f"--per-file-ignores: expected 'PATTERN:CODES', not {value!r}")
        ignores[pattern] = (*ignores.get(pattern, ()), *_split([codes]))
    return ignores


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


def _write(report: Report, arguments: Namespace, settings: Settings) -> None:
    output_format = settings.output_format
    if arguments.output_file is None:
        _write_to(sys.stdout, report, arguments, output_format)
    else:
        try:
            with open(arguments.output_file, "w", encoding="utf-8", errors="backslashreplace") as f:
                _write_to(f, report, arguments, output_format)
        except OSError as error:
            reason = error.strerror or error
            raise ConfigError(f"--output-file: {arguments.output_file}: {reason}") from None
    if output_format in ("text", "concise", "github"):
        from plum_jit_lint.report.concise import problem_line

        sys.stdout.flush()
        for problem in report.problems:
            print(problem_line(problem), file=sys.stderr)


def _write_to(stream: TextIO, report: Report, arguments: Namespace, output_format: str) -> None:
    from plum_jit_lint.report import render
    from plum_jit_lint.report.style import style_for

    style = style_for(stream, arguments.color)
    stream.write(render(report, output_format, style))
    if arguments.statistics:
        from plum_jit_lint.report.text import statistics

        # What another program reads on standard output stays whole.
        readable = output_format in ("text", "concise")
        (stream if readable else sys.stderr).write(statistics(report))
    if output_format == "text" and not arguments.quiet:
        from plum_jit_lint.report.text import summary

        stream.write(summary(report, style) + "\n")


def _exit_code(report: Report, arguments: Namespace, settings: Settings) -> int:
    if report.problems:
        return TROUBLE
    failed = any(finding.severity >= settings.fail_on for finding in report.findings)
    return FOUND if failed and not arguments.exit_zero else CLEAN


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
        help="files and folders to check (default: the current folder); '-' is standard input",
    )
    parser.add_argument("--version", action="version", version=f"plum-jit-lint {__version__}")
    parser.add_argument("--explain", metavar="CODE", help="tell what a code means, and stop")
    _add_selection(parser)
    _add_files(parser)
    _add_output(parser)
    return parser


_RUN_DESCRIPTION = """\
Run a program and watch plum and JAX while it runs: the same findings, seen as they happen.

What happens when a registration leaves compiled code behind is up to --on-stale:
  collect  nothing; it is reported in the end if it was used so, or still may be (the default)
  warn     a StaleJitWarning at the registration
  raise    a StaleJitError at the registration
  retrace  JAX's caches are cleared, so that the next call is right
"""


def _run_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="plum-jit-lint run",
        usage="%(prog)s [options] SCRIPT [ARGUMENT ...]\n"
        "       %(prog)s [options] -m MODULE [ARGUMENT ...]",
        description=_RUN_DESCRIPTION,
        epilog="The exit code is that of the program; when it succeeds, 1 for findings at or "
        "above --fail-on. A file or folder called 'run' is checked as './run'.",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--on-stale",
        choices=("collect", "warn", "raise", "retrace"),
        default="collect",
        help="what to do at a registration that makes compiled code stale",
    )
    _add_selection(parser)
    group = parser.add_argument_group("settings")
    group.add_argument("--config", metavar="FILE", help="settings from this pyproject.toml")
    group.add_argument("--isolated", action="store_true", help="no settings from any file")
    _add_output(parser)
    # These are about files that are looked for, and here there is one program.
    parser.set_defaults(exclude=None, extend_exclude=None, force_exclude=None, stdin_filename=None)
    return parser


_VERIFY_DESCRIPTION = """\
Check a program, run it under the watch in a process of its own, and compare what they find.

  confirmed     the check says it, and the run shows it
  static only   the check says it, and the run does not show it
  runtime only  the run shows it, and the check does not say it

What the program writes goes to standard error.
"""


def _verify_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="plum-jit-lint verify",
        usage="%(prog)s [options] SCRIPT [ARGUMENT ...]\n"
        "       %(prog)s [options] FOLDER [ARGUMENT ...]\n"
        "       %(prog)s [options] -m MODULE [ARGUMENT ...]\n"
        "       %(prog)s [options] --pytest [ARGUMENT ...]",
        description=_VERIFY_DESCRIPTION,
        epilog="Of a folder each file is run, one after the other, or its __main__.py if there is "
        "one. The exit code is 0 when check and run agree, 1 when they do not, and 2 when a "
        "program could not be run to its end.",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--pytest", action="store_true", help="run pytest with what follows, and check those tests"
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=300.0,
        metavar="SECONDS",
        help="end a program that takes longer (default: 300)",
    )
    _add_selection(parser)
    group = parser.add_argument_group("settings")
    group.add_argument("--config", metavar="FILE", help="settings from this pyproject.toml")
    group.add_argument("--isolated", action="store_true", help="no settings from any file")
    group = parser.add_argument_group("how it is reported")
    group.add_argument(
        "--output-format", choices=("text", "json"), help="the form of the report (default: text)"
    )
    _add_color(group)
    group.add_argument("--quiet", "-q", action="store_true", help="drop what the program writes")
    parser.set_defaults(exclude=None, extend_exclude=None, force_exclude=None, stdin_filename=None)
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError(text)
    return seconds


_seconds.__name__ = "number of seconds"


def _add_selection(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is reported")
    for option, metavar, text in (
        ("--select", "CODES", "only these codes or prefixes (default: PJ)"),
        ("--ignore", "CODES", "not these; of two prefixes the longer one wins"),
        ("--extend-select", "CODES", "these beside the selected ones"),
        ("--per-file-ignores", "PATTERN:CODES", "not these codes in files that match"),
    ):
        group.add_argument(option, metavar=metavar, action="append", help=text)
    group.add_argument(
        "--min-severity", choices=SEVERITIES, help="nothing below this (default: note)"
    )
    group.add_argument(
        "--fail-on", choices=SEVERITIES, help="exit with 1 from this on (default: warning)"
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 despite findings")
    group.add_argument("--disable-noqa", action="store_true", help="report `# noqa` lines too")


def _add_files(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("which files are checked")
    for option, text in (
        ("--exclude", "leave these out, instead of the configured ones"),
        ("--extend-exclude", "leave these out too"),
    ):
        group.add_argument(option, metavar="PATTERNS", action="append", help=text)
    group.add_argument(
        "--force-exclude",
        action="store_true",
        default=None,
        help="leave excluded files out even when they are named",
    )
    group.add_argument(
        "--stdin-filename", metavar="PATH", help="the file that standard input stands for"
    )
    group.add_argument("--config", metavar="FILE", help="settings from this pyproject.toml")
    group.add_argument("--isolated", action="store_true", help="no settings from any file")
    group.add_argument(
        "--jobs",
        "-j",
        metavar="N",
        type=_job_count,
        help="how many processes check (default: one for each processor)",
    )
    group.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="work everything out anew, and keep nothing in .plum_jit_lint_cache/",
    )


def _job_count(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise ArgumentTypeError(f"expected a number of processes, 1 or more, not {text!r}")
    return number


def _add_output(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how it is reported")
    group.add_argument(
        "--output-format", choices=FORMATS, help="the form of the report (default: text)"
    )
    group.add_argument("--output-file", metavar="FILE", help="write the report there")
    group.add_argument("--statistics", action="store_true", help="count the findings of each code")
    _add_color(group)
    group.add_argument("--quiet", "-q", action="store_true", help="findings only: no summary")


def _add_color(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="color the text (default: auto: on a terminal; NO_COLOR and FORCE_COLOR count)",
    )
