"""`plum-jit-lint verify`: the check and a run of a program are compared."""

from __future__ import annotations

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence

from plum_jit_lint import verification
from plum_jit_lint.commands.arguments import Parser, add_color, add_selection, divided, settings_of
from plum_jit_lint.commands.output import CLEAN, FOUND, TROUBLE, say
from plum_jit_lint.integrations.companion import missing
from plum_jit_lint.project.options import ConfigError
from plum_jit_lint.report import verified

_DESCRIPTION = """\
Check a program, run it under the watch in a process of its own, and compare what they find.

  confirmed     the check says it, and the run shows it
  static only   the check says it, and the run does not show it
  runtime only  the run shows it, and the check does not say it

What the program writes goes to standard error.
"""


def main(given: Sequence[str]) -> int:
    """`plum-jit-lint verify`: 0 when the check and the run agree."""
    parser = _parser()
    options, named = divided(given, parser)
    arguments = parser.parse_args(options)
    is_module, is_pytest = named[:1] == ["-m"], named[:1] == ["--pytest"]
    if is_module or is_pytest:
        named = named[1:]
    if not named and not is_pytest:
        wanted = "a module after '-m'" if is_module else "a script, a folder of scripts, or '-m'"
        raise ConfigError(f"verify: expected {wanted}")
    lacking = missing()
    if lacking is not None:
        raise ConfigError(f"verify: {lacking}")
    settings = settings_of(arguments, "." if is_module or is_pytest else named[0])
    if is_pytest:
        programs = [verification.RunTarget("pytest", "", tuple(named))]
    elif is_module:
        programs = [verification.RunTarget("module", named[0], tuple(named[1:]))]
    else:
        programs = verification.programs(named[0], named[1:], settings)
    if not programs:
        raise ConfigError(f"verify: {named[0]}: no Python files")
    found = [
        verification.verify(one, settings, timeout=arguments.timeout, quiet=arguments.quiet)
        for one in programs
    ]
    if arguments.output_format == "json":
        text = verified.render_json(found)
    else:
        from plum_jit_lint.report.style import style_for

        text = verified.render_text(found, style_for(sys.stdout, arguments.color))
    say(text)
    for one in found:
        if one.problem is not None:
            trouble = f"error: verify: {one.program.shown}: {one.problem}"
            print(f"plum-jit-lint: {trouble}", file=sys.stderr)
    if any(one.problem is not None for one in found):
        return TROUBLE
    return CLEAN if all(one.agrees for one in found) else FOUND


def _parser() -> Parser:
    parser = Parser(
        prog="plum-jit-lint verify",
        usage="%(prog)s [options] SCRIPT [ARGUMENT ...]\n"
        "       %(prog)s [options] FOLDER [ARGUMENT ...]\n"
        "       %(prog)s [options] -m MODULE [ARGUMENT ...]\n"
        "       %(prog)s [options] --pytest [ARGUMENT ...]",
        description=_DESCRIPTION,
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
    add_selection(parser)
    group = parser.add_argument_group("settings")
    group.add_argument("--config", metavar="FILE", help="settings from this pyproject.toml")
    group.add_argument("--isolated", action="store_true", help="no settings from any file")
    group = parser.add_argument_group("how it is reported")
    group.add_argument(
        "--output-format", choices=("text", "json"), help="the form of the report (default: text)"
    )
    add_color(group)
    group.add_argument("--quiet", "-q", action="store_true", help="drop what the program writes")
    given = ("include", "exclude", "extend_exclude", "force_exclude", "stdin_filename")
    parser.set_defaults(**dict.fromkeys(given))
    return parser


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise ValueError(text)
    return seconds


_seconds.__name__ = "number of seconds"
