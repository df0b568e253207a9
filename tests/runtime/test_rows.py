"""A test for each row of what goes stale: what real JAX does, what the watch says, and that
`retrace` makes it right."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest
from plum import Dispatcher

from plum_jit_lint.runtime import StaleJitWarning, watch


class Row(NamedTuple):
    """`build` makes of a dispatched function what `call` calls, before and after."""

    build: Callable[[Any], Any]
    call: Callable[[Any], Any]


x = jnp.ones(())
v = jnp.ones(2)


def same(h: Any) -> Any:
    return h


def lifted(h: Any) -> Any:
    return lambda a: h(a)


def odeint(f: Any) -> Any:
    from jax.experimental.ode import odeint

    return odeint(f, x, jnp.linspace(0.0, 1.0, 3))


class Module(eqx.Module):
    h: Any = eqx.field(static=True)

    def method(self, a: Any) -> Any:
        return self.h(a)


class Plain:
    def __init__(self, h: Any) -> None:
        self.h = h

    def method(self, a: Any) -> Any:
        return self.h(a)


def through(transform: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda h: transform(lifted(h))


def in_jit(transform: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda h: jax.jit(transform(lifted(h)))


def scan_in_jit(h: Any) -> Any:
    def body(carry: Any, step: Any) -> Any:
        return h(carry), step

    return jax.jit(lambda a: jax.lax.scan(body, a, jnp.arange(3))[0])


def cond_in_jit(h: Any) -> Any:
    body = lifted(h)
    return jax.jit(lambda a: jax.lax.cond(a > 0, body, body, a))


def nested(h: Any) -> Any:
    inner = jax.jit(lifted(h))
    return jax.jit(lambda a: inner(a))


def two_outers(h: Any) -> Any:
    inner = jax.jit(lifted(h))
    first, second = jax.jit(lambda a: inner(a)), jax.jit(lambda a: inner(a) + 0)
    return lambda a: (first(a), second(a))


STALE = {
    "jit": Row(through(jax.jit), lambda f: f(x)),
    "jit of the dispatched function": Row(jax.jit, lambda f: f(x)),
    "a new jit of it at each call": Row(same, lambda h: jax.jit(h)(x)),
    "a new jit with other options": Row(same, lambda h: jax.jit(h, inline=True)(x)),
    "inline": Row(through(lambda f: jax.jit(f, inline=True)), lambda f: f(x)),
    "filter_jit": Row(through(eqx.filter_jit), lambda f: f(x)),
    "a new filter_jit at each call": Row(same, lambda h: eqx.filter_jit(h)(x)),
    "filter_jit of a bound method": Row(Module, lambda m: eqx.filter_jit(m.method)(x)),
    "pmap": Row(through(jax.pmap), lambda f: f(jnp.ones((1,)))),
    "filter_pmap": Row(through(eqx.filter_pmap), lambda f: f(jnp.ones((1,)))),
    "scan": Row(lambda h: lambda c, s: (h(c), s), lambda f: jax.lax.scan(f, x, jnp.arange(3))[0]),
    "while_loop": Row(lifted, lambda f: jax.lax.while_loop(lambda a: a < 10, f, x)),
    "the condition of while_loop": Row(
        lambda h: lambda a: h(a) < 100, lambda f: jax.lax.while_loop(f, lambda a: a * 1.3, x)
    ),
    "fori_loop": Row(lambda h: lambda i, a: h(a), lambda f: jax.lax.fori_loop(0, 3, f, x)),
    "cond": Row(lifted, lambda f: jax.lax.cond(True, f, f, x)),
    "switch": Row(lifted, lambda f: jax.lax.switch(0, [f, f], x)),
    "checkpoint": Row(through(jax.checkpoint), lambda f: f(x)),
    "grad of checkpoint": Row(through(jax.checkpoint), lambda f: jax.grad(f)(x)),
    "make_jaxpr": Row(lifted, lambda f: jax.make_jaxpr(f)(x)),
    "closure_convert": Row(lifted, lambda f: jax.closure_convert(f, x)[0](x)),
    "piecewise": Row(lifted, lambda f: jnp.piecewise(v, [v > 0], [f, f])),
    "reduce": Row(lambda h: lambda a, b: h(a) + b, lambda f: jax.lax.reduce(v, 0.0, f, (0,))),
    "reduce_window": Row(
        lambda h: lambda a, b: h(a) + b,
        lambda f: jax.lax.reduce_window(v, 0.0, f, (2,), (1,), "VALID"),
    ),
    "odeint": Row(lambda h: lambda y, t: h(y), odeint),
    "eval_shape and then jit": Row(lifted, lambda f: (jax.eval_shape(f, x), jax.jit(f)(x))[1]),
    "lower and then a call": Row(through(jax.jit), lambda f: (f.lower(x), f(x))[1]),
    "vmap of a jitted function": Row(through(jax.jit), lambda f: jax.vmap(f)(v)),
    "grad of a jitted function": Row(through(jax.jit), lambda f: jax.grad(f)(x)),
    "nested jits": Row(nested, lambda f: f(x)),
    "two callers of one jitted function": Row(two_outers, lambda f: f(x)),
    "a new caller of an old jitted function": Row(
        through(jax.jit), lambda f: jax.jit(lambda a: f(a) + 0)(x)
    ),
    "grad inside jit": Row(in_jit(jax.grad), lambda f: f(x)),
    "vmap inside jit": Row(in_jit(jax.vmap), lambda f: f(v)),
    "scan inside jit": Row(scan_in_jit, lambda f: f(x)),
    "cond inside jit": Row(cond_in_jit, lambda f: f(x)),
    "a factory under lru_cache": Row(
        lambda h: functools.lru_cache(lambda k: lifted(h)), lambda f: jax.jit(f(1))(x)
    ),
}

FRESH = {
    "a new jitted lambda at each call": Row(same, lambda h: jax.jit(lambda a: h(a))(x)),
    "jit of a new partial": Row(same, lambda h: jax.jit(functools.partial(h))(x)),
    "jit of a bound method": Row(Plain, lambda p: jax.jit(p.method)(x)),
    "jit of a new vmap": Row(same, lambda h: jax.jit(jax.vmap(h))(v)),
    "vmap": Row(through(jax.vmap), lambda f: f(v)),
    "grad": Row(through(jax.grad), lambda f: f(x)),
    "linearize": Row(lifted, lambda f: jax.linearize(f, x)[0]),
    "lax.map": Row(lifted, lambda f: jax.lax.map(f, v)),
    "associative_scan": Row(
        lambda h: lambda a, b: h(a) + b, lambda f: jax.lax.associative_scan(f, v)
    ),
    "vectorize": Row(through(jnp.vectorize), lambda f: f(v)),
    "apply_along_axis": Row(lifted, lambda f: jnp.apply_along_axis(f, 0, v)),
    "named_call": Row(through(jax.named_call), lambda f: f(x)),
    "filter_vmap": Row(through(eqx.filter_vmap), lambda f: f(v)),
    "filter_grad": Row(through(eqx.filter_grad), lambda f: f(x)),
    "filter_checkpoint": Row(through(eqx.filter_checkpoint), lambda f: f(x)),
    "filter_make_jaxpr": Row(through(eqx.filter_make_jaxpr), lambda f: f(x)[0]),
    "pure_callback": Row(
        lambda h: jax.jit(lambda a: jax.pure_callback(lambda u: h(jnp.asarray(u)), x, a)),
        lambda f: f(x),
    ),
}

FROZEN = {
    "compiled": Row(lambda h: jax.jit(lifted(h)).lower(x).compile(), lambda f: f(x)),
    "exported": Row(lambda h: jax.export.export(jax.jit(lifted(h)))(x), lambda f: f.call(x)),
}


def world() -> tuple[Any, Callable[[], None]]:
    dispatch = Dispatcher()

    @dispatch
    def h(a: jax.Array) -> Any:
        return a * 2

    def redefine() -> None:
        @dispatch
        def h(a: jax.Array) -> Any:
            return a * 3

    return h, redefine


def right(row: Row) -> str:
    """What the call gives when the method was there from the beginning."""
    h, redefine = world()
    redefine()
    return str(row.call(row.build(h)))


@pytest.mark.parametrize("name", STALE)
def test_stale_is_reported(name: str) -> None:
    row = STALE[name]
    wanted = right(row)
    h, redefine = world()
    with watch("collect") as seen:
        assert seen.unseen == ()
        built = row.build(h)
        row.call(built)
        redefine()
        assert str(row.call(built)) != wanted
    assert seen.stale == 1
    assert seen.findings


@pytest.mark.parametrize("name", STALE)
def test_stale_is_right_under_retrace(name: str) -> None:
    row = STALE[name]
    wanted = right(row)
    h, redefine = world()
    with watch("retrace") as seen:
        built = row.build(h)
        row.call(built)
        redefine()
        assert str(row.call(built)) == wanted
    assert seen.retraced == 1
    assert not seen.findings


@pytest.mark.parametrize("name", FRESH)
@pytest.mark.parametrize("on_stale", ["collect", "retrace"])
def test_fresh_is_not(name: str, on_stale: Any) -> None:
    row = FRESH[name]
    wanted = right(row)
    h, redefine = world()
    with watch(on_stale) as seen:
        built = row.build(h)
        row.call(built)
        redefine()
        assert str(row.call(built)) == wanted
    assert not seen.findings
    assert seen.retraced == 0


@pytest.mark.filterwarnings("ignore::plum_jit_lint.runtime.StaleJitWarning")
@pytest.mark.parametrize("name", FROZEN)
@pytest.mark.parametrize("on_stale", ["collect", "retrace"])
def test_what_is_compiled_for_good_is_reported_whatever_is_cleared(
    name: str, on_stale: Any
) -> None:
    row = FROZEN[name]
    wanted = right(row)
    h, redefine = world()
    with watch(on_stale) as seen:
        built = row.build(h)
        before = str(row.call(built))
        redefine()
        jax.clear_caches()
        assert str(row.call(built)) == before != wanted
    assert [one.code for one in seen.findings] == ["PJ004"]


@pytest.mark.parametrize("name", FROZEN)
def test_a_use_of_what_is_compiled_for_good_is_seen(name: str) -> None:
    row = FROZEN[name]
    h, redefine = world()
    with watch("collect") as seen:
        built, other = row.build(h), row.build(world()[0])
        row.call(built)
        redefine()
        jax.clear_caches()
        row.call(other)
        fresh = row.build(h)
        row.call(fresh)
        assert not seen.settled
        row.call(built)
        (finding,) = seen.settled
        del built
        assert seen.findings == [finding]
    assert "compile again after it: " in finding.message


@pytest.mark.parametrize("name", FROZEN)
def test_what_retrace_cannot_refresh_is_said_where_it_is_used(name: str) -> None:
    row = FROZEN[name]
    h, redefine = world()
    with watch("retrace") as seen, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        built = row.build(h)
        row.call(built)
        redefine()
        row.call(row.build(h))
        assert not heard
        row.call(built)
        row.call(built)
    (warning,) = heard
    assert warning.category is StaleJitWarning
    assert (warning.filename, seen.retraced) == (__file__, 1)
    assert "outlives `clear_caches()`" in str(warning.message)
    assert "test_rows.py" in str(warning.message).splitlines()[-1]


@pytest.mark.parametrize("late", [False, True])
def test_compiling_what_was_lowered_before_the_registration_is_a_use(late: bool) -> None:
    h, redefine = world()
    run = jitted(h)
    with watch("collect") as seen:
        lowered = run.lower(x)
        compiled = None if late else lowered.compile()
        redefine()
        assert not seen.settled
        compiled = lowered.compile() if late else compiled
        assert compiled(x) == 2
        assert [one.code for one in seen.settled] == ["PJ004"]


def test_what_is_compiled_for_good_goes_stale_in_what_it_is_traced_into() -> None:
    h, redefine = world()
    with watch("collect") as seen:
        exported = jax.export.export(jitted(h))(x)
        redefine()
        jax.clear_caches()
        run = jax.jit(lambda a: exported.call(a))
        assert run(x) == 2
        assert seen.settled


def jitted(h: Any) -> Any:
    return jax.jit(lifted(h))


def test_a_trace_that_raised_is_not_kept() -> None:
    h, redefine = world()

    @jax.jit
    def run(a: Any) -> Any:
        h(a)
        raise RuntimeError

    with watch("collect") as seen:
        with pytest.raises(RuntimeError):
            run(x)
        redefine()
    assert seen.counts.dispatches == 1
    assert not seen.findings


def test_nothing_is_kept_while_jit_is_disabled() -> None:
    h, redefine = world()
    run = jitted(h)
    with watch("collect") as seen, jax.disable_jit():
        run(x)
        redefine()
        assert run(x) == 3
    assert not seen.findings


@pytest.mark.parametrize("used", [False, True])
def test_clearing_before_the_next_use_is_in_time(used: bool) -> None:
    h, redefine = world()
    run = jitted(h)
    with watch("collect") as seen:
        run(x)
        redefine()
        if used:
            run(x)
        jax.clear_caches()
        assert run(x) == 3
    assert bool(seen.findings) is used


def test_clear_cache_of_all_that_hold_it_is_in_time() -> None:
    h, redefine = world()
    inner = jitted(h)
    outer = jax.jit(lambda a: inner(a))
    with watch("collect") as seen:
        outer(x)
        redefine()
        outer.clear_cache()
        inner.clear_cache()
        assert outer(x) == 3
    assert not seen.findings


def test_clear_cache_of_the_outer_one_alone_is_not() -> None:
    h, redefine = world()
    inner = jitted(h)
    outer = jax.jit(lambda a: inner(a))
    with watch("collect") as seen:
        outer(x)
        redefine()
        outer.clear_cache()
        assert outer(x) == 2
    assert seen.findings


def test_clearing_one_wrapper_clears_the_others_of_the_same_function() -> None:
    h, redefine = world()
    first, second = jax.jit(h), jax.jit(h, inline=True)
    with watch("collect") as seen:
        first(x)
        redefine()
        second.clear_cache()
    assert not seen.findings


def test_a_new_shape_sees_the_new_method() -> None:
    h, redefine = world()
    run = jitted(h)
    with watch("collect") as seen:
        run(x)
        redefine()
        assert run(v)[0] == 3
        assert run(x) == 2
    assert [one.code for one in seen.findings] == ["PJ004"]


def test_when_the_function_is_gone_so_is_its_trace() -> None:
    h, redefine = world()
    with watch("collect") as seen:
        run = jitted(h)
        run(x)
        del run
        redefine()
    assert not seen.findings


def test_a_method_that_was_invoked_by_type_is_held_too() -> None:
    h, redefine = world()
    run = jax.jit(lambda a: h.invoke(jax.Array)(a))
    with watch("collect") as seen:
        run(x)
        redefine()
        assert run(x) == 2
    assert [one.code for one in seen.findings] == ["PJ004"]
