"""A fault of the watch stays its own: the program gets its results and its exceptions, and one line
says what is not seen any more."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from plum import Dispatcher

from plum_jit_lint.runtime import StaleJitError, StaleJitWarning, watch
from plum_jit_lint.runtime.guard import HOOKS, WatchFaultWarning
from plum_jit_lint.runtime.observer import Observer
from plum_jit_lint.runtime.summary import summary

x = jnp.ones(())


def everything() -> list[Any]:
    """A program that comes by every hook, and what it gets."""
    dispatch = Dispatcher()

    @dispatch
    def scale(a: jax.Array) -> Any:
        return a * 2

    inner = jax.jit(lambda a: scale(a))
    outer = jax.jit(lambda a: inner(a))

    @jax.jit
    def fails(a: Any) -> Any:
        raise KeyError("the program's own")

    got: list[Any] = [inner(x), outer(x), jax.eval_shape(outer, x).shape]
    try:
        fails(x)
    except KeyError as error:
        got.append(str(error))
    compiled = inner.lower(x).compile()

    @dispatch
    def scale(a: jax.Array) -> Any:  # noqa: F811
        return a * 3

    got += [compiled(x), outer(x)]
    outer.clear_cache()
    inner.clear_cache()
    got.append(outer(x))
    jax.clear_caches()
    got.append(scale(x))
    return [float(one) if isinstance(one, jax.Array) else one for one in got]


EXPECTED = [2.0, 2.0, (), '"the program\'s own"', 2.0, 2.0, 3.0, 3.0]


@pytest.fixture
def heard() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


def break_hook(monkeypatch: pytest.MonkeyPatch, name: str, error: Exception) -> None:
    def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(Observer, name, broken)


@pytest.mark.parametrize("name", HOOKS)
def test_a_fault_in_a_hook_is_told_once_and_the_program_goes_on(
    name: str, monkeypatch: pytest.MonkeyPatch, heard: list[warnings.WarningMessage]
) -> None:
    with watch("warn") as seen:
        break_hook(monkeypatch, name, ZeroDivisionError("of our own"))
        assert everything() == EXPECTED
        (fault,) = [one for one in heard if one.category is WatchFaultWarning]
        text = str(fault.message)
        assert f"in its hook for {HOOKS[name]}: ZeroDivisionError: of our own (" in text
        assert "Please report this line, with plum-dispatch" in text
        assert "\n" not in text
        assert any(one.startswith(HOOKS[name]) for one in seen.unseen)
        assert HOOKS[name] in summary(seen)


def test_every_method_that_the_hooks_call_is_guarded() -> None:
    from plum_jit_lint.runtime import plumhooks, stagehooks, tracehooks

    listeners = [plumhooks.PlumListener, stagehooks.StageListener, tracehooks.TraceListener]
    called = {name for one in listeners for name in vars(one) if not name.startswith("_")}
    # It says what the program is to hear.
    assert called - {"deliver"} == set(HOOKS)
    assert all(inspect.isfunction(getattr(Observer, name)) for name in called)


def test_a_fault_deep_inside_leaves_the_other_hooks_at_work(
    monkeypatch: pytest.MonkeyPatch, heard: list[warnings.WarningMessage]
) -> None:
    from plum_jit_lint.runtime import tables

    with watch("collect") as seen:
        with monkeypatch.context() as patch:
            patch.setattr(tables, "record", lambda *given: 1 / 0)
            assert everything() == EXPECTED
        registrations = seen.counts.registrations
        assert everything() == EXPECTED
        assert seen.counts.registrations == registrations + 2
        assert seen.unseen == ("dispatches under a trace, since a fault",)
        with watch("collect") as inner:
            assert inner.unseen == seen.unseen
    with watch("collect") as later:
        everything()
    assert (later.unseen, later.stale) == ((), 1)


def test_where_warnings_are_errors_a_fault_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with watch("collect"), warnings.catch_warnings():
        warnings.simplefilter("error")
        break_hook(monkeypatch, "registered", ValueError("of our own"))
        assert everything() == EXPECTED
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("plum-jit-lint has a fault in its hook for registrations: ValueError")


def test_a_limit_of_the_program_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, heard: list[warnings.WarningMessage]
) -> None:
    with watch("collect") as seen:
        for name in ("dispatched", "finished"):
            with monkeypatch.context() as patch:
                break_hook(patch, name, RecursionError())
                assert everything() == EXPECTED
        before = seen.stale
        everything()
        assert (seen.stale, seen.unseen) == (before + 1, ())
    assert not heard


@pytest.mark.parametrize("on_stale", ["warn", "raise"])
def test_what_the_watch_is_to_raise_comes_through(on_stale: Any) -> None:
    wanted = StaleJitError if on_stale == "raise" else StaleJitWarning
    with watch(on_stale) as seen, warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(wanted, match="PJ004") as raised:
            everything()
        assert raised.value.__context__ is None
        assert seen.unseen == ()


def test_what_the_program_makes_of_a_warning_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    class OwnError(Exception):
        pass

    def show(*_: Any, **__: Any) -> None:
        raise OwnError

    with watch("warn") as seen, warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", show)
        with pytest.raises(OwnError):
            everything()
        assert seen.unseen == ()


def test_an_exception_of_the_block_is_the_one_that_is_seen() -> None:
    with pytest.raises(LookupError), watch("raise"):
        raise LookupError


def test_a_watch_that_cannot_be_tried_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from plum_jit_lint.runtime import probe

    monkeypatch.setattr(probe, "_tried", lambda observer: 1 / 0)
    with watch("collect") as seen:
        assert everything() == EXPECTED
    assert seen.unseen == ("whether anything is seen (ZeroDivisionError: division by zero)",)
