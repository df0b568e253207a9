"""The benchmark of robustness sees what it is to see."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.robustness import generated, guarded, mutations, watched  # noqa: E402
from benchmarks.robustness.sources import PROGRAM, program_behind  # noqa: E402

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs timers of processor time")


@pytest.mark.parametrize("kind", mutations.MUTATIONS)
def test_a_mutation_is_decided_by_its_seed(kind: str) -> None:
    mutate = mutations.MUTATIONS[kind]
    texts = [PROGRAM.encode(), b"x = 1\ny = 2\n"]
    first = [mutate(texts[0], texts, random.Random(seed)) for seed in range(20)]
    assert first == [mutate(texts[0], texts, random.Random(seed)) for seed in range(20)]
    assert len(set(first)) > 10


@pytest.mark.parametrize("way", generated.WAYS)
def test_a_generated_program_comes_to_speak_of_plum(way: str) -> None:
    text = generated.relevant("a = b\n", way, random.Random(0)).decode()
    assert "from plum import dispatch" in text
    compile(text, way, "exec")


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_a_program_behind_has_the_file_s_own_ends_of_lines(ends: bytes) -> None:
    text = program_behind(b"x = 1" + ends + b"y = 2")
    assert text.count(ends) == PROGRAM.count("\n") + 2
    assert len(text.splitlines()) == PROGRAM.count("\n") + 2


@posix
def test_a_program_is_found_in_and_nothing_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    verdict = guarded.check(path, guarded.Guard(), flake8=True)
    assert (verdict.failures, verdict.code, verdict.found) == ((), 1, True)


@posix
def test_what_is_done_beside_reading_is_seen(tmp_path: Path) -> None:
    guard = guarded.Guard()
    with guard.watching(0.0):
        guard("import", ("helper", None))
        guard("exec", (compile("1", "checked", "eval"),))
        guard("open", ("written", "w", guarded._WRITING))
        guard("open", ("read", "r", 0))
        guard("subprocess.Popen", ("rm",))
    guard("import", ("later", None))
    assert len(guard.seen) == 4


@posix
def test_a_process_that_takes_too_long_is_a_failure_and_the_next_file_is_checked(
    tmp_path: Path,
) -> None:
    long = PROGRAM + "\nx = total(" + "1, " * 20_000 + ")\n"
    tasks = [
        watched.Task("long", Path("long.py"), long.encode()),
        watched.Task("short", Path("short.py"), b"x = 1\n"),
    ]
    verdicts = dict(watched.check_all(tasks, 1, 0.2, tmp_path))
    assert verdicts[tasks[0]].failures == (watched.TOO_LONG,)
    assert verdicts[tasks[1]].failures == ()
