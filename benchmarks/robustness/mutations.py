"""Real files made wrong: cut, spliced, with flipped bytes, and with something deep in them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

Mutation = Callable[[bytes, Sequence[bytes], random.Random], bytes]


def cut(source: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """The end, the start or a stretch is gone; by bytes or by lines."""
    if chance.random() < 0.5:
        lines = source.splitlines(keepends=True)
        for _ in range(chance.randint(1, 4)):
            begin = chance.randint(0, len(lines))
            del lines[begin : begin + chance.choice((1, 1, 2, 5, 20))]
        return b"".join(lines)
    begin = chance.randint(0, len(source))
    if chance.random() < 0.4:
        return source[:begin]
    return source[:begin] + source[begin + chance.choice((1, 2, 3, 10, 100, 1000)) :]


def spliced(source: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Stretches of other files stand in it, lines twice or in another order; half of the time
    only whole statements of the outermost level, so that it is still Python."""
    divided = _blocks if chance.random() < 0.5 else bytes.splitlines
    lines = divided(source, True)
    for _ in range(chance.randint(1, 4)):
        other = divided(chance.choice(others), True)
        begin, at = chance.randint(0, len(other)), chance.randint(0, len(lines))
        piece = other[begin : begin + chance.choice((1, 3, 10, 40, 200))]
        how = chance.random()
        if how < 0.5:
            lines[at:at] = piece
        elif how < 0.7:
            lines[at : at + len(piece)] = piece
        elif how < 0.8:
            lines += lines
        else:
            moved = lines[at : at + 10]
            lines[at : at + 10] = chance.sample(moved, len(moved))
    return b"".join(lines)


def _blocks(source: bytes, keepends: bool) -> list[bytes]:
    """The statements of the outermost level, as far as the lines tell them."""
    blocks: list[bytes] = []
    decorated = False
    for line in source.splitlines(keepends):
        begins = line[:1].isalpha() or line[:1] in (b"@", b"_")
        if blocks and (decorated or not begins or line.startswith((b"el", b"except", b"finally"))):
            blocks[-1] += line
        else:
            blocks.append(line)
        if begins:
            decorated = line.startswith(b"@")
    return blocks


def flipped(source: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Single bytes are changed, taken out or put in."""
    changed = bytearray(source or b"x")
    for _ in range(chance.choice((1, 1, 2, 5, 50))):
        at = chance.randrange(len(changed) or 1)
        how = chance.random()
        if how < 0.3 and changed:
            changed[at] ^= 1 << chance.randrange(8)
        elif how < 0.5 and changed:
            changed[at] = chance.randrange(256)
        elif how < 0.7:
            del changed[at : at + 1]
        else:
            changed[at:at] = chance.choice(_PIECES)
    return bytes(changed)


def deep(source: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Something nested deeply, or very long, stands at its end, its start or in it."""
    kind = chance.choice(sorted(DEEP))
    piece = DEEP[kind](chance.choice((20, 60, 95, 200, 500, 1000, 3000, 10_000))).encode()
    if chance.random() < 0.4:
        return _START.encode() + piece
    lines = source.splitlines(keepends=True)
    starts = [n for n, line in enumerate(lines) if line[:1].isalpha() or line[:1] == b"@"]
    at = chance.choice([0, len(lines), *starts])
    lines[at:at] = [b"\n", piece, b"\n"]
    return b"".join(lines)


MUTATIONS: Mapping[str, Mutation] = {
    "cut": cut,
    "spliced": spliced,
    "bytes flipped": flipped,
    "deeply nested": deep,
}

_PIECES = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\r", b"\x0c", b"\x1a", b"\\\n", b"\t"),
    *(b"(", b")", b"[", b"]", b"{", b"}", b"'", b'"""', b"f'{", b":=", b"@", b"*", b"**", b";"),
    *(b"\n", b"\n    ", b"async ", b"await ", b"yield ", b"lambda: ", b"global jax\n", b"\\N{"),
    *(b"# -*- coding: utf-7 -*-\n", b"# coding: latin-1\n", b"1_000j", b"0777", b"\xc2\xa0"),
)

_START = """\
import jax, functools
import jax.numpy as jnp
from plum import dispatch, overload, Dispatcher
from typing import Union

@dispatch
def area(x: jax.Array): return x

@jax.jit
def total(x): return 2 * area(x)

"""


def _ifs(n: int) -> str:
    n = min(n, 98)
    return "".join(" " * i + "if total(1):\n" for i in range(n)) + " " * n + "total(2)\n"


def _defs(n: int) -> str:
    n = min(n, 98)
    heads = "".join(" " * i + f"@dispatch\n{' ' * i}def area(x: int):\n" for i in range(n))
    return heads + " " * n + "return total(x)\n"


def _classes(n: int) -> str:
    n = min(n, 98)
    heads = "".join(" " * i + f"class C{i}:\n" for i in range(n))
    return heads + " " * n + "@dispatch\n" + " " * n + "def area(self): return total(self)\n"


def _withs(n: int) -> str:
    n = min(n, 19)
    return "".join(" " * i + "with area(1) as x:\n" for i in range(n)) + " " * n + "total(x)\n"


def _chain(n: int) -> str:
    head = "def f0(x): return total(x)\n"
    return (
        head
        + "".join(f"def f{i}(x): return f{i - 1}(x)\n" for i in range(1, n))
        + (f"jax.jit(f{n - 1})(jnp.ones(1))\n@dispatch\ndef area(x: jax.Array): return 3\n")
    )


def _bases(n: int) -> str:
    return "class C0: pass\n" + "".join(
        f"class C{i}(C{i - 1}): pass\n@dispatch\ndef area(x: C{i}): return x\n"
        for i in range(1, min(n, 500))
    )


def _methods(n: int) -> str:
    return "".join(
        f"@dispatch\ndef area(x: jax.Array, y: T{i}): return {i}\n" for i in range(min(n, 1000))
    )


def _around(before: str, middle: str, after: str) -> Callable[[int], str]:
    return lambda n: before * n + middle + after * n + "\n"


def _row(start: str, piece: str, end: str = "") -> Callable[[int], str]:
    return lambda n: start + piece * n + end + "\n"


DEEP: Mapping[str, Callable[[int], str]] = {
    "calls in calls": _around("total(", "1", ")"),
    "jits in jits": _around("jax.jit(", "area", ")"),
    "partials": _around("functools.partial(", "area", ", 1)"),
    "parentheses": _around("(", "area", ")"),
    "lists": _around("[", "total(1)", "]"),
    "dicts": _around("{1: ", "total(1)", "}"),
    "tuples": _around("(", "area,", ",)"),
    "subscripts": _around("area[", "1", "]"),
    "lambdas": _around("lambda: ", "total(1)", ""),
    "conditions": _around("area if total(1) else (", "1", ")"),
    "comprehensions": _around("[total(x) for x in ", "[1]", "]"),
    "fors in a comprehension": _row("y = [x", " for x in total(1)", "]"),
    "dotted import": _row("import area", ".total"),
    "dotted origin": _row("from area", ".total", " import area"),
    "awaits": lambda n: "async def f():\n    " + "await " * n + "total(1)\n",
    "unions": lambda n: (
        "@dispatch\ndef area(x: " + "Union[int, " * n + "str" + "]" * n + "): return x\n"
    ),
    "bars": lambda n: "@dispatch\ndef area(x: " + "int | " * n + "str): return x\n",
    "annotation in a string": lambda n: (
        "@dispatch\ndef area(x: '" + "list[" * n + "int" + "]" * n + "'): return x\n"
    ),
    "decorators": _row("", "@dispatch\n", "def area(x: int): return x"),
    "jit decorators": _row("", "@jax.jit\n", "@dispatch\ndef area(x: int): return x"),
    "attributes": _row("area", ".dispatch", "(total)"),
    "called again": _row("total", "(1)"),
    "chained methods": _row("area", ".dispatch(total)"),
    "sum": _row("y = total(1)", " + total(1)"),
    "powers": _row("y = total(1)", " ** total(1)"),
    "minus": _row("y = ", "-", "total(1)"),
    "nots": _row("y = ", "not ", "total(1)"),
    "comparisons": _row("y = total(1)", " < total(1)"),
    "ors": _row("y = total(1)", " or total(1)"),
    "assignments": _row("", "y = ", "total(1)"),
    "walrus": _around("(y := ", "total(1)", ")"),
    "strings": _row("y = 'a'", " 'a'"),
    "arguments": _row("total(", "1, ", ")"),
    "keywords": lambda n: "total(" + ", ".join(f"k{i}=1" for i in range(n)) + ")\n",
    "statements": _row("", "total(jnp.ones(1))\n"),
    "semicolons": _row("y = 1", "; total(y)"),
    "elifs": _row("if total(1): pass\n", "elif total(2): pass\n"),
    "format strings": _row("y = f'", "{total(1)}", "'"),
    "format specs": _around("f'{total(1):{", "area", "}}'"),
    "stars": _row("a, *", "b, ", "c = area, total"),
    "ifs": _ifs,
    "definitions": _defs,
    "classes": _classes,
    "withs": _withs,
    "chain of functions": _chain,
    "chain of bases": _bases,
    "many methods": _methods,
    "loops": lambda n: (
        "".join(" " * i + f"for x{i} in range(20):\n" for i in range(min(n, 19)))
        + " " * min(n, 19)
        + "total(x0)\n"
    ),
    "tries": lambda n: (
        "".join(" " * i + "try:\n" for i in range(min(n, 19)))
        + " " * min(n, 19)
        + "total(1)\n"
        + "".join(
            " " * i + "except E:\n" + " " * i + " area(1)\n" for i in reversed(range(min(n, 19)))
        )
    ),
    "recursion": lambda n: (
        "".join(
            f"def g{i}(x): return g{(i + 1) % n}(x) + g{(i * 7 + 3) % n}(area(x))\n"
            for i in range(min(n, 500))
        )
        + "jax.jit(g0)(1)\n@dispatch\ndef area(x: int): return 1\n"
    ),
}
