"""A fork puts back all that a run knows, and what the program could write to."""

from __future__ import annotations

import typing
from copy import copy
from dataclasses import fields

import pytest

from plum_jit_lint.static import assembly
from plum_jit_lint.static.interpreter import bodies
from plum_jit_lint.static.interpreter.fork import Fork
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.state import State
from plum_jit_lint.static.interpreter.values import SequenceValue
from plum_jit_lint.static.modules import Module, Program
from plum_jit_lint.syntax.source import read_source

FIELDS = [one.name for one in fields(State)]
HINTS = typing.get_type_hints(State, localns={"Module": Module})
CONTAINERS = [one for one in FIELDS if typing.get_origin(HINTS[one]) in (dict, list, set)]
SOURCE = b"""
import jax
from plum import Dispatcher

dispatch = Dispatcher()

@dispatch
def scale(a: object):
    return a

kept = jax.jit(lambda a: scale(a))
kept(jax.numpy.ones(2))
values = [1]
jax.marker = [1]
"""
MORE = b"""
values.append(2)
values = []
jax.marker.append(2)

@dispatch
def scale(a: int):
    return a

with jax.default_matmul_precision("high"):
    kept(1)
jax.config.update("jax_disable_jit", True)
jax.tree_util.register_pytree_node(*later)
"""


def started() -> tuple[Run, Module]:
    """A run in which something has happened already."""
    program = Program()
    syntax = read_source(SOURCE, by_libcst=True)
    module = Module(program, "forked", "forked.py", syntax, False, is_root=True)
    run = assembly.begin(program)
    run.now.frame.scopes.append(module.scope)
    bodies.execute_each(run, module.scope, syntax.body)
    return run, module


def known(run: Run) -> dict[str, object]:
    values = {name: getattr(run.state, name) for name in FIELDS}
    return {name: copy(one) if name in CONTAINERS else one for name, one in values.items()}


def other_than(value: object) -> typing.Any:
    match value:
        case dict():
            return {"other": None}
        case list():
            return [("other", None)]
        case set():
            return {"other"}
    return object()


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "rewritten"])
def test_each_field_that_is_set_is_put_back(name: str) -> None:
    run, _ = started()
    before = known(run)
    with Fork(run):
        setattr(run.state, name, other_than(getattr(run.state, name)))
        assert getattr(run.state, name) != before[name]
    assert known(run) == before


@pytest.mark.parametrize("name", [name for name in CONTAINERS if name != "rewritten"])
def test_each_field_that_is_changed_in_place_is_put_back(name: str) -> None:
    run, _ = started()
    before, fork = known(run), Fork(run)
    for _ in range(2):
        with fork:
            container = getattr(run.state, name)
            others = other_than(container)
            container.clear()
            container.extend(others) if isinstance(container, list) else container.update(others)
            assert container != before[name]
        assert known(run) == before


def test_a_module_that_runs_again_has_the_names_that_it_had() -> None:
    run, module = started()
    before, names = known(run), dict(module.scope.names)
    with Fork(run):
        run.state.rewritten.append((module.scope, {}))
        module.scope.names = {}
    assert known(run) == before
    assert module.scope.names == names


def test_no_field_holds_what_would_not_be_put_back() -> None:
    for name in FIELDS:
        inside = list(typing.get_args(HINTS[name]))
        while inside:
            hint = inside.pop()
            assert typing.get_origin(hint) not in (dict, list, set), name
            inside.extend(typing.get_args(hint))


def test_what_a_program_does_is_put_back() -> None:
    run, module = started()
    before, names = known(run), dict(module.scope.names)
    [item] = module.scope.names["values"].items
    marker = run.state.replaced["jax.marker"]
    assert isinstance(marker, SequenceValue)
    effects = run.state.effects
    with Fork(run):
        bodies.execute_each(run, module.scope, read_source(MORE, by_libcst=True).body)
        changed = {name for name in FIELDS if getattr(run.state, name) != before[name]}
        assert changed >= {"events", "effects", "tables", "entries", "switch", "unknown_pytrees"}
        assert module.scope.names != names
        assert len(marker.items) == 2
    assert len(marker.items) == 1
    assert known(run) == before
    # The effects of a module are its run's: a cyclic import sees what it did so far.
    assert run.state.effects is effects
    assert module.scope.names == names
    assert module.scope.names["values"].items == [item]
