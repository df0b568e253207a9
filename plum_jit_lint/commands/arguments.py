"""Arguments that several commands take, and the settings that they make."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plum_jit_lint.project.config import Settings, load_settings
from plum_jit_lint.project.options import FORMATS, SEVERITIES, ConfigError


def settings_of(arguments: Namespace, start: str) -> Settings:
    if start == "-":
        start = str(Path(arguments.stdin_filename or ".").parent)
    listed = {
        "select": arguments.select,
        "ignore": arguments.ignore,
        "extend-select": arguments.extend_select,
        "include": arguments.include,
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


def divided(given: Sequence[str], parser: ArgumentParser) -> tuple[list[str], list[str]]:
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


def add_selection(parser: ArgumentParser) -> None:
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


def add_files(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("which files are checked")
    for option, text in (
        ("--include", "check these in folders (default: *.py, *.ipynb)"),
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


def add_output(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how it is reported")
    group.add_argument(
        "--output-format", choices=FORMATS, help="the form of the report (default: text)"
    )
    group.add_argument("--output-file", metavar="FILE", help="write the report there")
    group.add_argument("--statistics", action="store_true", help="count the findings of each code")
    add_color(group)
    group.add_argument("--quiet", "-q", action="store_true", help="findings only: no summary")


def add_color(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="color the text (default: auto: on a terminal; NO_COLOR and FORCE_COLOR count)",
    )
