"""The answers of `docs/guide.md`, "jit and dispatch together", asked of real plum and JAX.

The docstring of each test is the question as the guide prints it.
"""

# No postponed annotations here: plum cannot resolve them on a jitted method.
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest
from plum import Dispatcher

from plum_jit_lint.runtime import StaleJitError, StaleJitWarning, install, uninstall, watch

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"^\*\*(.+?\?)\*\*$", GUIDE, flags=re.MULTILINE)
PROGRAM, *SHORT = re.findall(r"^```python\n(.*?)^```", GUIDE, flags=re.MULTILINE | re.DOTALL)

OLD, NEW = 2, 3
x = jnp.ones(())


def world(jit: Callable[[Any], Any] = lambda f: f) -> tuple[Any, Callable[[], Any]]:
    """A dispatched function whose methods go through `jit`, and what redefines it."""
    dispatch = Dispatcher()

    @dispatch
    @jit
    def scale(a: jax.Array) -> Any:
        return a * OLD

    def redefine() -> Any:
        @jit
        def scale(a: jax.Array) -> Any:
            return a * NEW

        dispatch(scale)
        return scale

    return scale, redefine


def caller_of(scale: Any) -> Any:
    return jax.jit(lambda a: scale(a))


def test_jitting_the_inner_function() -> None:
    """Does it help a jitted caller to jit the inner function?"""
    for wrapped in (True, False):
        if wrapped:  # `dispatch` over `jit`: each method compiles by itself.
            scale, redefine = world(jax.jit)
        else:  # `jit` over `dispatch`
            function, redefine = world()
            scale = jax.jit(function)
        run = caller_of(scale)
        run(x)
        redefine()
        assert run(x) == OLD
        # Called directly, only the methods that are jitted one by one are chosen afresh.
        assert scale(x) == (NEW if wrapped else OLD)


def test_inline() -> None:
    """Does `inline=True`?"""

    def inlined(f: Any) -> Any:
        return jax.jit(f, inline=True)

    scale, redefine = world(inlined)
    run = caller_of(scale)
    run(x)
    redefine()
    assert run(x) == OLD
    function, redefine = world()
    run = caller_of(inlined(function))
    run(x)
    redefine()
    assert run(x) == OLD


def test_clearing_the_registered_methods_cache() -> None:
    """Does clearing the cache of the registered method?"""
    scale, redefine = world(jax.jit)
    replaced = scale.methods[0].implementation
    run = caller_of(scale)
    run(x)
    method = redefine()
    method.clear_cache()
    assert run(x) == OLD
    replaced.clear_cache()
    assert run(x) == OLD


def test_clearing_the_callers_cache() -> None:
    """Does clearing the caller's?"""
    scale, redefine = world()
    run = caller_of(scale)
    run(x)
    redefine()
    run.clear_cache()
    assert run(x) == NEW


def test_clearing_the_callers_cache_when_something_jitted_is_between() -> None:
    function, redefine = world()
    inner = caller_of(function)
    first, second = caller_of(inner), caller_of(inner)
    first(x)
    redefine()
    # The program of `inner` is taken from its own cache.
    first.clear_cache()
    assert first(x) == OLD
    # And so it is in a caller that is traced for the first time, after the registration.
    assert second(x) == OLD
    for jitted in (inner, first):
        jitted.clear_cache()
    assert first(x) == NEW
    assert second(x) == OLD


def test_clearing_everything_at_every_registration() -> None:
    """Is `jax.clear_caches()` at every registration enough, and what does it cost?"""
    traced = 0
    scale, redefine = world()

    def counted(a: Any) -> Any:
        nonlocal traced
        traced += 1
        return scale(a)

    def unrelated(a: Any) -> Any:
        nonlocal traced
        traced += 1
        return a + 1

    def register_something_else() -> None:
        world()

    run, other = jax.jit(counted), jax.jit(unrelated)
    frozen = run.lower(x).compile()
    run(x), other(x)
    redefine()
    jax.clear_caches()
    assert run(x) == NEW
    # Not enough for what is compiled for good.
    assert frozen(x) == OLD
    # All that the program uses is traced again, each time.
    traced = 0
    for _ in range(3):
        register_something_else()
        jax.clear_caches()
        run(x), other(x)
    assert traced == 6


def test_without_jit() -> None:
    """Does `jax.disable_jit()` show which method is right?"""
    scale, redefine = world()
    run, kept = caller_of(scale), jax.checkpoint(scale)

    def step(carry: Any, _: Any) -> Any:
        return scale(carry), None

    def without_jit() -> list[Any]:
        with jax.disable_jit():
            looped, _ = jax.lax.scan(step, x, jnp.arange(1))
            branched = jax.lax.cond(True, scale, scale, x)
            return [run(x), looped, branched, kept(x)]

    assert run(x) == OLD
    assert without_jit() == [OLD, OLD, OLD, OLD]
    redefine()
    assert run(x) == OLD
    assert without_jit() == [NEW, NEW, NEW, OLD]


@pytest.mark.parametrize("begin", [watch, install])
def test_retracing_when_the_method_table_changes(begin: Any) -> None:
    """Is there a way to have JAX retrace when the method table changes?"""
    traced = 0
    scale, redefine = world()
    begun = begin("retrace")
    seen = begun.__enter__() if begin is watch else begun
    try:

        @jax.jit
        def run(a: Any) -> Any:
            nonlocal traced
            traced += 1
            return scale(a)

        assert run(x) == OLD
        for _ in range(3):
            world()  # displaces nothing
            assert run(x) == OLD
        assert traced == 1
        redefine()
        assert run(x) == NEW
        assert (traced, seen.retraced) == (2, 1)
    finally:
        begun.__exit__(None, None, None) if begin is watch else uninstall()


def test_every_question_has_a_test() -> None:
    asked = [one.__doc__ for one in globals().values() if callable(one) and one.__doc__]
    assert QUESTIONS
    assert [one for one in QUESTIONS if one not in asked] == []


def test_the_program_of_the_guide_does_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    expected = re.findall(r"# prints (.+)", PROGRAM)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile(PROGRAM, str(path), "exec"), {"__name__": "program"})
    assert capsys.readouterr().out.splitlines() == expected
    (warning,) = [one for one in caught if one.category is StaleJitWarning]
    assert PROGRAM.splitlines()[warning.lineno - 1].startswith("    @dispatch")


def test_the_other_pieces_of_the_guide_run() -> None:
    for piece in SHORT:
        scale, redefine = world()
        names: dict[str, Any] = {"run": caller_of(scale), "x": x, "redefine": redefine}
        try:
            exec(piece, names)
        finally:
            uninstall()


def test_an_error_leaves_the_method_registered() -> None:
    scale, redefine = world()
    run = caller_of(scale)
    with watch("raise"):
        run(x)
        with pytest.raises(StaleJitError):
            redefine()
    assert scale(x) == NEW


def test_clearing_the_caches_of_equinox() -> None:
    scale, redefine = world()
    run = eqx.filter_jit(lambda a: scale(a))
    run(x)
    redefine()
    eqx.clear_caches()
    assert run(x) == OLD
    jax.clear_caches()
    assert run(x) == NEW
