"""The table of what people try, `habits.toml`: its rows, and what becomes of each."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from house import CLEAN, PJ001, PJ002, PJ004

from plum_jit_lint.cli import main

TABLE = Path(__file__).with_suffix(".toml")

SHAPES = PJ004.partition("\n\ntotal(")[0] + "\n"
USES = """\
import jax
import jax.numpy as jnp
from shapes import area, total
total(jnp.ones(2))

@area.dispatch
def _(x: jax.Array):
    return 3 * x
"""
PROGRAMS = {
    "PJ001": PJ001,
    "PJ002": PJ002,
    "PJ004": PJ004,
    "CLEAN": CLEAN,
    "SHAPES": SHAPES,
    "USES": USES,
    "USES_RELATIVE": USES.replace("from shapes", "from .shapes"),
}

FINDING = re.compile(r"(\S+:\d+) (PJ\d+)")


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that somebody tries, and what is to become of it."""

    group: str
    what: str
    exit: int
    says: Sequence[str]
    run: str = ""
    shell: str = ""
    stdin: str = ""
    without: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    """The files that are not those of the whole group."""
    links: Mapping[str, str] = field(default_factory=dict)
    unsaid: Sequence[str] = ()
    once: Sequence[str] = ()
    order: Sequence[str] = ()

    @property
    def command(self) -> str:
        """What is typed."""
        if self.shell:
            return self.shell.format(cli="plum-jit-lint", flake8="flake8")
        shown = self.run.format(here="$PWD", folder="project")
        typed = f"plum-jit-lint {shown}".strip()
        return f"{typed} < text" if self.stdin else typed


def rows() -> Iterator[Row]:
    """The rows of the table."""
    for group in tomllib.loads(TABLE.read_text(encoding="utf-8"))["group"]:
        for given in group["rows"]:
            own = given.pop("files", {})
            yield Row(
                group["name"],
                files={**group["files"], **own},
                own=frozenset(own),
                unsaid=given.pop("not", ()),
                **given,
            )


def text_of(value: str) -> str:
    """What a file of the table holds: a text, or a program, in which a line may be another."""
    if not value.startswith("="):
        return value
    name, _, line = value[1:].partition(" ")
    text = PROGRAMS[name]
    if line:
        code = line.partition("  #")[0]
        assert text.count(f"{code}\n") == 1, value
        text = text.replace(f"{code}\n", f"{line}\n")
    return text


def lay_out(row: Row, folder: Path) -> None:
    """Makes the files and links of a row."""
    for name, value in row.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(value), encoding="utf-8")
    for name, target in row.links.items():
        (folder / name).symlink_to(target)


def tried(row: Row, folder: Path) -> tuple[int, str]:
    """The exit code of a row, and all that it writes, when it is tried in `folder`."""
    if row.shell:
        return _in_a_shell(row, folder)
    arguments = shlex.split(row.run.format(here=folder, folder=folder.name))
    written = io.StringIO()
    before = Path.cwd()
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(written))
        stack.enter_context(redirect_stderr(written))
        given = io.TextIOWrapper(io.BytesIO(text_of(row.stdin).encode()))
        stack.enter_context(mock.patch.object(sys, "stdin", given))
        if row.without:
            from plum_jit_lint.integrations import companion

            absent = mock.patch.object(companion, "_can_import", lambda name: name != row.without)
            stack.enter_context(absent)
            modules = {name: one for name, one in sys.modules.items() if name != row.without}
            stack.enter_context(mock.patch.object(companion.sys, "modules", modules))
        os.chdir(folder)
        stack.callback(os.chdir, before)
        code = main([*arguments, "--no-cache"] if _checks(arguments) else arguments)
    return code, written.getvalue()


def _checks(arguments: Sequence[str]) -> bool:
    return arguments[:1] not in (["clean"], ["run"], ["verify"])


def _in_a_shell(row: Row, folder: Path) -> tuple[int, str]:
    python = shlex.quote(sys.executable)
    cli, flake8 = f"{python} -m plum_jit_lint", f"{python} -m flake8"
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        ["sh", "-c", row.shell.format(cli=cli, flake8=flake8)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def complaints(row: Row, code: int, written: str) -> list[str]:
    """What is other than the row says."""
    found = [] if code == row.exit else [f"exit code {code}, not {row.exit}"]
    found += [f"not said: {piece}" for piece in row.says if not _is_said(piece, written)]
    found += [f"said: {piece}" for piece in row.unsaid if _is_said(piece, written)]
    found += [f"not said once: {piece}" for piece in row.once if written.count(piece) != 1]
    places = [written.find(piece) for piece in row.order]
    if -1 in places or places != sorted(places):
        found.append(f"not in this order: {row.order}")
    if "internal error" in written or "Traceback" in written:
        found.append("an error of its own")
    return found


def _is_said(piece: str, written: str) -> bool:
    finding = FINDING.fullmatch(piece)
    if finding is None:
        return piece in written
    place, code = map(re.escape, finding.groups())
    return re.search(rf"^{place}:\d+: (\w+\[{code}\]|{code} )", written, re.MULTILINE) is not None
