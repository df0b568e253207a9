"""Running a program under the watch, as `python script.py` and `python -m module` would."""

from __future__ import annotations

import importlib.util
import io
import os
import sys
import threading
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import CodeType, TracebackType

from plum_jit_lint.project.notebooks import is_notebook
from plum_jit_lint.runtime.frames import ROOTS
from plum_jit_lint.runtime.watch import OnStale, Watch, watch

INTERRUPTED = 130


class CannotRun(Exception):
    """A program that cannot be started; the text says why."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended, and what the watch saw."""

    code: int
    watch: Watch


@dataclass(frozen=True, slots=True)
class _Program:
    """What is to be run as `__main__`."""

    code: CodeType
    path: str
    spec: ModuleSpec | None


def run_script(path: str, arguments: Sequence[str], on_stale: OnStale) -> Ended:
    """Runs a file as `python path arguments...` does; of a folder, its `__main__.py`.

    `CannotRun` when it cannot be read.
    """
    if is_notebook(path):
        raise CannotRun(f"{path}: a notebook: `%load_ext plum_jit_lint` in it watches its kernel")
    if os.path.isdir(path):
        folder = path
        path = os.path.join(path, "__main__.py")
    else:
        folder = os.path.dirname(path)
    try:
        with io.open_code(os.path.abspath(path)) as file:
            source = file.read()
    except OSError as error:
        raise CannotRun(f"{path}: {(error.strerror or str(error)).lower()}") from None

    def load() -> _Program:
        return _Program(compile(source, path, "exec", dont_inherit=True), path, None)

    return _run(load, [path, *arguments], os.path.abspath(folder), on_stale)


def run_module(name: str, arguments: Sequence[str], on_stale: OnStale) -> Ended:
    """Runs a module as `python -m name arguments...` does. `CannotRun` when there is none."""
    return _run(lambda: _module(name), ["-m", *arguments], os.getcwd(), on_stale)


def _module(name: str) -> _Program:
    """Finds a module; the packages around it are imported on the way."""
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        spec = None
    get_code = getattr(spec.loader, "get_code", None) if spec is not None else None
    if spec is None or spec.origin is None or get_code is None:
        raise CannotRun(f"no module named {name}")
    code = get_code(spec.name)
    if code is None:
        raise CannotRun(f"{name} has no Python code")
    return _Program(code, spec.origin, spec)


def _run(load: Callable[[], _Program], argv: list[str], folder: str, on_stale: OnStale) -> Ended:
    """Runs a program as `__main__`; what it shares with this program is put back afterwards."""
    main = types.ModuleType("__main__")
    kept = sys.argv, sys.path[:], sys.modules["__main__"]
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    # A console script has its own folder where the program expects its own.
    rest = sys.path[1:] if sys.path[:1] == [beside] else sys.path
    sys.argv, sys.path[:], sys.modules["__main__"] = argv, [folder, *rest], main
    try:
        with watch(on_stale) as seen:
            code = _execute(load, main)
            _join_threads()
        return Ended(code, seen)
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = kept


def _execute(load: Callable[[], _Program], main: types.ModuleType) -> int:
    """Runs the program and returns the exit code that Python would end with."""
    try:
        program = load()
        sys.argv[0] = program.path
        main.__dict__.update(
            __file__=program.path,
            __builtins__=__builtins__,
            __spec__=program.spec,
            __package__=None if program.spec is None else program.spec.parent,
            __loader__=None if program.spec is None else program.spec.loader,
        )
        exec(program.code, main.__dict__)
    except CannotRun:
        raise
    except SystemExit as error:
        return _exit_code(error)
    except BaseException as error:
        sys.stdout.flush()
        for one in _chained(error):
            one.__traceback__ = _without_own(one.__traceback__)
        sys.excepthook(type(error), error, error.__traceback__)
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
    return 0


ROOTS.add(id(_execute.__code__))


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    print(error.code, file=sys.stderr)
    return 1


def _join_threads() -> None:
    """Python waits for threads as well before it ends."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


# -- tracebacks ------------------------------------------------------------------------------


def _chained(error: BaseException) -> list[BaseException]:
    """An exception and those that a traceback shows with it."""
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and not any(one is other for other in found):
            found.append(one)
            waiting += [one.__cause__, one.__context__]
            if isinstance(one, BaseExceptionGroup):
                waiting += one.exceptions
    return found


_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _without_own(tb: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames that run and watch the program."""
    links = []
    while tb is not None:
        links.append(tb)
        tb = tb.tb_next
    kept: TracebackType | None = None
    for one in reversed(links):
        if not os.path.abspath(one.tb_frame.f_code.co_filename).startswith(_HERE):
            kept = TracebackType(kept, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return kept
