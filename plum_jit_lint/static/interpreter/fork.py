"""A fork of a run: what may come next, looked at by itself."""

from __future__ import annotations

from plum_jit_lint.static.interpreter import liveness, loaded_modules, memory
from plum_jit_lint.static.interpreter.run import Run


class Fork:
    """What a run knows at a moment, and all that the program could write to.

    A block under `with` begins there, and when it is left everything is as it was: each field of
    the state, and what names, objects and containers hold. One fork serves for many blocks.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rewritten = len(run.state.rewritten)
        self._put_state_back = memory.remember_fields(run.state)
        self._put_writes_back = memory.remember(liveness.scopes(run), liveness.roots(run))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        loaded_modules.names_as_before(self._run, self._rewritten)
        self._put_state_back()
        self._put_writes_back()
        self._run.changed()
