"""Arguments that several commands take, and the settings that they make."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Sequence
from typing import NoReturn

from plum_jit_lint.project.config import Settings, SettingsTree
from plum_jit_lint.project.options import CODES, FORMATS, ORDERS, SEVERITIES, ConfigError

_ELSEWHERE = {
    "--format": "--output-format",
    "--no-noqa": "--disable-noqa",
    "--show-statistics": "--statistics",
    "--count": "--statistics",
    "--level": "--min-severity",
    "--error-level": "--fail-on",
    "--file": "--output-file",
    "--workers": "--jobs",
    "--stdin-display-name": "--stdin-filename",
    "--stdin-file-path": "--stdin-filename",
}
"""Options of other checkers, and what they are called here."""


class Parser(ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        """Names the option that is not known, and one that may have been meant."""
        unknown = message.partition("unrecognized arguments: ")[2].split()
        if unknown:
            option = unknown[0].partition("=")[0]
            known = [name for action in self._actions for name in action.option_strings]
            message = f"unknown option {option!r}{self._hint(option, known)}"
        _, _, command = self.prog.partition(" ")
        where = f"{command}: " if command else ""
        raise ConfigError(where + message.removeprefix("argument "))

    def _hint(self, option: str, known: Sequence[str]) -> str:
        from difflib import get_close_matches

        meant = _ELSEWHERE.get(option)
        if meant in known:
            return f" (did you mean {meant!r}?)"
        close = get_close_matches(option, known, n=1, cutoff=0.75)
        return f" (did you mean {close[0]!r}?)" if close else f" (see: {self.prog} --help)"


def settings_of(arguments: Namespace, start: str) -> Settings:
    """The settings of a command that is about one program."""
    return settings_tree(arguments).of(start)


def settings_tree(arguments: Namespace) -> SettingsTree:
    """The settings of each file, as the command line wants them."""
    selected = {
        "select": arguments.select,
        "ignore": arguments.ignore,
        "extend-select": arguments.extend_select,
        "extend-ignore": arguments.extend_ignore,
    }
    excluded = {
        "include": arguments.include,
        "exclude": arguments.exclude,
        "extend-exclude": arguments.extend_exclude,
    }
    overrides: dict[str, object] = {
        "force-exclude": arguments.force_exclude,
        "min-severity": arguments.min_severity,
        "fail-on": arguments.fail_on,
        "output-format": arguments.output_format,
        "sort": getattr(arguments, "sort", None),
        **{key: _split(values) for key, values in excluded.items() if values is not None},
        **{
            key: _codes(f"--{key}", values)
            for key, values in selected.items()
            if values is not None
        },
    }
    if arguments.per_file_ignores is not None:
        overrides["per-file-ignores"] = _file_ignores(arguments.per_file_ignores)
    return SettingsTree(
        config=arguments.config,
        isolated=arguments.isolated,
        overrides={key: value for key, value in overrides.items() if value is not None},
        noqa=not arguments.disable_noqa,
        unused_noqa=arguments.unused_noqa,
    )


def _split(values: Sequence[str]) -> tuple[str, ...]:
    items = (item.strip() for value in values for item in value.split(","))
    return tuple(item for item in items if item)


def _codes(option: str, values: Sequence[str]) -> tuple[str, ...]:
    codes = tuple(code for value in _split(values) for code in value.split())
    if not codes:
        raise ConfigError(f"{option}: expected codes, such as PJ004")
    return codes


def _file_ignores(values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """`PATTERN:CODE,PATTERN:CODE` is ruff's form, `PATTERN,PATTERN:CODE,CODE` flake8's."""
    ignores: dict[str, tuple[str, ...]] = {}
    for value in values:
        patterns: list[str] = []
        told = False
        for item in _split(value.splitlines()):
            pattern, colon, code = item.rpartition(":")
            is_code = not colon and told and any(known.startswith(item) for known in CODES)
            if is_code:
                code = item
            elif told:
                patterns, told = [], False
            if not is_code:
                patterns.append(pattern if colon else item)
            if colon or is_code:
                for one in patterns:
                    ignores[one] = (*ignores.get(one, ()), *code.split())
                told = True
        if not told or not all((pattern and codes) for pattern, codes in ignores.items()):
            raise ConfigError(f"--per-file-ignores: expected 'PATTERN:CODES', not {value!r}")
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
    program = list(given[position:])
    # Whoever writes `--` between a program and its arguments does not mean it for the program.
    name_ends = 2 if program[:1] == ["-m"] else 1
    if program[name_ends : name_ends + 1] == ["--"]:
        del program[name_ends]
    return list(given[:position]), program


def add_selection(parser: ArgumentParser) -> _ArgumentGroup:
    """Adds the options that say which codes are reported; gives their group."""
    group = parser.add_argument_group("what is reported")
    for option, metavar, text in (
        ("--select", "CODES", "only these codes or prefixes (default: PJ)"),
        ("--ignore", "CODES", "not these; of two prefixes the longer one wins"),
        ("--extend-select", "CODES", "these beside the selected ones"),
        ("--extend-ignore", "CODES", "not these either, beside the ignored ones"),
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
    group.add_argument(
        "--disable-noqa", "--ignore-noqa", action="store_true", help="report `# noqa` lines too"
    )
    parser.set_defaults(unused_noqa=False)
    return group


def add_files(parser: ArgumentParser) -> None:
    """Adds the options that say which files are checked."""
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
    """Adds the options that say in which form and where the report is written."""
    group = parser.add_argument_group("how it is reported")
    group.add_argument(
        "--output-format", choices=FORMATS, help="the form of the report (default: text)"
    )
    group.add_argument("--output-file", "-o", metavar="FILE", help="write the report there")
    group.add_argument(
        "--sort",
        choices=ORDERS,
        help="what comes first in text and concise: files by name (place, the default), or errors",
    )
    group.add_argument("--statistics", action="store_true", help="count the findings of each code")
    add_color(group)
    group.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="say what the run did without, which files were not followed to their end, and why",
    )
    group.add_argument("--quiet", "-q", action="store_true", help="findings only: no summary")


def add_color(group: _ArgumentGroup) -> None:
    """Adds `--color` to a group of options."""
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="color the text (default: auto: on a terminal; NO_COLOR and FORCE_COLOR count)",
    )
