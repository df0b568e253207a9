"""Each program of `fixtures/` against its `# expect:` comments: by the checker, and by real JAX.

`# expect: PJ001/note PJ004` on a line says which findings stand there, and of which severity
where it is given. What the checker says is compared with that exactly. What plum and JAX do is
found out by `truth.py`, which knows nothing of the checker: every program's own asserts hold,
and the stale registrations that it derives are those that are expected.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tokenize
import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"
TRUTH = HERE / "truth.py"
EXPECT = re.compile(r"# expect: (.+)")
ASSERTS = "# truth: asserts"
ABOUT_ORDER = {"PJ003", "PJ004"}
BATCH = 20

PROGRAMS = sorted(FIXTURES.rglob("*.py"))
RUNNABLE = [p for p in PROGRAMS if p.parent.name != "static_only"]
# JAX needs a while for all of them; a fifth shows that nothing has come apart. The same fifth,
# whichever programs are added.
JUDGED = [
    program
    for program in RUNNABLE
    if os.environ.get("PLUM_JIT_LINT_ALL_PROGRAMS") or zlib.crc32(program.stem.encode()) % 5 == 0
]
HAVE_JAX = all(importlib.util.find_spec(m) for m in ("jax", "plum", "equinox", "jaxtyping"))


def name(program: Path) -> str:
    return program.relative_to(FIXTURES).with_suffix("").as_posix()


def expected(program: Path) -> dict[tuple[int, str], str | None]:
    """`(line, code)` of each expected finding, with its severity where the comment gives one."""
    found: dict[tuple[int, str], str | None] = {}
    with program.open("rb") as file:
        for token in tokenize.tokenize(io.BytesIO(file.read()).readline):
            match = EXPECT.fullmatch(token.string) if token.type == tokenize.COMMENT else None
            for word in match[1].split() if match else ():
                code, _, severity = word.partition("/")
                found[token.start[0], code] = severity or None
    return found


def batches() -> list[tuple[bool, list[Path]]]:
    """The programs, a few at a time, and whether they are only run, not watched.

    In most of the stacks nothing is used or registered in an order that could matter.
    """
    plain = [
        p
        for p in JUDGED
        if p.parent.name.startswith("stacks_")
        and not any(code in ABOUT_ORDER for _, code in expected(p))
    ]
    watched = [p for p in JUDGED if p not in set(plain)]
    return [
        (kind, programs[i : i + BATCH])
        for kind, programs in ((False, watched), (True, plain))
        for i in range(0, len(programs), BATCH)
    ]


BATCHES = batches()


# --- the checker -----------------------------------------------------------------------------


@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_the_checker_says_what_is_expected(program: Path) -> None:
    from plum_jit_lint import lint_source

    report = lint_source(program.read_bytes(), path=str(program))
    said = sorted((f.place.line, f.code, f.severity.label) for f in report.findings)
    wanted = expected(program)
    given = {(line, code): severity for line, code, severity in said}
    checked = [(*key, severity or given.get(key)) for key, severity in wanted.items()]
    assert said == sorted(checked, key=lambda c: (c[0], c[1]))


# --- real plum and JAX -----------------------------------------------------------------------


def ask_jax(number: int, compiled: Path) -> list[dict[str, Any]]:
    """The truth of each program of a batch, from a fresh process."""
    plain, batch = BATCHES[number]
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "JAX_COMPILATION_CACHE_DIR": str(compiled),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    ended = subprocess.run(
        [sys.executable, str(TRUTH), "--plain" if plain else "--once", *map(str, batch)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(answers) == len(batch), ended.stderr
    return answers


@pytest.fixture(scope="session")
def truths(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A function from the number of a batch to its truths.

    Two processes work ahead of the tests; with pytest-xdist the workers are parallel already.
    """
    compiled = Path(request.config.cache.mkdir("compiled-by-jax"))  # type: ignore[union-attr]
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    calls = [getattr(item, "callspec", None) for item in request.session.items]
    wanted = {call.params["number"] for call in calls if call and "number" in call.params}
    pool = ThreadPoolExecutor(2 if alone else 1)
    started: dict[int, Future[list[dict[str, Any]]]] = {}

    def start(number: int) -> Future[list[dict[str, Any]]]:
        if number not in started:
            started[number] = pool.submit(ask_jax, number, compiled)
        return started[number]

    if alone:
        for number in sorted(wanted):
            start(number)
    yield lambda number: start(number).result()
    pool.shutdown(cancel_futures=True)


@pytest.mark.skipif(not HAVE_JAX, reason="asks real plum and JAX")
@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_real_jax_does_what_is_expected(number: int, truths: Any) -> None:
    wrong = []
    for answer in truths(number):
        program = Path(answer["path"])
        if not answer["ok"]:
            wrong.append(f"{name(program)} fails:\n{answer['error']}")
            continue
        if answer["stale"] is None:  # shown by the program's own asserts
            continue
        wanted = {k: v for k, v in expected(program).items() if k[1] in ABOUT_ORDER}
        stale = {(line, code) for line, code in answer["stale"]}
        # a warning may not come true in the one run that there is, anything else has to
        must = {key for key, severity in wanted.items() if severity != "warning"}
        if not must <= stale <= set(wanted):
            wrong.append(f"{name(program)}: expected {wanted}, JAX shows {sorted(stale)}")
    assert not wrong, "\n".join(wrong)


# --- the programs themselves -----------------------------------------------------------------


@functools.cache
def checks_something(program: Path) -> bool:
    return any(
        isinstance(n, (ast.Assert, ast.Raise)) for n in ast.walk(ast.parse(program.read_text()))
    )


@pytest.mark.parametrize("program", RUNNABLE, ids=name)
def test_no_expectation_is_an_opinion(program: Path) -> None:
    """A program that claims a failure, or whose truth is not derived, shows it by itself."""
    claims = any(
        code not in ABOUT_ORDER and severity == "error"
        for (_, code), severity in expected(program).items()
    )
    if claims or ASSERTS in program.read_text():
        assert checks_something(program)


def test_every_program_has_a_docstring() -> None:
    without = [p for p in PROGRAMS if not ast.get_docstring(ast.parse(p.read_text()))]
    undocumented = [name(p) for p in without if p.parent.name != "cases"]
    assert not undocumented
