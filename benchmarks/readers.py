"""Whether both readers of a file, libcst's and that of Python's own tree, give the same facts.

    python -m benchmarks.readers [--cache DIR] [PACKAGE ...]

A check reads each file with one of them; this reads every file of the packages with both. The
exit code is 1 where they differ.
"""

from __future__ import annotations

import dataclasses
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks import corpus
from benchmarks.releases import FetchError, default_cache
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.source import SourceError, decode, read_by_libcst, read_source


def differences(quick: object, other: object, where: str = "") -> Iterator[str]:
    """Where two facts differ."""
    if type(quick) is not type(other):
        yield f"{where}: {quick!r:.100} / {other!r:.100}"
    elif isinstance(quick, tuple) and isinstance(other, tuple):
        if len(quick) != len(other):
            yield f"{where}: {quick!r:.100} / {other!r:.100}"
        for number, (one, two) in enumerate(zip(quick, other, strict=False)):
            yield from differences(one, two, f"{where}[{number}]")
    elif isinstance(quick, nodes.Body) and isinstance(other, nodes.Body):
        if (quick.key, quick.text) != (other.key, other.text):
            yield f"{where}: {quick.key} {quick.text!r} / {other.key} {other.text!r}"
        yield from differences(quick.statements(), other.statements(), where)
    elif isinstance(quick, nodes.Parts) and isinstance(other, nodes.Parts):
        yield from differences((quick.at, quick.kind), (other.at, other.kind), where)
        for one, two in zip(quick.parts, other.parts, strict=True):
            if quick.kind == "fstring" and isinstance(one, nodes.Display):
                # Before 3.12 Python takes the braces for the parentheses of a tuple.
                one = dataclasses.replace(one, at=getattr(two, "at", one.at))
            yield from differences(one, two, f"{where}.parts")
    elif dataclasses.is_dataclass(quick) and not isinstance(quick, type):
        for field in dataclasses.fields(quick):
            name = f"{where}.{field.name}"
            yield from differences(getattr(quick, field.name), getattr(other, field.name), name)
    elif quick != other:
        yield f"{where}: {quick!r} / {other!r}"


def read_twice(source: bytes) -> list[str]:
    """Where the readers differ on a text. `SourceError` where Python's own takes it for none."""
    quick = read_source(source, by_libcst=False)
    other = read_by_libcst(decode(source), _kept)
    return ["libcst reads no Python"] if other is None else list(differences(quick, other))


def _kept(key: str, lines: str, read: Callable[[], tuple[nodes.Statement, ...]]) -> nodes.Body:
    return nodes.Body(read, lines, key)


def main(argv: Sequence[str] | None = None) -> int:
    """Reads packages, and prints what differs."""
    parser = ArgumentParser(prog="python -m benchmarks.readers", description=__doc__)
    parser.add_argument("packages", nargs="*", choices=[*corpus.PACKAGES, []], metavar="PACKAGE")
    parser.add_argument("--cache", type=Path, default=default_cache(), metavar="DIR")
    arguments = parser.parse_args(argv)
    count = 0
    wrong = False
    for package in arguments.packages or corpus.PACKAGES:
        try:
            folder = corpus.fetched(package, arguments.cache)
        except FetchError as error:
            print(f"left out: {package}: {error}", file=sys.stderr)
            continue
        for file in sorted(folder.rglob("*.py")):
            try:
                found = read_twice(file.read_bytes())
            except SourceError:
                continue
            count += 1
            wrong |= bool(found)
            for line in found:
                print(f"{file}: {line}")
    print(f"{count} files were read by both")
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
