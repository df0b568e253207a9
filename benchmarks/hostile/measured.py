"""What one check costs, in a process of its own that is ended when it takes too much."""

from __future__ import annotations

import json
import os
import resource
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.hostile.families import Files


@dataclass(frozen=True)
class Cost:
    """Seconds of the processor, bytes of memory, and how it ended."""

    seconds: float
    memory: int
    size: int
    ending: str


def cost(files: Files, seconds: int, memory: int) -> Cost:
    """Checks a program. The process is a copy of this one, which has loaded the checker."""
    size = sum(map(len, files.values()))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(_child(files, seconds, memory, writing))
    os.close(writing)
    with os.fdopen(reading) as told:
        text = told.read()
    _, status, used = os.wait4(child, 0)
    if text:
        took, grown, ending = json.loads(text)
        return Cost(took, grown, size, ending)
    killed = -os.waitstatus_to_exitcode(status)
    ending = "out of time" if killed in (signal.SIGXCPU, signal.SIGKILL) else f"signal {killed}"
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, size, ending)


def _child(files: Files, seconds: int, memory: int, writing: int) -> int:
    from plum_jit_lint import Settings, lint_paths, lint_source

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    if len(files) == 1:
        report = lint_source(next(iter(files.values())), settings=Settings())
    else:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                Path(folder, name).write_text(text)
            report = lint_paths([Path(folder, "main.py")], Settings())
    took = time.process_time() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    problems = [problem.message for problem in report.problems]
    incomplete = [one.message for one in getattr(report, "incomplete", ())]
    ending = "; ".join([*problems, *incomplete]) or f"{len(report.findings)} findings"
    with os.fdopen(writing, "w") as told:
        json.dump([took, grown, ending], told)
    return 0
