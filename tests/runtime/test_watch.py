"""What the watch says, and to whom; registrations in every form, from threads and inside traces."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import jax
import jax.numpy as jnp
import pytest
from beartype.vale import Is
from plum import (
    Dispatcher,
    Function,
    NotFoundLookupError,
    Signature,
    add_conversion_method,
    overload,
)

from plum_jit_lint.findings import Role, Severity
from plum_jit_lint.runtime import StaleJitError, StaleJitWarning, install, uninstall, watch
from plum_jit_lint.runtime.summary import summary

x = jnp.ones(())


class World:
    """A dispatched function, a jitted caller, and ways to register late."""

    def __init__(self) -> None:
        self.dispatch = Dispatcher()

        @self.dispatch
        def area(a: jax.Array) -> Any:
            return a * 2

        @jax.jit
        def total(a: Any) -> Any:
            return area(a)

        self.area, self.total = area, total

    def redefine(self, factor: int = 3) -> None:
        @self.dispatch
        def area(a: jax.Array) -> Any:
            return a * factor


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture(autouse=True)
def _warnings_are_heard() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        yield


# -- modes -----------------------------------------------------------------------------------


def test_a_warning_tells_everything_at_the_line_of_the_registration(world: World) -> None:
    with watch("warn"):
        world.total(x)
        with pytest.warns(StaleJitWarning) as heard:
            world.redefine()
    (warning,) = heard
    assert warning.filename == __file__
    line = Path(__file__).read_text().splitlines()[warning.lineno - 1]
    assert line.strip() == "@self.dispatch"
    text = str(warning.message)
    assert re.match(r"PJ004 `area\(a: Array\)` comes too late: ", text)
    assert re.search(r"was traced at line \d+ and keeps `area\(a: Array\)` \(line \d+\) for", text)
    assert text.count("test_watch.py:") == 2, text  # the first use, and the call on the way


def test_an_error_is_raised_and_the_method_is_registered(world: World) -> None:
    with watch("raise"):
        world.total(x)
        with pytest.raises(StaleJitError, match="PJ004") as raised:
            world.redefine()
    assert [one.code for one in raised.value.findings] == ["PJ004"]
    assert world.area(x) == 3


def test_retrace_clears_once_and_only_when_something_is_displaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleared = []
    real = jax.clear_caches
    with watch("retrace") as seen:
        monkeypatch.setattr(jax, "clear_caches", lambda: (cleared.append(1), real()))
        world.total(x)

        @world.dispatch
        def area(a: int) -> Any:
            return a

        assert not cleared
        world.redefine()
        assert cleared == [1]
        assert world.total(x) == 3
    assert seen.retraced == 1


def test_ambiguous_and_no_method_are_told() -> None:
    dispatch = Dispatcher()

    @dispatch
    def combine(a: jax.Array, b: object) -> Any:
        return a

    run = jax.jit(lambda a: combine(a, a))

    def late(a: object, b: jax.Array) -> Any:
        return b

    with watch("warn"):
        run(x)
        with pytest.warns(StaleJitWarning, match="would be ambiguous"):
            combine.dispatch(late)  # type: ignore[attr-defined]


def test_one_finding_for_a_registration_however_many_callers(world: World) -> None:
    other = jax.jit(lambda a: world.area(a) + 1)
    with watch("warn"):
        world.total(x)
        other(x)
        with pytest.warns(StaleJitWarning) as heard:
            world.redefine()
    assert len(heard) == 1
    assert "and 1 more" in str(heard[0].message)


def test_both_codes_where_both_hold(world: World) -> None:
    with watch("collect") as seen:
        jax.jit(world.area)(x)
        world.total(x)
        world.redefine()
    assert [one.code for one in seen.findings] == ["PJ003", "PJ004"]
    assert len({one.place for one in seen.findings}) == 1


def test_the_same_definition_again_is_no_news(world: World) -> None:
    with watch("collect") as seen:
        world.redefine()
        world.total(x)
        world.redefine()
        assert not seen.findings
        world.redefine(4)  # it captures something else
        assert seen.findings


def test_an_unknown_mode_is_an_error() -> None:
    with pytest.raises(ValueError, match="on_stale is one of warn, raise"), watch("loud"):  # type: ignore[arg-type]
        pass


# -- nesting ---------------------------------------------------------------------------------


def test_the_innermost_watch_decides(world: World) -> None:
    with watch("raise") as outer:
        world.total(x)
        with watch("collect") as inner:
            world.redefine()
        assert inner.findings
        assert outer.findings
    assert outer.stale == inner.stale == 1


def test_what_was_traced_in_an_outer_watch_is_known_in_an_inner_one(world: World) -> None:
    with watch("collect"):
        world.total(x)
        with watch("collect") as inner:
            world.redefine()
    assert inner.findings


def test_each_of_nested_watches_counts_what_ran_in_it(world: World) -> None:
    with watch("collect") as outer:
        world.total(x)
        with watch("collect") as first:
            world.redefine()
        with watch("collect") as second:
            Dispatcher()(pieceless)
            world.total(jnp.ones(3))
        world.redefine(4)
    told = [
        (seen.counts.dispatches, seen.counts.traces, seen.counts.registrations, seen.stale)
        for seen in (outer, first, second)
    ]
    assert told == [(2, 2, 3, 2), (0, 0, 1, 1), (1, 1, 1, 0)]
    lines = [seen.places[__file__] for seen in (outer, first, second)]
    assert lines[1] == {World.redefine.__code__.co_firstlineno + 1}
    assert lines[2].isdisjoint(lines[1])
    assert lines[0] == lines[1] | lines[2]
    assert [len(seen.findings) for seen in (outer, first, second)] == [1, 1, 0]


def test_watches_that_end_in_another_order_hear_of_what_is_theirs(world: World) -> None:
    first, second = install("collect"), watch("collect")
    inner = second.__enter__()
    world.total(x)
    uninstall()
    world.redefine()
    second.__exit__(None, None, None)
    assert (first.stale, inner.stale) == (0, 1)
    assert (first.counts.registrations, inner.counts.registrations) == (0, 1)
    assert (first.findings, len(inner.findings)) == ([], 1)


def pieceless(a: int) -> Any:
    return a


def test_install_and_uninstall(world: World) -> None:
    seen = install("collect")
    try:
        world.total(x)
        world.redefine()
    finally:
        uninstall()
    uninstall()  # there is none: nothing happens
    assert [one.code for one in seen.findings] == ["PJ004"]


def test_functions_compiled_before_are_unknown(world: World) -> None:
    world.total(x)
    with watch("collect") as seen:
        assert seen.unknown >= 1
        assert "compiled before the watch began" in summary(seen)


# -- forms of registration -------------------------------------------------------------------


def _decorated(w: World) -> None:
    @w.dispatch
    def area(a: jax.Array) -> Any:
        return 0


def _with_precedence(w: World) -> None:
    @w.dispatch(precedence=1)
    def area(a: jax.Array) -> Any:
        return 0


def _multi(w: World) -> None:
    @w.dispatch.multi((jax.Array,), (int,))
    def area(a: Any) -> Any:
        return 0


def _by_function(w: World) -> None:
    @w.area.dispatch
    def other(a: jax.Array) -> Any:
        return 0


def _by_function_with_precedence(w: World) -> None:
    @w.area.dispatch(precedence=1)
    def other(a: jax.Array) -> Any:
        return 0


def _dispatch_multi(w: World) -> None:
    @w.area.dispatch_multi((jax.Array,))
    def other(a: Any) -> Any:
        return 0


def _register(w: World) -> None:
    w.area.register(lambda a: 0, Signature(jax.Array))


def _called(w: World) -> None:
    def area(a: jax.Array) -> Any:
        return 0

    w.dispatch(area)


def _mapped(w: World) -> None:
    def area(a: jax.Array) -> Any:
        return 0

    list(map(w.dispatch, [area]))


def _overloaded(w: World) -> None:
    @overload
    def area(a: jax.Array) -> Any:
        return 0

    @w.dispatch
    def area(a: Any) -> Any: ...  # noqa: F811


def _through_a_decorator(w: World) -> None:
    def register(method: Any) -> Any:
        return w.dispatch(method)

    @register
    def area(a: jax.Array) -> Any:
        return 0


def _in_a_thread(w: World) -> None:
    thread = threading.Thread(target=lambda: w.redefine())
    thread.start()
    thread.join()


FORMS = [
    _decorated,
    _with_precedence,
    _multi,
    _by_function,
    _by_function_with_precedence,
    _dispatch_multi,
    _register,
    _called,
    _mapped,
    _overloaded,
    _through_a_decorator,
    _in_a_thread,
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__.strip("_"))
def test_every_form_of_registration_is_seen(form: Any, world: World) -> None:
    with watch("collect") as seen:
        world.total(x)
        before = seen.counts.registrations
        form(world)
        assert seen.counts.registrations == before + 1
    (finding,) = seen.findings
    assert finding.place.path == __file__
    first = form.__code__.co_firstlineno
    if form is not _in_a_thread:
        assert first < finding.place.line <= first + 8


def test_a_registration_in_a_class_body() -> None:
    dispatch = Dispatcher()

    class Shape:
        @dispatch
        def area(self, a: jax.Array) -> Any:
            return a

    run = jax.jit(lambda a: Shape().area(a))
    with watch("collect") as seen:
        run(x)

        @Shape.area.dispatch
        def area(self: Shape, a: jax.Array) -> Any:
            return a * 2

    (finding,) = seen.findings
    assert finding.function == "Shape.area"


def test_a_conversion_is_a_registration() -> None:
    dispatch = Dispatcher()

    class Length:
        def __init__(self, value: Any) -> None:
            self.value = value

    class Raw:
        def __init__(self, value: Any) -> None:
            self.value = value

    add_conversion_method(Raw, Length, lambda raw: Length(raw.value))

    @dispatch
    def measure(a: jax.Array) -> Length:
        return Raw(a)  # type: ignore[return-value]

    run = jax.jit(lambda a: measure(a).value)
    with watch("collect") as seen:
        run(x)
        add_conversion_method(Raw, Length, lambda raw: Length(raw.value * 2))
    assert [one.code for one in seen.findings] == ["PJ004"]


def test_what_is_kept_of_a_lookup_error_that_was_caught() -> None:
    dispatch = Dispatcher()

    @dispatch
    def area(a: int) -> Any:
        return a

    @jax.jit
    def run(a: Any) -> Any:
        try:
            return area(a)
        except NotFoundLookupError:
            return a * 7

    with watch("collect") as seen:
        run(x)

        @area.dispatch
        def other(a: jax.Array) -> Any:
            return a

    (finding,) = seen.findings
    assert " and keeps that there was no method for (Array[float32])" in finding.message
    assert all(one.role is not Role.COMPILED_METHOD for one in finding.related)


class Length:
    def __init__(self, value: Any) -> None:
        self.value = value


jax.tree_util.register_pytree_node(
    Length, lambda length: ((length.value,), None), lambda _, parts: Length(*parts)
)


def test_what_hangs_on_an_object_that_is_gone_is_a_warning() -> None:
    dispatch = Dispatcher()

    @dispatch
    def area(a: Length) -> Any:
        return a.value

    run = jax.jit(lambda a: area(a))
    with watch("collect") as seen, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run(Length(x))

        @area.dispatch
        def other(a: Annotated[Length, Is[lambda a: a.value is None]]) -> Any:
            return a

    (finding,) = seen.findings
    assert finding.severity is Severity.WARNING
    assert "depends on what is inside an argument that is gone. " in finding.message


def test_a_remark_of_plum_is_not_made_twice() -> None:
    dispatch = Dispatcher()

    @dispatch
    def area(a: jax.Array) -> Any:
        return a

    run = jax.jit(lambda a: area(a))
    with watch("collect") as seen, warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        run(x)

        @area.dispatch
        def other(a: Annotated[jax.Array, "metres"]) -> Any:
            return a

    assert len(seen.findings) == 1
    assert not remarks


def test_a_forward_reference_is_looked_at_when_it_is_there() -> None:
    dispatch = Dispatcher()
    names: dict[str, Any] = {"dispatch": dispatch, "jax": jax, "__name__": "forward"}
    exec("@dispatch\ndef f(a: jax.Array, b: object):\n    return a", names)

    class Later:
        pass

    run = jax.jit(lambda a: names["f"](a, Later()))
    with watch("collect") as seen:
        run(x)
        source = "@dispatch\ndef f(a: jax.Array, b: 'Later'):\n    return a * 2"
        exec(compile(source, "forward.py", "exec", dont_inherit=True), names)
        function: Function = names["f"]
        assert len(function._pending) == 1
        assert not seen.findings
        names["Later"] = Later
        assert [one.code for one in seen.findings] == ["PJ004"]
        assert len(function._pending) == 1, "plum resolves it at the next call, and not before"
        assert function._pending[-1][0].__annotations__["b"] == "Later"


# -- inside traces, and threads --------------------------------------------------------------


@pytest.mark.parametrize("scanned", [False, True])
def test_a_registration_inside_a_running_trace(scanned: bool) -> None:
    world = World()
    first = [True]

    def body(a: Any) -> Any:
        result = world.area(a)
        if first.pop() if first else False:
            world.redefine()
        return result

    def step(carry: Any, s: Any) -> Any:
        return body(carry), s

    run = jax.jit(body)
    with watch("retrace"):
        if scanned:
            jax.lax.scan(step, x, jnp.arange(1))
            assert jax.lax.scan(step, x, jnp.arange(1))[0] == 3
        else:
            run(x)
            assert run(x) == 3


def test_a_registration_inside_a_running_trace_is_reported(world: World) -> None:
    first = [True]

    @jax.jit
    def run(a: Any) -> Any:
        result = world.area(a)
        if first.pop() if first else False:
            world.redefine()
        return result

    with watch("collect") as seen:
        run(x)
        assert run(x) == 2
    assert [one.code for one in seen.findings] == ["PJ004"]


def test_a_registration_from_another_thread_is_retraced(world: World) -> None:
    with watch("retrace") as seen:
        world.total(x)
        _in_a_thread(world)
        assert world.total(x) == 3
    assert seen.retraced == 1


def test_threads_that_trace_at_the_same_time() -> None:
    worlds = [World() for _ in range(6)]
    barrier = threading.Barrier(len(worlds))
    errors = []

    def work(world: World) -> None:
        try:
            barrier.wait()
            for n in range(5):
                world.total(jnp.ones((n + 1,)))
            world.redefine()
            assert world.total(jnp.ones((1,)))[0] == 2
        except BaseException as error:
            errors.append(error)

    with watch("collect") as seen:
        threads = [threading.Thread(target=work, args=(world,)) for world in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not errors
    assert seen.stale == len(worlds)
    assert seen.counts.dispatches == 5 * len(worlds)


def test_generators_and_coroutines_inside_a_trace(world: World) -> None:
    async def measured(a: Any) -> Any:
        return world.area(a)

    def pieces(a: Any) -> Iterator[Any]:
        yield world.area(a)

    @jax.jit
    def run(a: Any) -> Any:
        try:
            measured(a).send(None)
        except StopIteration as ended:
            return ended.value + next(pieces(a))

    with watch("collect") as seen:
        assert run(x) == 4
        world.redefine()
    (finding,) = seen.findings
    calls = [one.message for one in finding.related if one.role == "call"]
    assert any("measured" in one for one in calls)


def test_two_dispatchers_are_two_worlds() -> None:
    one, other = World(), World()
    with watch("collect") as seen:
        one.total(x)
        other.redefine()
    assert not seen.findings
