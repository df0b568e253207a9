"""Running a program under the watch, as `python script.py` and `python -m module` would."""

from __future__ import annotations

import importlib.util
import io
import os
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, TracebackType

from plum_jit_lint.runtime.watch import OnStale, Watch, watch


class CannotRun(Exception):
    """A program that cannot be started; the text says why."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended, and what the watch saw."""

    code: int
    watch: Watch


def run_script(path: str, arguments: Sequence[str], on_stale: OnStale) -> Ended:
    """Runs a file as `python path arguments...` does. `CannotRun` when it cannot be read."""
    if os.path.isdir(path):
        path = os.path.join(path, "__main__.py")
    try:
        with io.open_code(os.path.abspath(path)) as file:
            source = file.read()
    except OSError as error:
        raise CannotRun(f"{path}: {error.strerror or error}") from None
    folder = os.path.dirname(os.path.abspath(path))

    def compiled() -> CodeType:
        return compile(source, path, "exec", dont_inherit=True)

    return _run(compiled, [path, *arguments], folder, path, None, on_stale)


def run_module(name: str, arguments: Sequence[str], on_stale: OnStale) -> Ended:
    """Runs a module as `python -m name arguments...` does. `CannotRun` when there is none."""
    sys.path.insert(0, os.getcwd())
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except (ImportError, ValueError) as error:
        raise CannotRun(f"{name}: {error}") from None
    finally:
        del sys.path[0]
    loader = getattr(spec, "loader", None)
    if spec is None or spec.origin is None or not hasattr(loader, "get_code"):
        raise CannotRun(f"no module named {name}")
    code: CodeType | None = loader.get_code(spec.name)
    if code is None:
        raise CannotRun(f"{name} has no Python code")
    compiled = code
    return _run(
        lambda: compiled, [spec.origin, *arguments], os.getcwd(), spec.origin, spec, on_stale
    )


def _run(
    compiled: Callable[[], CodeType],
    argv: list[str],
    folder: str,
    path: str,
    spec: object,
    on_stale: OnStale,
) -> Ended:
    """Runs code as `__main__`; what the interpreter shares is put back afterwards."""
    module = types.ModuleType("__main__")
    module.__dict__.update(
        __file__=path,
        __builtins__=__builtins__,
        __spec__=spec,
        __cached__=None,
        __package__=getattr(spec, "parent", None),
        __loader__=getattr(spec, "loader", None),
    )
    kept = sys.argv, sys.path[:], sys.modules["__main__"]
    sys.argv, sys.modules["__main__"] = argv, module
    sys.path[:] = [folder, *sys.path]
    try:
        with watch(on_stale) as seen:
            code = _execute(compiled, module)
        return Ended(code, seen)
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = kept


def _execute(compiled: Callable[[], CodeType], module: types.ModuleType) -> int:
    """Runs the code and returns the exit code that Python would end with."""
    try:
        exec(compiled(), module.__dict__)
    except SystemExit as error:
        return _exit_code(error)
    except BaseException as error:
        sys.stdout.flush()
        _print(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    print(error.code, file=sys.stderr)
    return 1


def _print(error: BaseException) -> None:
    """Prints an exception as Python would, without the frames that ran the program."""
    for one in _chained(error):
        one.__traceback__ = _without_own(one.__traceback__)
    hook = sys.excepthook
    hook(type(error), error, error.__traceback__)


def _chained(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and one not in found:
            found.append(one)
            waiting += [one.__cause__, one.__context__]
            if isinstance(one, BaseExceptionGroup):
                waiting += one.exceptions
    return found


_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _without_own(tb: TracebackType | None) -> TracebackType | None:
    kept: TracebackType | None = None
    for one in reversed(list(_links(tb))):
        if not os.path.abspath(one.tb_frame.f_code.co_filename).startswith(_HERE):
            kept = TracebackType(kept, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return kept


def _links(tb: TracebackType | None) -> list[TracebackType]:
    found = []
    while tb is not None:
        found.append(tb)
        tb = tb.tb_next
    return found


