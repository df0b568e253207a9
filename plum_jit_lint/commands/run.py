"""`plum-jit-lint run`: a program runs, and plum and JAX are watched meanwhile."""

from __future__ import annotations

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from plum_jit_lint.commands.arguments import Parser, add_output, add_selection, divided, settings_of
from plum_jit_lint.commands.output import exit_code, write
from plum_jit_lint.project.options import ConfigError

_DESCRIPTION = """\
Run a program and watch plum and JAX while it runs: the same findings, seen as they happen.

What happens when a registration leaves compiled code behind is up to --on-stale:
  collect  nothing; it is reported in the end if it was used so, or still may be (the default)
  warn     a StaleJitWarning at the registration
  raise    a StaleJitError at the registration
  retrace  JAX's caches are cleared, so that the next call is right
"""


def main(given: Sequence[str]) -> int:
    """`plum-jit-lint run`: the program's own exit code, or that of the findings."""
    parser = _parser()
    options, program = divided(given, parser)
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
    settings = settings_of(arguments, "." if is_module else program[0])
    try:
        if is_module:
            ended = run.run_module(program[1], program[2:], arguments.on_stale)
        else:
            ended = run.run_script(program[0], program[1:], arguments.on_stale)
    except run.CannotRun as error:
        raise ConfigError(f"run: {error}") from None
    report = summary.report(ended.watch, settings)
    sys.stdout.flush()
    write(report, arguments, settings)
    sys.stdout.flush()
    if not arguments.quiet:
        print(summary.summary(ended.watch), file=sys.stderr)
    return ended.code or exit_code(report, arguments)


def _parser() -> Parser:
    parser = Parser(
        prog="plum-jit-lint run",
        usage="%(prog)s [options] SCRIPT [ARGUMENT ...]\n"
        "       %(prog)s [options] -m MODULE [ARGUMENT ...]",
        description=_DESCRIPTION,
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
    add_selection(parser)
    group = parser.add_argument_group("settings")
    group.add_argument("--config", metavar="FILE", help="settings from this pyproject.toml")
    group.add_argument("--isolated", action="store_true", help="no settings from any file")
    add_output(parser)
    # These are about files that are looked for, and here there is one program.
    given = ("include", "exclude", "extend_exclude", "force_exclude", "stdin_filename")
    parser.set_defaults(**dict.fromkeys(given))
    return parser
