"""The flake8 plugin: the findings of the command line, selected and silenced by flake8.

flake8 imports this module in every run, so nothing that costs time is imported before a file
is met that can matter.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from plum_jit_lint import __version__

if TYPE_CHECKING:
    from argparse import Namespace

    from plum_jit_lint.config import Settings
    from plum_jit_lint.programs import Programs

# A registration needs a dispatcher, which comes from plum or out of another module.
_WORDS = re.compile(r"plum|[dD]ispatch|import_module|__import__")
_NAMES = re.compile(r"[.\w]+")


class OptionManager(Protocol):
    """What is used of flake8's own class, so that this module needs no flake8."""

    def extend_default_ignore(self, error_codes: Sequence[str]) -> None: ...
    def add_option(self, *args: Any, **kwargs: Any) -> None: ...


class PlumJitChecker:
    """One file, as flake8 makes and runs it."""

    name = "plum-jit-lint"
    version = __version__
    programs: Programs | None = None

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self.path = None if filename in ("stdin", "-") else filename
        self.lines = lines

    @staticmethod
    def add_options(option_manager: OptionManager) -> None:
        """Declare `--pj-*`, and leave the accepted idiom PJ001 out of a plain run."""
        option_manager.extend_default_ignore(["PJ001"])
        option_manager.add_option(
            "--pj-min-severity",
            parse_from_config=True,
            metavar="SEVERITY",
            help="Report nothing below this: note, warning or error. (Default: min-severity of "
            "[tool.plum-jit-lint] in pyproject.toml, else note)",
        )
        for option, key, text in (
            ("--pj-src", "src", "Folders in which imported modules are looked for."),
            (
                "--pj-extend-jit",
                "extend-jit",
                "Qualified names of more callables that compile like jax.jit.",
            ),
            (
                "--pj-extend-dispatchers",
                "extend-dispatchers",
                "Qualified names of more plum Dispatcher objects.",
            ),
            ("--pj-follow", "follow", "Installed packages that are read like the project."),
        ):
            option_manager.add_option(
                option,
                parse_from_config=True,
                comma_separated_list=True,
                metavar="LIST",
                help=f"{text} (Default: {key} of [tool.plum-jit-lint] in pyproject.toml)",
            )

    @classmethod
    def parse_options(cls, options: Namespace) -> None:
        """Take over what flake8 read from its command line and configuration."""
        given = {
            "min-severity": options.pj_min_severity,
            "src": options.pj_src,
            "extend-jit": options.pj_extend_jit,
            "extend-dispatchers": options.pj_extend_dispatchers,
            "follow": options.pj_follow,
        }
        cls.programs = _programs({key: value for key, value in given.items() if value})

    def run(self) -> Iterator[tuple[int, int, str, type[Any]]]:
        """The findings as flake8 takes them: line, column from 0, text, and who says so."""
        if PlumJitChecker.programs is None:
            PlumJitChecker.programs = _programs({})
        programs = PlumJitChecker.programs
        if not _can_matter(self.lines, self.path, programs):
            return

        from plum_jit_lint.checking import STDIN, analyse, internal_error, same_file
        from plum_jit_lint.report.concise import finding_text
        from plum_jit_lint.sourcelines import source_bytes
        from plum_jit_lint.static import SourceError

        try:
            source = source_bytes("".join(self.lines))
            findings = analyse(self.path, source, programs, needs_syntax=False)
        except SourceError as error:
            return self._complain(f"cannot be read: {error.message}")
        except Exception as error:
            return self._complain(internal_error(error))
        for finding in findings:
            place = finding.place
            here = same_file(place.path, self.path or STDIN)
            if here and finding.severity >= programs.settings.min_severity:
                yield place.line, place.column - 1, finding_text(finding), type(self)

    def _complain(self, sentence: str) -> None:
        # flake8 has no place for a file that it could read itself and its plugin could not.
        print(f"{self.path or 'stdin'}: plum-jit-lint: {sentence}", file=sys.stderr)


def _programs(given: dict[str, object]) -> Programs:
    from plum_jit_lint.programs import Programs

    programs = Programs(_settings(given))
    for problem in programs.problems():
        print(f"plum-jit-lint: {problem.path}: {problem.message}", file=sys.stderr)
    return programs


def _settings(given: dict[str, object]) -> Settings:
    from plum_jit_lint.config import load_settings
    from plum_jit_lint.options import ConfigError

    try:
        return load_settings(overrides=given, prefix="--pj-")
    except ConfigError as error:
        from flake8.exceptions import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
            ExecutionError,
        )

        raise ExecutionError(f"plum-jit-lint: {error}") from None


def _can_matter(lines: Sequence[str], path: str | None, programs: Programs) -> bool:
    """Whether anything can be found in these lines: they speak of plum, or import a module of
    the project that may."""
    text = "".join(lines)
    if _WORDS.search(text):
        return True
    dispatchers = programs.settings.extend_dispatchers
    if any(name.rpartition(".")[2] in text for name in dispatchers):
        return True
    words = _words_of_imports(lines)
    if any(name.partition(".")[0] in programs.settings.follow for name in words):
        return True
    roots = programs.roots(path)
    return bool(roots) and any(_is_local(name, roots) for name in words)


def _words_of_imports(lines: Sequence[str]) -> set[str]:
    """Every dotted word of the lines that may import, the modules' names among them."""
    return {word for line in lines if "import" in line for word in _NAMES.findall(line)}


def _is_local(name: str, roots: tuple[Path, ...]) -> bool:
    top = name.partition(".")[0]
    # A relative import begins with a dot.
    return not top or any(_exists(os.path.join(root, top)) for root in roots)


@cache
def _exists(module: str) -> bool:
    return os.path.isdir(module) or os.path.isfile(f"{module}.py")
