"""What real plum and JAX do with the projects of `benchmarks/projects`.

    python -m benchmarks.real PROJECT ...

Every file of a project is run as a root of its own, each in a child process: `main.py` as a
script, a `test_*.py` by pytest, any other file by importing it. All modules of the project are
watched as `tests/truth.py` explains, and the answer is one JSON object a root on a line: the
stale registrations with their place, and where the finding stands: in the file whose own order
makes it stale. Nothing of the checker is imported here.

`# run: expression` in the root is evaluated when it has ended, in its names. `# env: NAME=VALUE`
is one more run with that in the environment: what is stale in every run, and what in some, are
told apart. `# fails: Error` says that the root cannot be run by itself.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import importlib
import importlib.util
import json
import os
import re
import sys
import traceback
import types
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any

TRUTH = Path(__file__).parents[1] / "tests" / "truth.py"
ENVIRONMENT = re.compile(r"^# env: (\w+)=(.*)$", re.MULTILINE)
FAILS = re.compile(r"^# fails: (\w+)$", re.MULTILINE)


def _load_truth() -> Any:
    spec = importlib.util.spec_from_file_location("_plum_jit_lint_truth", TRUTH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


truth = _load_truth()


# --- the project's files -----------------------------------------------------------------------


def files(project: Path) -> list[Path]:
    """The files of a project, each a root of its own."""
    return sorted(p for p in project.rglob("*.py") if "__pycache__" not in p.parts)


def source_roots(project: Path) -> list[Path]:
    """The folders that imports are looked up in."""
    source = project / "src"
    return [project, source] if source.is_dir() else [project]


def module_name(file: Path, project: Path) -> str:
    """The name under which a file of the project is imported."""
    root = source_roots(project)[-1]
    if not file.is_relative_to(root):
        root = project
    parts = list(file.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# --- importing them under watch ----------------------------------------------------------------


class Loader(SourceFileLoader):
    """Loads a module of the project with each call routed through the watch."""

    def get_code(self, fullname: str) -> types.CodeType:
        truth.PROGRAM.modules.add(fullname)
        return instrumented(self.path)


class Finder:
    """Finds the modules of the project as Python does, and has them loaded by `Loader`."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not truth.PROGRAM.holds(spec.origin):
            return None  # a namespace package, too, is left to Python
        spec.loader = Loader(fullname, spec.origin)
        return spec


def instrumented(file: str) -> types.CodeType:
    tree: Any = ast.parse(Path(file).read_text(), file)
    tree = ast.fix_missing_locations(truth.Instrument().visit(tree))
    code: types.CodeType = compile(tree, file, "exec", dont_inherit=True)
    return code


class Pytest:
    """Tells the watch which test is about to run: its fixtures are called from there."""

    def __init__(self, watch: Any) -> None:
        self.watch = watch

    def pytest_runtest_protocol(self, item: Any) -> None:
        code = item.function.__code__
        self.watch.base = ((code.co_filename, code.co_firstlineno),)


def run_root(root: Path, project: Path) -> dict[str, Any]:
    """Run one file as the program, in this process, which is of no use afterwards."""
    truth.PROGRAM.folder = f"{project}{os.sep}"
    sys.path[:0] = map(str, source_roots(project))
    sys.meta_path.insert(0, Finder())
    sys.dont_write_bytecode = True
    os.chdir(project)
    watch = truth.Watch()
    setattr(builtins, truth.HERE, watch.call)
    setattr(builtins, truth.DECORATE, watch.decorate)
    result: dict[str, Any] = {"ok": False}
    try:
        names = _execute(root, project, watch)
        for expression in truth.RUN.findall(root.read_text()):
            step: Any = ast.parse(expression, str(root), "eval")
            step = ast.fix_missing_locations(truth.Instrument().visit(step))
            eval(compile(step, str(root), "eval", dont_inherit=True), names)
        watch.compare()
        gc.collect()
        watch.judge(list(watch.open))
        result["stale"] = sorted(_told(watch, project))
        result["uses"] = len(watch.uses)
        result["registrations"] = watch.registrations
        result["late"] = sorted(_places(watch.late, project))
        result["untold"] = sorted(_places(watch.untold, project))
        result["unexplained"] = sorted(_unexplained(watch))
        result["ok"] = not watch.registered_while_tracing
    except BaseException as error:
        result["error"] = traceback.format_exc()
        result["kind"] = type(error).__name__
    return result


def _execute(root: Path, project: Path, watch: Any) -> dict[str, Any]:
    if root.name.startswith("test_"):
        import pytest

        options = ["-q", "--assert=plain", "-p", "no:cacheprovider", "-c", os.devnull]
        options += [f"--rootdir={project}", f"--confcutdir={project}"]
        code = pytest.main([*options, str(root)], plugins=[Pytest(watch)])
        if code:
            raise RuntimeError(f"pytest ends with {code!r}")
        return {}
    if root.name == "main.py" and root.parent == project:
        module = types.ModuleType("__main__")
        module.__file__ = str(root)
        sys.modules["__main__"] = module
        exec(instrumented(str(root)), vars(module))
        return vars(module)
    return vars(importlib.import_module(module_name(root, project)))


# --- where the findings stand ------------------------------------------------------------------


def placed(first_use: Any, registration: Any) -> tuple[str, int]:
    """Down both stacks to where they part, then on down the registration's in that file."""
    parted, last = 0, len(registration) - 1
    while parted < min(last, len(first_use)) and first_use[parted] == registration[parted]:
        parted += 1
    while parted < last and registration[parted + 1][0] == registration[parted][0]:
        parted += 1
    place: tuple[str, int] = registration[parted]
    return place


def _told(watch: Any, project: Path) -> Iterator[tuple[str, int, str, str, int, str]]:
    order = {id(use): number for number, use in enumerate(watch.uses)}
    first: dict[tuple[Any, str, str], Any] = {}
    for opened in watch.stale:
        for function in opened.functions:
            key = (opened.stack, opened.code, _called(function))
            use = first.setdefault(key, opened.use)
            if order[id(opened.use)] < order[id(use)]:
                first[key] = opened.use
    told = set()
    for (stack, code, function), use in first.items():
        place, own = placed(use.stack, stack), stack[-1]
        inside = [Path(file).relative_to(project).as_posix() for file, _ in (place, own)]
        told.add((inside[0], place[1], code, inside[1], own[1], function))
    return iter(told)


def _places(registrations: Any, project: Path) -> set[tuple[str, int, str]]:
    """Registrations by file, line and function."""
    return {
        (Path(stack[-1][0]).relative_to(project).as_posix(), stack[-1][1], _called(function))
        for stack, function in registrations
    }


def _unexplained(watch: Any) -> set[str]:
    from plum import Function

    return {_called(one) for one in list(Function._instances) if id(one) in watch.unexplained}


SPOKEN = {"_convert": "convert", "_promotion_rule": "promote"}
"""plum's own tables, by the functions of plum that read them."""


def _called(function: Any) -> str:
    """A dispatched function as a reader would call it."""
    owner = None
    with contextlib.suppress(Exception):
        owner = function.owner
    name: str = function.__name__
    name = SPOKEN.get(name, name)
    return name if owner is None else f"{owner.__name__}.{name}"


# --- running -----------------------------------------------------------------------------------


def answers(project: Path) -> Iterator[dict[str, Any]]:
    """The truth about every root of a project."""
    for root in files(project):
        source = root.read_text()
        runs = []
        for name, value in [("", ""), *ENVIRONMENT.findall(source)]:
            with _environment(name, value):
                runs.append(truth.in_a_child(root, lambda root=root: run_root(root, project)))
        told = {"project": str(project), "root": root.relative_to(project).as_posix()}
        failing = FAILS.search(source)
        if failing is not None:
            ok = all(run.get("kind") == failing[1] for run in runs)
            yield {**told, "ok": ok, "stale": [], "sometimes": [], "uses": 0, "error": str(runs)}
            continue
        broken = next((run for run in runs if not run["ok"]), None)
        if broken is not None:
            error = broken.get("error", "a registration happens inside a trace")
            yield {**told, "ok": False, "error": error}
            continue
        stale = [set(map(tuple, run["stale"])) for run in runs]
        always = set.intersection(*stale)
        yield {
            **told,
            "ok": True,
            "stale": sorted(always),
            "sometimes": sorted(set.union(*stale) - always),
            "uses": sum(run["uses"] for run in runs),
        }


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    if name:
        os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name, None)


def main(arguments: list[str]) -> int:
    truth.ready_to_fork()
    with contextlib.suppress(ImportError):
        import pytest  # noqa: F401
    for name in arguments:
        for answer in answers(Path(name).resolve()):
            print(json.dumps(answer), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
