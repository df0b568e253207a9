"""The flake8 plugin: the findings of the command line, selected and silenced by flake8.

flake8 imports this module in every run, so nothing that costs time is imported before a file
is met that can matter. What is found is kept in the cache of the command line, and taken from it.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from plum_jit_lint.version import __version__

if TYPE_CHECKING:
    from argparse import Namespace

    from plum_jit_lint.cache.store import Store
    from plum_jit_lint.checking.one_file import Checked
    from plum_jit_lint.checking.programs import Programs
    from plum_jit_lint.project.config import SettingsTree

IDIOM = "PJ001"


class OptionManager(Protocol):
    """What is used of flake8's own class, so that this module needs no flake8."""

    def extend_default_ignore(self, error_codes: Sequence[str]) -> None:
        """Codes that are off unless somebody selects them."""

    def add_option(self, *args: Any, **kwargs: Any) -> None:
        """Adds one option of the command line, and of the configuration."""


class PlumJitChecker:
    """One file, as flake8 makes and runs it."""

    name = "plum-jit-lint"
    version = __version__
    settings: SettingsTree | None = None
    programs: ClassVar[dict[int, Programs]] = {}
    """What belongs to each of the settings, by their `id`s."""
    cached = True
    noqa = True

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self.path = None if filename in ("stdin", "-") else filename
        self.lines = lines

    @staticmethod
    def add_options(option_manager: OptionManager) -> None:
        """Declare `--pj-*`, and leave the accepted idiom PJ001 out of a plain run."""
        option_manager.extend_default_ignore([IDIOM])
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

        option_manager.add_option(
            "--pj-no-cache",
            parse_from_config=True,
            action="store_true",
            help="Work everything out anew, and keep nothing in .plum_jit_lint_cache.",
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
        cls.settings = _settings({key: value for key, value in given.items() if value})
        # What is wrong with them is to be told before the first file is checked.
        _programs_of(None)
        cls.cached = not options.pj_no_cache
        cls.noqa = not options.disable_noqa
        _leave_out_the_idiom(options)

    def run(self) -> Iterator[tuple[int, int, str, type[Any]]]:
        """The findings as flake8 takes them: line, column from 0, text, and who says so."""
        programs = _programs_of(self.path)

        from plum_jit_lint.project.source_lines import source_bytes

        source = source_bytes("".join(self.lines))
        if not _can_matter(source, self.path, programs):
            return

        from plum_jit_lint.checking.one_file import STDIN, same_file
        from plum_jit_lint.project.suppression import unsuppressed
        from plum_jit_lint.report.concise import finding_text, printable_path, problem_text

        checked = self._checked(source, programs)
        if checked.problem is not None:
            # flake8 has no place for a file that it could read itself and its plugin could not.
            sentence = problem_text(checked.problem)
            name = printable_path(self.path or STDIN)
            print(f"{name}: plum-jit-lint: {sentence}", file=sys.stderr)
        found = [
            one
            for one in checked.findings
            if same_file(one.place.path, self.path or STDIN)
            and one.severity >= programs.settings.min_severity
        ]
        if PlumJitChecker.noqa:
            # flake8 looks at the line of a finding alone, and here the `def` line counts as well.
            found = unsuppressed(found, source)
        for one in found:
            yield one.place.line, one.place.column - 1, finding_text(one), type(self)

    def _checked(self, source: bytes, programs: Programs) -> Checked:
        from plum_jit_lint.checking.one_file import check_text
        from plum_jit_lint.project.source_lines import bytes_of_file

        path = self.path
        store = None
        useful = PlumJitChecker.cached and programs.have_dispatchers(path)
        if useful and path is not None:
            text = bytes_of_file(path)
            if text is not None and _is_text(text, self.lines):
                programs.texts.note(os.path.realpath(path), text)
                project = _project(os.path.dirname(path))
                store = _store(os.getpid(), project, id(programs.settings))
        known = None if store is None or path is None else store.known_of(path, programs)
        if known is not None:
            return known
        checked = check_text(path, source, programs, needs_syntax=False)
        if store is not None:
            store.keep([checked], programs)
        return checked


def _leave_out_the_idiom(options: Namespace) -> None:
    """`ignore` of a project takes the place of all that flake8 ignores by default, and an idiom
    that most accept would fail it. Whoever selects PJ001 or PJ gets it all the same."""
    selected = (*(options.select or ()), *(options.extend_select or ()))
    if options.ignore is not None and not IDIOM.startswith(selected):
        options.extend_ignore = [*(options.extend_ignore or ()), IDIOM]


def _settings(given: dict[str, object]) -> SettingsTree:
    from plum_jit_lint.project.config import SettingsTree

    return SettingsTree(overrides=given, prefix="--pj-")


def _programs_of(path: str | None) -> Programs:
    """The programs of the settings that are nearest above a file."""
    from plum_jit_lint.checking.programs import Programs
    from plum_jit_lint.project.options import ConfigError

    tree = PlumJitChecker.settings
    if tree is None:
        tree = PlumJitChecker.settings = _settings({})
    try:
        settings = tree.of(os.path.dirname(path or ""))
    except ConfigError as error:
        from flake8.exceptions import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
            ExecutionError,
        )

        raise ExecutionError(f"plum-jit-lint: {error}") from None
    known = PlumJitChecker.programs.get(id(settings))
    if known is not None and known.settings is settings:
        return known
    programs = PlumJitChecker.programs[id(settings)] = Programs(settings)
    for problem in programs.problems():
        print(f"plum-jit-lint: {problem.path}: {problem.message}", file=sys.stderr)
    return programs


@cache
def _project(folder: str) -> Path:
    from plum_jit_lint.project.config import project_of
    from plum_jit_lint.project.patterns import absolute

    return project_of(absolute(folder))


@cache
def _store(process: int, project: Path, number: int) -> Store | None:
    """The cache of a project; one that was opened before a fork is not used after it."""
    from plum_jit_lint.cache.store import NoStoreError, open_store

    try:
        return open_store(project, PlumJitChecker.programs[number])
    except NoStoreError:
        return None


def _is_text(text: bytes, lines: Sequence[str]) -> bool:
    """Whether the lines are those of the text of a file: flake8 may give others in its name, and
    the cache goes by what stands on the disk."""
    from plum_jit_lint.project.source_lines import source_lines

    found = source_lines(text)
    found[:1] = [line.removeprefix("\N{BYTE ORDER MARK}") for line in found[:1]]
    return found == list(lines)


def _can_matter(source: bytes, path: str | None, programs: Programs) -> bool:
    """Whether anything can be found in a text: it mentions plum, or imports a module of the
    project that may."""
    features = programs.byte_scan.features(source)
    if features.mentions_plum or features.may_compute_imports:
        return True
    if any(name.partition(".")[0] in programs.settings.follow for name in features.imported_names):
        return True
    if path is None or not programs.roots(path):
        return False
    folders = programs.searched(path)
    return any(_is_local(name, folders) for name in features.imported_names)


def _is_local(name: str, folders: tuple[Path, ...]) -> bool:
    top = name.partition(".")[0]
    # A relative import begins with a dot.
    return not top or any(_exists(os.path.join(folder, top)) for folder in folders)


@cache
def _exists(module: str) -> bool:
    return os.path.isdir(module) or os.path.isfile(f"{module}.py")
