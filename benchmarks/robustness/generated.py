"""Programs from hypothesmith, made to speak of plum and jit.

Generated names mean nothing to the checker, so most are replaced by names that do.
"""

from __future__ import annotations

import functools
import io
import json
import keyword
import random
import re
import tokenize
import warnings
from pathlib import Path
from typing import Any

from benchmarks.robustness.sources import PROGRAM

CHUNK = 120
"""Programs of one seed. hypothesis begins with small ones, and goes on with the like of what it
has: many series are more varied than a long one."""

NAMES = (
    *("dispatch", "jax", "jnp", "plum", "area", "total", "jit", "overload", "Dispatcher"),
    *("register", "clear_caches", "partial", "vmap", "array", "object", "int", "Union", "convert"),
    *("self", "cls", "invoke", "multi", "abstract", "precedence", "functools"),
)

WAYS = ("behind", "in front", "names", "in a method")


@functools.cache
def _strategy(kind: str) -> Any:
    import hypothesmith

    # The grammar takes seconds to be made ready.
    return hypothesmith.from_node() if kind == "node" else hypothesmith.from_grammar(kind)


def generate(seed: int) -> list[str]:
    """The different programs of one seed: mostly from Python's grammar, every eighth series from
    libcst's trees, which are slow to make and much alike."""
    import hypothesis
    from hypothesis import HealthCheck, Phase

    kind = "node" if seed % 8 == 7 else "single_input" if seed % 4 == 3 else "file_input"
    found: dict[str, None] = {}

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=CHUNK // 4 if kind == "node" else CHUNK,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(_strategy(kind))
    def collect(text: str) -> None:
        found[text] = None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collect()
    return list(found)


def has_statement(text: str) -> bool:
    """Whether there is more than comments and blank lines."""
    return re.search(r"^[^#\n\r]*\w", text, re.MULTILINE) is not None


def kept_series(seed: int, cache: Path) -> list[str]:
    """The programs of one seed, generated where they are not kept yet."""
    from importlib.metadata import version

    file = cache / f"hypothesmith-{version('hypothesmith')}" / f"{seed}.json"
    if file.is_file():
        kept: list[str] = json.loads(file.read_text(encoding="utf-8"))
        return kept
    programs = generate(seed)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    partial.write_text(json.dumps(programs), encoding="utf-8")
    partial.rename(file)
    return programs


def relevant(text: str, way: str, chance: random.Random) -> bytes:
    """A program that the checker has to read whole, made out of a generated one."""
    text = text if text.endswith("\n") else text + "\n"
    if way == "behind":
        text = text + PROGRAM
    elif way == "in front":
        text = PROGRAM + text
    elif way == "names":
        text = PROGRAM + _renamed(text, chance)
    else:
        body = "".join(f"    {line}" for line in _renamed(text, chance).splitlines(keepends=True))
        text = PROGRAM + f"\n\n@dispatch\ndef area(self: int, *cls):\n{body}\n    return self\n"
    return text.encode("utf-8", errors="surrogatepass")


def _renamed(text: str, chance: random.Random) -> str:
    known: dict[str, str] = {}
    lines = text.splitlines(keepends=True)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    for token in reversed(tokens):
        name = token.string
        if token.type != tokenize.NAME or keyword.iskeyword(name):
            continue
        row, begin = token.start
        if row > len(lines):
            continue
        if name not in known:
            known[name] = chance.choice(NAMES)
        line = lines[row - 1]
        lines[row - 1] = line[:begin] + known[name] + line[token.end[1] :]
    return "".join(lines)
