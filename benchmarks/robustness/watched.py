"""Worker processes that may crash or hang without harm to the run."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from benchmarks.robustness.guarded import Verdict, serve

TOO_LONG = "takes longer than the limit"

_STARTING = 120.0

_WAITING = 30
"""How many times its processor time a file may take on a machine that does other things too; what
waits for ever takes no processor time."""


@dataclass(frozen=True)
class Task:
    """A file to check: one that is there, or one that is `made` for the time of the check."""

    kind: str
    path: Path
    made: bytes | None = None
    flake8: bool = False

    def text(self) -> bytes:
        """What is checked."""
        return self.path.read_bytes() if self.made is None else self.made


@dataclass
class _Worker:
    folder: Path
    limit: float
    task: Task | None = None
    deadline: float = 0.0
    process: SpawnProcess = field(init=False)
    pipe: Connection = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.limit), daemon=True)
        self.process.start()
        theirs.close()
        if not self.pipe.poll(_STARTING) or self.pipe.recv() != "ready":
            raise RuntimeError("a worker did not start")

    def give(self, task: Task) -> None:
        self.task = task
        path = task.path
        if task.made is not None:
            # The one before is no neighbour that could be imported.
            for other in self.folder.iterdir():
                other.unlink()
            path = self.folder / task.path.name
            path.write_bytes(task.made)
        self.deadline = time.monotonic() + self.limit * _WAITING
        self.pipe.send((str(path), task.flake8))

    def end(self) -> Verdict:
        """The answer; where there is none, the failure, and a new process."""
        try:
            if self.pipe.poll(0):
                verdict = self.pipe.recv()
                assert isinstance(verdict, Verdict)
                return verdict
            failure = TOO_LONG
            self.process.kill()
            self.process.join()
        except EOFError:
            self.process.join()
            ended = self.process.exitcode
            failure = TOO_LONG if ended == -signal.SIGPROF else f"the process ends with {ended}"
        return Verdict((failure,))


def check_all(
    tasks: Iterable[Task], jobs: int, limit: float, folder: Path
) -> Iterator[tuple[Task, Verdict]]:
    """Checks each file in one of `jobs` processes, for `limit` seconds at most."""
    (folder / "pyproject.toml").write_text("[tool.plum-jit-lint]\n")
    pending = iter(tasks)
    workers = []
    for number in range(jobs):
        own = folder / f"worker{number}"
        own.mkdir()
        workers.append(_Worker(own, limit))
    try:
        while True:
            for worker in workers:
                if worker.task is None:
                    task = next(pending, None)
                    if task is not None:
                        worker.give(task)
            busy = [worker for worker in workers if worker.task is not None]
            if not busy:
                return
            soonest = min(worker.deadline for worker in busy)
            ready = wait([worker.pipe for worker in busy], max(0.0, soonest - time.monotonic()))
            for worker in busy:
                if worker.pipe in ready or time.monotonic() > worker.deadline:
                    task = worker.task
                    assert task is not None
                    yield task, worker.end()
                    worker.task = None
                    if not worker.process.is_alive():
                        worker.start()
    finally:
        for worker in workers:
            worker.process.kill()
