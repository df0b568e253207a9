"""From paths and folders to the files to check."""

from __future__ import annotations

import errno
import functools
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plum_jit_lint.findings import Problem
from plum_jit_lint.project.config import Settings, SettingsTree
from plum_jit_lint.project.notebooks import SUFFIX
from plum_jit_lint.project.patterns import Patterns, absolute, shown
from plum_jit_lint.project.source_lines import bytes_of_file

# Version control, environments, caches and what builds leave behind: never sources to check.
SKIPPED_FOLDERS = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".hypothesis",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pants.d",
        ".pyenv",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "node_modules",
        "site-packages",
        "venv",
    }
)


@dataclass(frozen=True, slots=True)
class Discovered:
    """The files to check, sorted, each as reports spell it, and what could not be looked at."""

    files: tuple[str, ...]
    problems: tuple[Problem, ...]


def discover(
    paths: Iterable[str | os.PathLike[str]], settings: Settings | SettingsTree
) -> Discovered:
    """The files that `paths` stand for.

    A folder stands for the files below it that are included and not excluded or ignored; a file
    that is named is checked if it may be Python or a notebook, and, unless `force_exclude`,
    whatever is excluded.
    """
    tree = SettingsTree(same_for_all=settings) if isinstance(settings, Settings) else settings
    files: dict[tuple[str, str], str] = {}
    problems: set[Problem] = set()
    real_path = functools.cache(os.path.realpath)
    for given in paths:
        path = absolute(given)
        for found in _below(path, tree):
            if isinstance(found, Problem):
                problems.add(found)
            else:
                folder, name = os.path.split(found)
                # Two ways to one folder lead to the same file.
                files.setdefault((real_path(folder), name), found)
    return Discovered(
        tuple(sorted(shown(file) for file in files.values())),
        tuple(sorted(problems, key=lambda problem: (problem.path, problem.message))),
    )


def python_files_below(top: Path) -> Iterator[str]:
    """Every Python file below a folder, in environments and caches aside: what an import that is
    looked up there may find."""
    pending = [str(top)]
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if not _left_out(entry, True):
                    pending.append(entry.path)
            elif entry.name.endswith(".py"):
                yield entry.path


def _below(path: Path, tree: SettingsTree) -> Iterator[str | Problem]:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        yield _trouble(path, error)
        return
    folder = stat.S_ISDIR(mode)
    # What leaves out a folder stands above it.
    settings = tree.of(path.parent)
    if settings.force_exclude and _excluded_from_above(path, settings, folder=folder):
        return
    if folder:
        yield from _walk(path, tree)
    else:
        found = _regular(path, mode)
        if isinstance(found, str) and not settings.includes(found):
            source = bytes_of_file(found) or b""
            found = found if is_checked(found, source) else Problem(shown(path), NOT_CHECKED)
        yield found


NOT_CHECKED = "neither a Python file nor a notebook: its name ends in neither .py nor .ipynb"

_ENDINGS = (".py", ".pyi", ".pyw", SUFFIX)


def is_checked(name: str, source: bytes) -> bool:
    """Whether a file that somebody named may be Python or a notebook, by its name or its first
    line. A script needs no ending."""
    ending = os.path.splitext(name)[1]
    return ending in ("", *_ENDINGS) or (
        source.startswith(b"#!") and b"python" in source.partition(b"\n")[0]
    )


def _excluded_from_above(path: Path, settings: Settings, *, folder: bool) -> bool:
    ignores = _ignores_above(path) if settings.respect_gitignore else ()
    return settings.excludes(path, folder=folder) or _ignored(path, ignores, folder=folder)


def is_excluded(path: str, settings: Settings) -> bool:
    """Whether a file named `path` would be left out of its folder."""
    return _excluded_from_above(absolute(path), settings, folder=False)


def _walk(top: Path, tree: SettingsTree) -> Iterator[str | Problem]:
    """The files below the folder `top`, which was named and so is looked into in any case."""
    settings = tree.of(top)
    ignores = tuple(patterns.sparing(top) for patterns in _ignores_above(top))
    spared = {id(settings): _sparing(top, settings)}
    pending = [(top, settings, ignores)]
    while pending:
        folder, settings, ignores = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield _trouble(folder, error)
            continue
        settings = tree.inside(str(folder), (entry.name for entry in entries), settings)
        if id(settings) not in spared:
            spared[id(settings)] = _sparing(folder, settings)
        excludes = spared[id(settings)]
        ignores = (*ignores, *_ignores_in(folder))
        ignored = ignores if settings.respect_gitignore else ()
        for entry in entries:
            descend = entry.is_dir(follow_symlinks=False)
            source = not descend and settings.includes(entry.path)
            if not (descend or source):
                continue
            if _left_out(entry, descend):
                continue
            if excludes or ignored or descend:
                # Not for each file of a tree: to make objects for paths takes long.
                path = Path(entry.path)
                if any(p.match(path, folder=descend) for p in excludes):
                    continue
                if _ignored(path, ignored, folder=descend):
                    continue
            if descend:
                pending.append((path, settings, ignores))
            else:
                yield from _entry(entry, source)


def _sparing(folder: Path, settings: Settings) -> tuple[Patterns, ...]:
    return tuple(patterns.sparing(folder) for patterns in settings.exclude)


def _left_out(entry: os.DirEntry[str], descend: bool) -> bool:
    if descend:
        environment = os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
        return entry.name in SKIPPED_FOLDERS or environment
    # Editors keep locks in dangling links named `.#file.py`.
    return entry.name.startswith(".#")


def _entry(entry: os.DirEntry[str], source: bool) -> Iterator[str | Problem]:
    """What one entry, which is no folder itself, gives; `source`: it is included."""
    # Links to folders are not followed, as in flake8 and ruff, and so may lead anywhere.
    if not source:
        return
    if entry.is_file(follow_symlinks=False):
        yield entry.path
        return
    path = Path(entry.path)
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        yield _trouble(path, error)
        return
    if not stat.S_ISDIR(mode):
        yield _regular(path, mode)


def _regular(path: Path, mode: int) -> str | Problem:
    if stat.S_ISREG(mode):
        return str(path)
    kinds = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket"}
    kind = kinds.get(stat.S_IFMT(mode), "a device")
    return Problem(shown(path), f"{kind}, not a regular file")


def _trouble(path: Path, error: OSError | ValueError) -> Problem:
    if isinstance(error, FileNotFoundError):
        message = "no such file or folder"
        if path.is_symlink():
            message = f"dangling symbolic link to {os.readlink(path)!r}"
    elif isinstance(error, PermissionError):
        message = "permission denied"
    elif isinstance(error, OSError) and _is_loop(error):
        message = "symbolic link loop"
    elif isinstance(error, OSError):
        message = error.strerror or str(error)
    else:
        message = str(error)
    return Problem(shown(path), message)


def _is_loop(error: OSError) -> bool:
    return error.errno == errno.ELOOP


def _ignores_above(path: Path) -> tuple[Patterns, ...]:
    """The `.gitignore` files above `path`, from the root of its repository (else of its
    project) down."""
    folders = [path, *path.parents]
    for marker in (".git", "pyproject.toml"):
        for depth, folder in enumerate(folders):
            if (folder / marker).exists():
                above = reversed(folders[1 : depth + 1])
                return tuple(patterns for each in above for patterns in _ignores_in(each))
    return ()


def _ignores_in(folder: Path) -> tuple[Patterns, ...]:
    try:
        text = (folder / ".gitignore").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ()
    return (Patterns(folder, tuple(text.splitlines())),)


def _ignored(path: Path, ignores: tuple[Patterns, ...], *, folder: bool) -> bool:
    """Whether the nearest `.gitignore` that speaks of `path` ignores it."""
    for patterns in reversed(ignores):
        verdict = patterns.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False
