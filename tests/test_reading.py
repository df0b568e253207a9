"""The two readers of a file, held against each other: libcst's and the quick one of Python's own
tree give the same facts."""

from __future__ import annotations

import dataclasses
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.source import SourceError, read_source

HERE = Path(__file__).parent
STANDARD = Path(sysconfig.get_paths()["stdlib"])

OWN = [*sorted((HERE.parent / "plum_jit_lint").rglob("*.py")), *sorted(HERE.glob("*.py"))]
LIBRARY = [STANDARD / f"{name}.py" for name in ("dataclasses", "functools", "typing", "calendar")]
FIXTURES = sorted((HERE / "fixtures").rglob("*.py"))


def differences(quick: object, other: object, where: str = "") -> Iterator[str]:
    """Where two facts differ, places of parenthesised and compound syntax aside: libcst leaves
    the parentheses out, and ends a block elsewhere."""
    if type(quick) is not type(other):
        yield f"{where}: {quick!r:.100} / {other!r:.100}"
    elif isinstance(quick, tuple) and isinstance(other, tuple):
        if len(quick) != len(other):
            yield f"{where}: {quick!r:.100} / {other!r:.100}"
        for number, (one, two) in enumerate(zip(quick, other, strict=False)):
            yield from differences(one, two, f"{where}[{number}]")
    elif isinstance(quick, nodes.Body) and isinstance(other, nodes.Body):
        yield from differences(quick.statements(), other.statements(), where)
    elif isinstance(quick, nodes.Annotation) and isinstance(other, nodes.Annotation):
        if quick.text not in other.text:
            yield f"{where}: {quick.text} / {other.text}"
        yield from differences(quick.value, other.value, where)
    elif dataclasses.is_dataclass(quick) and not isinstance(quick, type):
        loose = isinstance(
            quick,
            nodes.Comprehension
            | nodes.Display
            | nodes.Starred
            | nodes.If
            | nodes.For
            | nodes.While
            | nodes.Try
            | nodes.With
            | nodes.Match,
        )
        for field in dataclasses.fields(quick):
            if field.name != "at" or not loose:
                name = f"{where}.{field.name}"
                yield from differences(getattr(quick, field.name), getattr(other, field.name), name)
    elif quick != other:
        yield f"{where}: {quick!r} / {other!r}"


def read_twice(source: bytes) -> list[str]:
    quick = read_source(source, by_libcst=False)
    return list(differences(quick, read_source(source, by_libcst=True)))


@pytest.mark.parametrize("path", [*OWN, *LIBRARY], ids=lambda path: path.stem)
def test_both_readers_give_the_same_facts_of_real_files(path: Path) -> None:
    assert read_twice(path.read_bytes()) == []


def test_both_readers_give_the_same_facts_of_the_fixtures() -> None:
    wrong = {}
    for path in FIXTURES:
        try:
            found = read_twice(path.read_bytes())
        except SourceError:
            continue
        if found:
            wrong[path.name] = found
    assert wrong == {}


SNIPPETS = {
    "names are the same whose NFKC forms are": (
        "y\u0304 = 1\ndef \ufb01t(y\u0304): return y\u0304.\ufb01t(\ufb01=1)\n"
    ),
    "columns count characters": 'x = "é" + f(\u03b2) + "\U0001f600" + g(y)\n',
    "an index in parentheses": "a[(1, 2)]\na[1, 2]\na[()]\na[1:2, ..., ::3]\n",
    "strings that stand side by side": 'x = "a" "b" f"{c}d" "e" f"{f!r:>{g}}"\ny = b"a" b"b"\n',
    "expressions that a string shows with their texts": (
        'a = f"{x=}"\nb = f"got { x = } and {x!r}, {x=!s} {x:>{x}} {x=:3d}"\n'
        'c = f"""{\nx\n=}{x}"""\nd = "pre" f"{x=}{x}" "post"\ne = rf"\\d{x=}"\ng = f"{{{x = }}}"\n'
        "h = f\"a {'b'} c\"\n"
    ),
    "escapes in a string with expressions": (
        'a = f"say \\"{x}\\" {x}\\""\nb = f\'it\\\'s {x} "q" \\\\\'\nc = f"""a\\"b{x}"c\\n"""\n'
        'd = f"\\N{BULLET}{x}\\x41"\n'
    ),
    "a starred annotation": "def f(*args: *Ts): ...\nx: tuple[*Ts] = (*Ts,)\n",
    "mixed and and or": "x = a and b or c and (d or e) or not f\n",
    "a decorator over several lines": "@f(\n    1,\n)\n@ g\nclass A(B, m=C): ...\n",
    "async and await": "async def f(a, /, b, *, c=1, **d):\n    async with e as g: await h\n",
    "patterns": (
        "match x:\n    case 1 | 'a': a\n    case C(y, z=w): b\n    case {'k': v, **r}: c\n"
        "    case [p, *q] as s: d\n    case None: e\n    case t if u: f\n    case _: g\n"
    ),
    "keywords between stars": "f(*a, b=1, *c, **d)\n",
    "other line ends": "x = f(1)\r\ny = g(2)\r\nz = h(3)\r\n",
    "chains of elif": "if a: b()\nelif c: d()\nelse:\n    if e: f()\n",
    "deletions": "del a, b[0], c\ndel (d, e)\n",
}


@pytest.mark.parametrize("source", SNIPPETS.values(), ids=SNIPPETS)
def test_both_readers_give_the_same_facts_of_rare_syntax(source: str) -> None:
    assert read_twice(source.encode()) == []


def test_a_name_is_found_whichever_way_it_is_written() -> None:
    """Python joins `y` and a combining macron to one letter, as it does for every identifier."""
    body = read_source("y\u0304 = 1\n".encode(), by_libcst=True).body
    assert isinstance(body[0], nodes.Assign)
    assert body[0].targets == (nodes.Name((1, 1, 1, 3), "\u0233"),)
