"""The runner of `benchmarks.mutants`: what it changes, and how it judges that."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
pytest.importorskip("cosmic_ray")

from benchmarks.mutants import __main__ as runner  # noqa: E402
from benchmarks.mutants import judged  # noqa: E402
from benchmarks.mutants.__main__ import FILES, equivalents, outdated  # noqa: E402
from benchmarks.mutants.judged import Lines, Result, difference  # noqa: E402
from benchmarks.mutants.operators import Mutant, mutants  # noqa: E402

SOURCE = """\
TABLE = {"jax.jit": 1, **OTHERS, "jax.vmap": 2}
Kind = Literal["jit", "wrapper"]


def answer(value: int | None) -> bool | None:
    if value == 1:
        return None
    match value:
        case 2 if TABLE:
            return True
        case _:
            return value is not None
"""


def changed(operator: str) -> list[str]:
    found = [m for m in mutants("a.py", SOURCE) if m.operator == operator]
    return [difference(SOURCE, m.source(SOURCE))[2] for m in found]


def test_rows_arms_and_unknown_answers_are_changed() -> None:
    assert changed("DropRow") == [
        'TABLE = { **OTHERS, "jax.vmap": 2}',
        'TABLE = {"jax.jit": 1, "jax.vmap": 2}',
        'TABLE = {"jax.jit": 1, **OTHERS, }',
    ]
    assert changed("DropArm") == ["case 2 if False:"]
    assert changed("NoneIsFalse") == ["return False"]


def test_so_is_what_cosmic_ray_knows_but_no_annotation() -> None:
    assert changed("AddNot") == ["if not value == 1:"]
    assert changed("ReplaceComparisonOperator_IsNot_Is") == ["return value is None"]
    assert changed("ReplaceBinaryOperator_BitOr_BitAnd") == []


@pytest.mark.parametrize("file", FILES)
def test_each_mutant_of_a_file_is_another_text(file: str) -> None:
    source = (ROOT / file).read_text()
    found = mutants(file, source)
    assert len(set(found)) == len(found)
    for mutant in found[:: max(1, len(found) // 5)]:
        assert ast.dump(ast.parse(mutant.source(source))) != ast.dump(ast.parse(source))


def test_every_equivalent_is_still_there() -> None:
    known = equivalents()
    assert outdated(sorted({key[0] for key in known})) == []
    assert all(known.values())


def test_an_equivalent_that_matches_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    listed, why = next(iter(equivalents().items()))
    gone = (*listed[:-1], "another line")
    monkeypatch.setattr(runner, "equivalents", lambda: {listed: why, gone: why})
    assert outdated([listed[0]]) == [gone]


JUDGED = """
from pathlib import Path
from benchmarks.mutants import judged
from benchmarks.mutants.operators import mutants

file = "plum_jit_lint/rules/pj004.py"
source = Path(file).read_text()
(program,) = Path.cwd().glob("tests/fixtures/jitted_use/cond_and_switch.py")
judged.sys.path[:0] = [str(judged.ROOT), str(judged.ROOT / "tests")]
(mutant,) = [m for m in mutants(file, source) if m.operator == "ZeroIterationForLoop"]
judged.programs = lambda file: [program]
lines = judged.lines_run([file])
order = judged.order_for(mutant, lines, [program], source, {})
print(judged.judge(mutant, order, []).killer)
print(judged.judge(mutant, [], []).killer)
print(judged.judge(mutant, [], ["test_rules"]).killer)
"""


def test_a_change_is_killed_by_a_program_that_runs_it_and_survives_without_one() -> None:
    done = subprocess.run(
        [sys.executable, "-c", JUDGED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        "tests/fixtures/jitted_use/cond_and_switch.py",
        "None",
        "test_rules",
    ]


def test_stopped_it_prints_what_was_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def results(chosen: Sequence[Mutant], lines: Lines, jobs: int) -> Iterator[Result]:
        yield Result(chosen[0], "a test", "", "", "")
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(runner, "_results", results)
    monkeypatch.setattr(judged, "lines_run", lambda files: {})
    before = signal.getsignal(signal.SIGTERM)
    try:
        runner.main(["--only", "pj004.py", "--sample", "3"])
    finally:
        signal.signal(signal.SIGTERM, before)
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "stopped: 1 of 3 mutants were judged"
    assert [line.split() for line in said if line.startswith("all ")] == [
        ["all", "1", "1", "0", "0", "100.0%"]
    ]
