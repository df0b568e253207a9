"""The runnable fixtures under `plum-jit-lint run`: the codes and lines that are expected of the
checker are what is seen when the program runs."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from test_fixtures import HAVE_JAX, JUDGED, expected, name

HERE = Path(__file__).parent
ANY_LOSES = HAVE_JAX and hasattr(importlib.import_module("plum._type"), "_type_hint_le")
JAX = tuple(int(part) for part in version("jax").split(".")[:3]) if HAVE_JAX else ()
BATCH = 30
BATCHES = [JUDGED[i : i + BATCH] for i in range(0, len(JUDGED), BATCH)]

OTHERWISE = {
    "fresh/default_device": (
        {(22, "PJ004")},
        "the trace is still kept, for when the device is the default again",
    ),
    "fresh/matmul_precision": (
        {(22, "PJ004")},
        "the trace is still kept, for when the setting comes back",
    ),
    "knowledge/settings": (
        {(35, "PJ004")},
        "the traces are still kept, for when the settings come back",
    ),
    "programs/x64_after": (
        {(16, "PJ004")},
        "the old trace is still kept, for when the setting is switched back",
    ),
}
"""Findings more than the checker has, and why they are right."""


OF_NEWER_PLUM = {
    "order/any_loses_against_object",
    "order/unannotated_loses",
    "registrations/register_call_unannotated",
}
"""Programs that do something else with plum before 2.9.1: there `Any` wins where it came last."""

OF_NEWER_JAX = {"jitted_use/inside_a_rule_that_is_gone"}
"""Programs of which other traces are kept before JAX 0.10.1, so that another code is right too."""


def ask(number: int, compiled: Path) -> list[dict[str, Any]]:
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "JAX_COMPILATION_CACHE_DIR": str(compiled),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    ended = subprocess.run(
        [sys.executable, str(HERE / "programs.py"), *map(str, BATCHES[number])],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(answers) == len(BATCHES[number]), ended.stderr
    return answers


@pytest.fixture(scope="module")
def answers(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A function from the number of a batch to its answers; two processes work ahead."""
    compiled = Path(request.config.cache.mkdir("compiled-by-jax"))  # type: ignore[union-attr]
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    calls = [getattr(item, "callspec", None) for item in request.session.items]
    wanted = sorted({c.params["batch"] for c in calls if c and "batch" in c.params})
    with ThreadPoolExecutor(2 if alone else 1) as pool:
        started: dict[int, Future[list[dict[str, Any]]]] = {}

        def start(number: int) -> Future[list[dict[str, Any]]]:
            if number not in started:
                started[number] = pool.submit(ask, number, compiled)
            return started[number]

        for number in wanted if alone else ():
            start(number)
        yield lambda number: start(number).result()
        pool.shutdown(cancel_futures=True)


@pytest.mark.skipif(not HAVE_JAX, reason="runs real plum and JAX")
@pytest.mark.parametrize("batch", range(len(BATCHES)))
def test_a_program_that_runs_is_found_to_do_what_is_expected(batch: int, answers: Any) -> None:
    wrong = []
    of_newer_jax = set() if JAX >= (0, 10, 1) else OF_NEWER_JAX
    for answer in answers(batch):
        program = Path(answer["path"])
        if name(program) in (set() if ANY_LOSES else OF_NEWER_PLUM) | of_newer_jax:
            continue
        if "error" in answer:
            wrong.append(f"{name(program)} fails:\n{answer['error']}")
            continue
        elsewhere = [f for f in answer["findings"] if Path(f[0]).resolve() != program.resolve()]
        seen = {(line, code): severity for _, line, code, severity in answer["findings"]}
        wanted = expected(program)
        more = OTHERWISE.get(name(program), (set(), ""))[0]
        # What only may happen need not happen in the one run that there is.
        must = {
            key for key, severity in wanted.items() if key[1] < "PJ003" or severity != "warning"
        }
        if elsewhere or not must <= set(seen) <= set(wanted) | more:
            wrong.append(f"{name(program)}: expected {wanted}, seen {seen} {elsewhere}")
        # What is seen to happen is sure, whatever the source leaves open; but a function that was
        # called with other arguments before a clearing may do as well.
        unsure = [
            key
            for key, severity in seen.items()
            if key[1] > "PJ002" and severity != "error" and wanted.get(key) != "warning"
        ]
        if unsure:
            wrong.append(f"{name(program)}: unsure of {unsure}")
        for key in set(seen) & set(wanted):
            if key[1] < "PJ003" and wanted[key] not in (None, seen[key]):
                wrong.append(f"{name(program)}: {key} is {seen[key]}, not {wanted[key]}")
        code = 1 if any(severity != "note" for severity in seen.values()) else 0
        if answer["code"] != code:
            wrong.append(f"{name(program)}: exit code {answer['code']}, not {code}")
    assert not wrong, "\n".join(wrong)
