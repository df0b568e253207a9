"""The two readers of a file, held against each other: libcst's and the quick one of Python's own
tree give the same facts."""

from __future__ import annotations

import ast
import sys
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

import libcst as cst
import pytest

from plum_jit_lint import Settings, lint_paths
from plum_jit_lint.prefilter.features import ByteScan
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.nesting import depth
from plum_jit_lint.syntax.source import SourceError, read_source, suits_libcst

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from benchmarks.readers import read_twice  # noqa: E402

STANDARD = Path(sysconfig.get_paths()["stdlib"])

OWN = [*sorted((ROOT / "plum_jit_lint").rglob("*.py")), *sorted(HERE.glob("*.py"))]
LIBRARY = [STANDARD / f"{name}.py" for name in ("dataclasses", "functools", "typing", "calendar")]
FOLDERS = [
    *(folder for folder in sorted((HERE / "fixtures").iterdir()) if folder.is_dir()),
    *(HERE / "kinds", HERE / "wild", ROOT / "benchmarks" / "wild"),
    *(folder for folder in sorted((ROOT / "benchmarks" / "projects").iterdir()) if folder.is_dir()),
]


@pytest.mark.parametrize("path", [*OWN, *LIBRARY], ids=lambda path: path.stem)
def test_both_readers_give_the_same_facts_of_real_files(path: Path) -> None:
    assert read_twice(path.read_bytes()) == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_both_readers_give_the_same_facts_of_the_test_programs(folder: Path) -> None:
    wrong = {}
    files = sorted(folder.rglob("*.py"))
    assert files
    for path in files:
        try:
            found = read_twice(path.read_bytes())
        except SourceError:
            continue
        if found:
            wrong[str(path)] = found
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
    "parentheses around tuples": "x = (a, b), ((c, d)), ()\nfor (a, (b)) in (c, d): (e)\n",
    "parentheses around generators": (
        "f(a for a in b)\nf (  # why\n    a for a in b\n)\nf((a for a in b), c)\n"
        "(f)(a for a in b)\nx = ((a for a in b))\nf(*(a for a in b))\ng(x=(a for a in b))\n"
    ),
    "functions beside their heads": (
        "def f(): return 1\ndef g(): \\\n  return 2\ndef h(\n  a): x = 1; y = (\n  2)\n"
        "def k():\n    @d\n    def inner():\n        yield 1\n    x = 1; y = (\n        2\n    );\n"
        "class C:\n    def f(self): 'doc'\n    def f(self):\n        # why\n        'doc'\n"
        "if a:\n    def f():\n        lambda: (yield)\n    # after\n"
    ),
}


@pytest.mark.parametrize("source", SNIPPETS.values(), ids=SNIPPETS)
def test_both_readers_give_the_same_facts_of_rare_syntax(source: str) -> None:
    assert read_twice(source.encode()) == []


def test_a_name_is_found_whichever_way_it_is_written() -> None:
    """Python joins `y` and a combining macron to one letter, as it does for every identifier."""
    body = read_source("y\u0304 = 1\n".encode(), by_libcst=True).body
    assert isinstance(body[0], nodes.Assign)
    assert body[0].targets == (nodes.Name((1, 1, 1, 3), "\u0233"),)


PARSED_BY = {
    "a stack": ("@dispatch\n@jit\ndef f(a): ...\n", "libcst"),
    "one decorator for both": ("@both(dispatch, jit)\ndef f(a): ...\n", "libcst"),
    "no stack": ("x = dispatch, jit\n@dispatch\ndef f(a): ...\n", "ast"),
    "stacks of neither": ("@a\n@b\ndef f(a): ...\n", "ast"),
    "too deep a stack": ("@dispatch\n@jit\ndef f(a): " + "-" * 100 + "1\n", "ast"),
}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How often each text was parsed, and by whom."""
    found: Counter[tuple[str, str]] = Counter()

    def noting(name: str, parse: Any) -> Any:
        def noted(source: str | bytes, *args: Any, **kwargs: Any) -> Any:
            found[name, source if isinstance(source, str) else source.decode()] += 1
            return parse(source, *args, **kwargs)

        return noted

    monkeypatch.setattr(ast, "parse", noting("ast", ast.parse))
    monkeypatch.setattr(cst, "parse_module", noting("libcst", cst.parse_module))
    return found


@pytest.mark.parametrize("name", PARSED_BY)
def test_one_reader_reads_a_file(name: str, parsed: Counter[tuple[str, str]]) -> None:
    text, reader = PARSED_BY[name]
    read_source(text.encode(), by_libcst=ByteScan().features(text.encode()).may_stack_decorators)
    assert {key: count for key, count in parsed.items() if key[1] == text} == {(reader, text): 1}


def test_no_file_is_parsed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Counter[tuple[str, str]]
) -> None:
    stack = "import jax\nfrom plum import dispatch\n{}\n@dispatch\n@jax.jit\ndef f(a): ...\n"
    files = {
        "a.py": "PLAIN = 1\n",
        "shapes.py": stack.format("import a"),
        "main_program.py": "import a, b_plain, shapes\nshapes.f(a.PLAIN)\n",
        "b_plain.py": "import a\n",
        "another_stack.py": stack.format("import shapes, b_plain"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert lint_paths(["."], Settings()).files == len(files)
    times = Counter(dict.fromkeys(files.values(), 0))
    for (_, text), count in parsed.items():
        if text in times:
            times[text] += count
    assert times == dict.fromkeys(files.values(), 1)


N = 30
NESTED = {
    "operands": " or ".join(["a"] * N),
    "signs": "-" * N + "a",
    "signs after brackets": "f(g(h))" + " + a" * N,
    "brackets": "[" * N + "a" + "]" * N,
    "functions": "lambda a, b: " * N + "a",
    "clauses": "[a " + "for a, b in c " * N + "]",
    "choices": "a if b else " * N + "c",
    "attributes": "a" + ".b" * N,
    "calls": "a" + "(1, 2)" * N,
    "arguments": "f(a, " * N + "b" + ")" * N,
    "strings": "'a' " * N,
    "a string with expressions": "f'{" + "-" * N + "a}'",
    "many lines": "(\n" + "-\n" * N + "a)",
    "blocks": "0\n" + "".join(" " * n + "if a:\n" for n in range(N)) + " " * N + "b",
    "branches": "0\nif a: b\n" + "elif a: b\n" * N,
    "what is not closed": "(" * N,
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_a_text_tells_at_least_how_deep_it_is(text: str) -> None:
    assert depth(f"x = {text}\n") >= N


FLAT = {
    "members": "[" + "a, " * 1000 + "]",
    "lines": "0\n" + "a.b(c)[d]\n" * 1000,
    "functions": "0\n" + "def f(a, b):\n    return -a\n" * 1000,
    "a long string": "'" + "a.b-c(" * 1000 + "'",
    "a comment": "0  # " + "a.b-c(" * 1000,
    "statements in a line": "0; " * 1000,
}


@pytest.mark.parametrize("text", FLAT.values(), ids=FLAT)
def test_long_is_not_deep(text: str) -> None:
    assert depth(f"x = {text}\n") < 20


def test_libcst_is_left_alone_where_a_string_does_not_tell_its_end() -> None:
    assert suits_libcst("x = f'{a}'\n")
    assert not suits_libcst('x = f"{a["b"]}"\n')
