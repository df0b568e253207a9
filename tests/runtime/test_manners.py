"""The watch leaves the program as it found it, and keeps nothing of it alive."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
import weakref
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from plum import Dispatcher, Function

from plum_jit_lint.runtime import probe, watch
from plum_jit_lint.runtime.summary import summary

x = jnp.ones(())

TOUCHED = (
    "jax",
    "jax.stages",
    "jax._src.interpreters.partial_eval",
    "jax._src.pjit",
    "jax._src.ad_checkpoint",
    "jax._src.custom_derivatives",
    "jax._src.lax.lax",
    "jax._src.export._export",
    "jax._src.util",
)
TRANSIENT = 1 << 19
"""`Py_TPFLAGS_VALID_VERSION_TAG`: the interpreter's own."""


def state() -> dict[str, Any]:
    from jax._src import stages

    found: dict[str, Any] = {}
    for cls in (Dispatcher, Function, stages.Traced, stages.Lowered):
        found[cls.__name__] = dict(vars(cls))
        found[f"flags of {cls.__name__}"] = cls.__flags__ & ~TRANSIENT
    for name in TOUCHED:
        found[name] = dict(vars(importlib.import_module(name)))
    found["functions"] = list(Function._instances)
    found["caches"] = {id(one) for one in importlib.import_module("jax._src.util")._caches}
    return found


def used() -> None:
    dispatch = Dispatcher()

    @dispatch
    def f(a: jax.Array) -> Any:
        return a

    run = jax.jit(lambda a: f(a))
    run(x)
    run.lower(x).compile()

    @dispatch
    def f(a: jax.Array) -> Any:  # noqa: F811
        return a * 2


@pytest.mark.parametrize("on_stale", ["collect", "retrace"])
def test_everything_is_put_back(on_stale: Any) -> None:
    used()
    before = state()
    functions = len(before.pop("functions"))
    with watch(on_stale):
        changed = state()
        assert changed["Function"] != before["Function"]
        used()
    gc.collect()
    after = state()
    assert len(after.pop("functions")) == functions + 1  # that of `used`, as plum has it
    for name, old in before.items():
        assert after[name] == old, name


def test_everything_is_put_back_when_the_block_raises() -> None:
    before = state()
    with pytest.raises(RuntimeError), watch("collect"):
        raise RuntimeError
    assert state() == before


def test_nothing_of_the_program_is_kept_alive() -> None:
    class Thing:
        pass

    jax.tree_util.register_pytree_node(Thing, lambda t: ((), None), lambda a, c: Thing())
    dispatch = Dispatcher()

    @dispatch
    def f(a: jax.Array, b: object) -> Any:
        return a

    with watch("collect") as seen:

        def work() -> list[weakref.ref[Any]]:
            thing = Thing()
            tracers = []

            def run(a: Any) -> Any:
                tracers.append(weakref.ref(a))
                return f(a, thing)

            jitted = jax.jit(run)
            jitted(x)
            return [weakref.ref(thing), weakref.ref(jitted), weakref.ref(run), *tracers]

        refs = work()
        gc.collect()
        assert [ref() for ref in refs] == [None] * 4

        @dispatch
        def f(a: jax.Array, b: Thing) -> Any:
            return a * 2

        assert not seen.findings


def test_what_is_seen_is_bounded_by_what_is_alive() -> None:
    dispatch = Dispatcher()

    @dispatch
    def f(a: jax.Array) -> Any:
        return a

    with watch("collect") as seen:
        for _ in range(50):
            jax.eval_shape(lambda a: f(a), x)
        gc.collect()
        assert not seen.findings
        observer = watch_session().observer
        assert not observer._held.entries
        assert not observer._held._programs
        assert not observer.open_traces


def watch_session() -> Any:
    from plum_jit_lint.runtime.watch import _session

    return _session


@pytest.mark.parametrize(
    ("home", "name", "unseen"),
    [
        ("jax._src.interpreters.partial_eval", "trace_to_jaxpr", "kept traces"),
        ("jax._src.pjit", "_infer_params", "inner traces that are taken from the cache"),
    ],
)
def test_what_cannot_be_seen_is_said_in_one_line(
    home: str, name: str, unseen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plum_jit_lint.runtime import tracehooks

    real = tracehooks._find
    monkeypatch.setattr(
        tracehooks,
        "_find",
        lambda module, one: (None, None) if (module, one) == (home, name) else real(module, one),
    )
    with watch("collect") as seen:
        pass
    assert any(unseen in one for one in seen.unseen)
    (line,) = [one for one in summary(seen).splitlines() if one.startswith("Not seen")]
    assert unseen in line


def test_a_dispatch_that_does_not_come_through_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from plum_jit_lint.runtime import plumhooks

    monkeypatch.setattr(plumhooks, "_patch_dispatch", lambda patches, listener: None)
    with watch("collect") as seen:
        pass
    assert "dispatches under a trace" in seen.unseen


def test_the_rehearsal_counts_nothing() -> None:
    with watch("collect") as seen:
        assert (seen.counts.dispatches, seen.counts.traces, seen.counts.registrations) == (0, 0, 0)
        assert not seen.places
    assert probe.compiled_before() >= 0


@pytest.mark.parametrize("module", ["plum_jit_lint", "plum_jit_lint.cli", "plum_jit_lint.rules"])
def test_the_checker_imports_neither_jax_nor_plum(module: str) -> None:
    program = f"import sys, {module}; sys.exit(any(m in sys.modules for m in ('jax', 'plum')))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_without_plum_and_jax_there_is_one_clear_line() -> None:
    program = (
        "import sys; sys.modules['plum'] = None\n"
        "try: import plum_jit_lint.runtime\n"
        "except ImportError as error: print(error)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'plum-jit-lint[runtime]'" in ended.stdout
    assert len(ended.stdout.splitlines()) == 1
