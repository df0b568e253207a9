"""The modules of the program that a run imports: each of them happens where it is imported first.

What a module does was worked out when it was read, as its effects; here they happen again, under
the place of the import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from plum_jit_lint.events import (
    Cleared,
    Displaced,
    FunctionId,
    PathCondition,
    Stack,
    Used,
)
from plum_jit_lint.findings import Place
from plum_jit_lint.static.interpreter import method_tables, settings, trace_table
from plum_jit_lint.static.interpreter.effects import (
    Addition,
    ImportEffect,
    RegisterEffect,
    SwitchEffect,
    TraceRecorded,
)
from plum_jit_lint.static.interpreter.records import CachedTrace, Record
from plum_jit_lint.static.interpreter.run import Run

if TYPE_CHECKING:
    from plum_jit_lint.static.modules import Module


def import_module(run: Run, module: Module, place: Place | None) -> None:
    """An imported module runs where it is imported first, at no `place` where no statement asks
    for it.

    As long as nothing is traced, what it registers displaces nothing, and is only looked at once
    somebody asks for a method. So a file costs what it does itself, and not what it imports.
    """
    state = run.state
    _see(run, module)
    if module.name in state.ran:
        return
    stack = () if place is None else run.stack_at(place)
    effect = ImportEffect(module, stack, state.path)
    state.effects.append(effect)
    if state.holding or module.acts_at_once():
        flush(run)
        _import(run, effect)
    elif module not in [a.module for a in state.pending_imports if isinstance(a, ImportEffect)]:
        state.pending_imports.append(effect)


def _see(run: Run, module: Module) -> None:
    pending = [module]
    while pending:
        module = pending.pop()
        if module not in run.state.seen:
            run.state.seen[module] = None
            pending.extend(module.imports())


def flush(run: Run) -> None:
    """What was put off happens."""
    pending = list(run.state.pending_imports)
    run.state.pending_imports.clear()
    for one in pending:
        if isinstance(one, ImportEffect):
            _import(run, one)
        else:
            method_tables.add(run, one)


def _import(run: Run, effect: ImportEffect) -> None:
    if effect.module.name not in run.state.ran:
        run.state.ran.add(effect.module.name)
        _apply(run, effect.module, effect.stack, effect.when)


def _apply(run: Run, module: Module, stack: Stack, when: PathCondition) -> None:
    for effect in module.effects:
        match effect:
            case ImportEffect():
                below = (*stack, *effect.stack)
                _import(run, replace(effect, stack=below, when=when | effect.when))
            case RegisterEffect(added, open_function):
                moved = [_moved(one, stack, when) for one in added]
                for record, _ in moved:
                    run.state.created.setdefault(record.function, record.first_parameters)
                with run.under(*moved[-1][1].when):
                    displaced = method_tables.add_in_one_go(run, moved, open_function)
                for event in method_tables.with_displaced(moved, displaced) if displaced else ():
                    run.emit(event)
            case SwitchEffect(off):
                switch, taken = run.state.switch, when | effect.when | run.state.path
                run.state.switch = switch.configure(taken, off)
            case TraceRecorded(entry) if _keeps_nothing(run, entry):
                continue
            case TraceRecorded(entry, traced):
                trace_table.add(run, replace(entry, when=when | entry.when))
                run.emit(replace(traced, stack=(*stack, *traced.stack), when=when | traced.when))
            case Used():
                run.emit(replace(effect, stack=(*stack, *effect.stack), when=when | effect.when))
            case Cleared():
                with run.under(*(when | effect.when)):
                    trace_table.mark_cleared(run, effect.entries)
                run.emit(replace(effect, stack=(*stack, *effect.stack), when=when | effect.when))


def _moved(addition: Addition, stack: Stack, when: PathCondition) -> Addition:
    """An addition of a module that is imported at `stack`."""
    record, event = addition
    event = replace(event, stack=(*stack, *event.stack), when=when | event.when)
    return (replace(record, when=when | record.when) if when else record), event


def _keeps_nothing(run: Run, entry: CachedTrace) -> bool:
    """Whether a trace that an imported module makes is not kept, since jit is off here."""
    row = run.program.rows.get(entry.space)
    return settings.jit_off(run) is True and (row is None or not row.keeps_without_jit)


# -- what plum knows after the imports -------------------------------------------------------


def methods(run: Run, function: FunctionId) -> list[Record]:
    """The methods of a function that may be there now."""
    flush(run)
    return method_tables.possible_methods(run, function)


def first_parameters(run: Run, function: FunctionId) -> tuple[str, ...] | None:
    """The parameters of the function's first definition, `None` where it is not seen."""
    flush(run)
    return run.state.created.get(function)


def register(run: Run, added: Sequence[Addition], open_function: bool) -> tuple[Displaced, ...]:
    """Adds methods of one function in one go, and says which held choices that displaces."""
    for record, _ in added:
        method_tables.create(run, record.function, record.first_parameters)
    if run.state.holding.get(added[-1][0].function):
        flush(run)
    displaced = method_tables.add_in_one_go(run, added, open_function)
    for event in method_tables.with_displaced(added, displaced):
        run.emit(event)
    run.state.effects.append(RegisterEffect(tuple(added), open_function))
    return displaced
