"""How long a command takes, and how much memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Command:
    """A command, and what is to be done before each of its runs, which is not measured."""

    arguments: tuple[str, ...]
    folder: Path
    before: Callable[[], object] | None = None
    once: bool = False
    """Whether it takes so long that one run has to do."""


@dataclass
class Times:
    """What the runs of one command took."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def seconds(self, *, processor: bool = False) -> float:
        """The median of the runs."""
        return statistics.median(self.processor if processor else self.wall)

    def memory(self) -> float:
        """The largest run's megabytes."""
        return max(self.megabytes)


def in_turns(commands: Mapping[str, Command], runs: int) -> dict[str, Times]:
    """Runs all commands by turns, so that what else the machine does hits all of them, after one
    run each that is not counted: it brings the files into memory."""
    times = {name: Times() for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            if turn == 0 and command.once:
                continue
            if command.once and times[name].wall:
                continue
            print(f"{name}, {f'run {turn} of {runs}' if turn else 'first'}", file=sys.stderr)
            one = _run(command)
            if turn:
                for kept, value in zip(
                    (times[name].wall, times[name].processor, times[name].megabytes),
                    one,
                    strict=True,
                ):
                    kept.append(value)
    return times


def _run(command: Command) -> tuple[float, float, float]:
    if command.before is not None:
        command.before()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    began = time.perf_counter()
    with subprocess.Popen(
        command.arguments,
        cwd=command.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        # The times of this child alone, with those of its own children.
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    wall = time.perf_counter() - began
    # On macOS these are bytes, elsewhere kilobytes.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit


def installed(folder: Path, packages: Sequence[str]) -> str | None:
    """Makes an environment with these packages in `folder`, unless it is there; a line that says
    why there is none."""
    if (folder / "complete").exists():
        return None
    python = folder / "bin" / "python"
    for arguments in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", "--no-input", *packages],
    ):
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            return lines[-1] if lines else "pip installed nothing"
    (folder / "complete").touch()
    return None
