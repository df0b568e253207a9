"""A progress bar on a terminal, once a run takes long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

from plum_jit_lint.report.style import is_terminal

_PATIENCE = 1.0


@contextmanager
def progress_on(stream: TextIO) -> Iterator[Callable[[int, int], None] | None]:
    """A function to call with the files done and all files; `None` where nobody looks."""
    if not is_terminal(stream):
        yield None
        return
    started = time.monotonic()
    show: Callable[[int, int], None] | None = None
    with ExitStack() as stack:

        def step(done: int, total: int) -> None:
            nonlocal show
            if show is None and time.monotonic() - started > _PATIENCE and done < total:
                show = stack.enter_context(_bar(stream))
            if show is not None:
                show(done, total)

        yield step


@contextmanager
def _bar(stream: TextIO) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = Progress(
        "Checking",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(file=stream),
        transient=True,
    )
    with bar:
        task = bar.add_task("Checking")
        yield lambda done, total: bar.update(task, completed=done, total=total)
