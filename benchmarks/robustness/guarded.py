"""One file checked in this process, under a guard that sees whatever the checker does beside
reading."""

from __future__ import annotations

import ast
import contextlib
import encodings
import hashlib
import importlib
import io
import json
import os
import pkgutil
import signal
import sys
import tempfile
import time
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.robustness.sources import PROGRAM

_FORBIDDEN = (
    *("subprocess.", "socket.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.remove"),
    *("os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.symlink", "os.truncate"),
    *("os.utime", "urllib.", "ftplib.", "webbrowser.", "shutil.", "pty.", "ctypes.", "sqlite3."),
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

TOO_DEEP = "nested too deeply to be checked"


@dataclass(frozen=True)
class Verdict:
    """What came of one file; `failures` are sentences, and none when all is well."""

    failures: tuple[str, ...]
    code: int = -1
    seconds: float = 0.0
    too_deep: bool = False
    found: bool = False


@dataclass
class Guard:
    """Notes imports, executed code, written files and started processes while it is armed."""

    armed: bool = False
    seen: list[str] = field(default_factory=list)

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.armed:
            return
        if event == "import" and str(arguments[0]).startswith("encodings."):
            # Python itself looks there, and nowhere else, for the codec that a file names. Those
            # that there are were brought in before.
            return
        if event in ("import", "exec") or event.startswith(_FORBIDDEN):
            self.seen.append(f"{event} {arguments[:1]!r}")
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            self.seen.append(f"opens {arguments[0]!r} for writing")

    @contextlib.contextmanager
    def watching(self, limit: float) -> Iterator[None]:
        """Watches a block; what takes longer than `limit` seconds ends the process."""
        self.seen.clear()
        self.armed = True
        signal.setitimer(signal.ITIMER_PROF, limit)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.armed = False


def serve(pipe: Connection, limit: float) -> None:
    """Answers each path that comes through the pipe with a `Verdict`. The process ends when one
    takes more than `limit` seconds of processor time."""
    guard = Guard()
    with tempfile.TemporaryDirectory() as name:
        _warm_up(Path(name))
    sys.addaudithook(guard)
    pipe.send("ready")
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            # Whoever asked has gone.
            return
        pipe.send(check(Path(task[0]), guard, flake8=task[1], limit=limit))


def _warm_up(folder: Path) -> None:
    """Brings in every module that the checker needs, so that no import is left to make."""
    nobody = Guard()
    texts = [PROGRAM, "from plum import (\n", "import plum\nx = " + "(" * 3000, "\0"]
    texts += ["import plum, jax\nx = " + "jax.jit(" * 95 + "1" + ")" * 95, "\n", "import os\n"]
    texts += ["# coding: x\n"]
    texts += ["from . import a\nimport b.c, importlib\nimportlib.import_module('text0')\n"]
    texts += [PROGRAM + "\n@jax.jit\n@dispatch\ndef f(x: 'int | list[str]') -> float: return x\n"]
    for number, text in enumerate(texts):
        path = folder / f"text{number}.py"
        path.write_text(text)
        check(path, nobody, flake8=True)
    # A file may name any of Python's codecs, and to decode it brings that in.
    for codec in pkgutil.iter_modules(encodings.__path__):
        with contextlib.suppress(ImportError):
            importlib.import_module(f"encodings.{codec.name}")


def check(path: Path, guard: Guard, *, flake8: bool, limit: float = 0.0) -> Verdict:
    """What the command line says about one file, held against Python's own parser, and with
    `flake8` against the plugin."""
    from plum_jit_lint.cli import main

    before = path.read_bytes()
    out, err = io.StringIO(), io.StringIO()
    arguments = [str(path), "--isolated", "--no-cache", "--jobs", "1", "--quiet"]
    arguments += ["--disable-noqa", "--output-format", "json"]
    began = time.process_time()
    with guard.watching(limit), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    seconds = time.process_time() - began
    failures = [f"does: {event}" for event in guard.seen]
    if _digest(before) != _digest(path.read_bytes()):
        failures.append("the file has changed")
    if err.getvalue():
        failures.append(f"standard error: {err.getvalue().strip().splitlines()[-1]}")
    try:
        report = json.loads(out.getvalue())
    except ValueError:
        return Verdict((*failures, "standard output is no JSON"), code, seconds)
    messages = [str(error["message"]) for error in report["errors"]]
    failures += [message for message in messages if "internal error" in message]
    failures += [f"more than a line: {m!r}" for m in messages if not m.isprintable()]
    serious = any(finding["severity"] != "note" for finding in report["findings"])
    right = 2 if messages else int(serious)
    if code != right:
        failures.append(f"exit code {code}, but the report means {right}")
    too_deep = any(TOO_DEEP in message for message in messages)
    tree = _parsed(before)
    if isinstance(tree, ast.Module) and messages and not too_deep:
        failures.append(f"Python parses it, but: {messages[0]}")
    if isinstance(tree, SyntaxError) and not messages and not _libcst_parses(before):
        failures.append(f"no Python ({tree.msg}), and not told")
    if flake8 and isinstance(tree, ast.Module) and not messages and not failures:
        failures += _compared(path, before, report["findings"], guard, limit)
    return Verdict(tuple(failures), code, seconds, too_deep, bool(report["findings"]))


def _compared(
    path: Path, source: bytes, findings: list[dict[str, Any]], guard: Guard, limit: float
) -> list[str]:
    """What is wrong with what the flake8 plugin says about the same text."""
    from plum_jit_lint.checking.programs import Programs
    from plum_jit_lint.integrations.flake8_plugin import PlumJitChecker
    from plum_jit_lint.project.config import Settings, SettingsTree
    from plum_jit_lint.project.source_lines import source_lines

    lines = source_lines(source)
    lines[:1] = [line.removeprefix("\N{BYTE ORDER MARK}") for line in lines[:1]]
    tree = _parsed("".join(lines).encode("utf-8", errors="surrogatepass"))
    if not isinstance(tree, ast.Module):
        return []
    # What flake8 keeps for a run is for files that do not change.
    settings = Settings()
    PlumJitChecker.settings = SettingsTree(same_for_all=settings)
    PlumJitChecker.programs = {id(settings): Programs(settings)}
    PlumJitChecker.cached = False
    err = io.StringIO()
    with guard.watching(limit), contextlib.redirect_stderr(err):
        said = sorted(
            (line, column + 1, text[:5])
            for line, column, text, _ in PlumJitChecker(tree, str(path), lines).run()
        )
    failures = [f"the flake8 plugin does: {event}" for event in guard.seen]
    if err.getvalue():
        failures.append(f"the flake8 plugin writes: {err.getvalue().strip().splitlines()[-1]}")
    wanted = sorted((f["line"], f["column"], f["code"]) for f in findings)
    if said != wanted:
        failures.append(f"the flake8 plugin says {said[:3]}, the command line {wanted[:3]}")
    return failures


def _digest(source: bytes) -> str:
    return hashlib.sha256(source).hexdigest()


def _parsed(source: bytes) -> ast.Module | SyntaxError | None:
    """The tree; why there is none; `None` where Python does not say."""
    try:
        # Of bytes that are no text Python tells only when it reads them from a file.
        source.decode(tokenize.detect_encoding(io.BytesIO(source).readline)[0])
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        return SyntaxError(str(error))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        return None if "too many" in str(error) else error
    except (ValueError, RecursionError, MemoryError):
        return None


def _libcst_parses(source: bytes) -> bool:
    import libcst

    try:
        libcst.parse_module(source)
    except Exception:
        return False
    return True
