"""The settings of JAX that a program changes: they decide what is traced, and under which key."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from plum_jit_lint.static.interpreter.effects import SwitchEffect
from plum_jit_lint.static.interpreter.run import Run


def jit_off(run: Run) -> bool | None:
    """Whether jit is switched off here, `None` where that is not known."""
    return run.state.switch.is_off(run.state.path)


def trace_context(run: Run) -> Hashable:
    """The part of a trace's key that no argument decides: the settings."""
    return (frozenset(run.state.contexts.items()), jit_off(run) is True)


def set_context(run: Run, setting: str, value: Hashable | None) -> Callable[[], None]:
    """From here on traces are kept under that setting; what is returned ends it."""
    before = run.state.contexts
    run.state.contexts = {name: one for name, one in before.items() if name != setting}
    if value is not None:
        run.state.contexts[setting] = value

    def leave() -> None:
        run.state.contexts = before

    return leave


def hold_jit(run: Run, off: frozenset[bool | None]) -> Callable[[], None]:
    """From here on jit is switched off or on, whatever the configuration says; what is returned
    ends it."""
    before = run.state.switch.held
    run.state.switch = run.state.switch.hold(run.state.path, off)
    run.changed()

    def leave() -> None:
        run.state.switch = replace(run.state.switch, held=before)
        run.changed()

    return leave


def configure_jit(run: Run, off: frozenset[bool | None]) -> None:
    """From here on the configuration says whether jit is switched off."""
    run.state.switch = run.state.switch.configure(run.state.path, off)
    run.changed()
    run.program.acts_at_once = True
    run.state.effects.append(SwitchEffect(off, run.state.path))
