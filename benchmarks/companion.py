"""What the watch costs, and what `retrace` saves: watched against unwatched, in one run.

    python -m benchmarks.companion [--dispatches N] [--jitted N] [--only PART ...]

Printed are the time of a dispatch, of a hot jitted call and of a trace, without the watch and
with it, by turns, the best of several rounds each; the time of a registration while 10 to 10,000
choices are held in all; the memory of the process over a million dispatches; and the compilations
and wrong results of a program that registers while it runs, as it is, under `retrace`, and with
`jax.clear_caches()` at every registration.

The last compiles some 10,000 times, which takes ten minutes; `--jitted 10` is a tenth of that.
"""

from __future__ import annotations

import gc
import os
import statistics
import warnings
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, TypeAlias

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import plum
from plum import Dispatcher

from plum_jit_lint.runtime import watch

ROUNDS = 15
HELD = (10, 100, 1_000, 10_000)
A_TRACE = 10
"""Choices that one trace holds."""
REGISTRATIONS = 100
DISPLACING = 5
COMPILED = "/jax/core/compile/backend_compile_duration"

How: TypeAlias = Literal["as it is", "retrace", "clear_caches() at every registration"]
HOWS: tuple[How, ...] = ("as it is", "retrace", "clear_caches() at every registration")

x = jnp.ones(())


def new_type() -> type:
    return type("New", (), {})


def function(dispatch: Dispatcher, name: str, hint: Any, factor: int = 1) -> Any:
    """A method for `hint` of the function `name`, registered at once."""

    def method(a: Any) -> Any:
        return a if factor == 1 else a * factor

    method.__name__ = method.__qualname__ = name
    method.__annotations__ = {"a": hint}
    return dispatch(method)


# dispatches, calls and traces


def cost_of(action: Callable[[], Any], count: int) -> float:
    """Microseconds that one `action` takes, of `count`."""
    steps = range(count)
    gc.collect()
    gc.disable()
    begin = perf_counter()
    for _ in steps:
        action()
    taken = perf_counter() - begin
    gc.enable()
    return taken / count * 1e6


def calls() -> Iterator[tuple[str, Callable[[], Any], int]]:
    dispatch = Dispatcher()
    scale, on_types = function(dispatch, "scale", jax.Array), function(dispatch, "half", int)
    for name, hint in (("scale", int), ("half", float)):
        function(dispatch, name, hint)
    run = jax.jit(lambda a: scale(a))
    run(x)

    def trace() -> Any:
        return jax.eval_shape(lambda a: [scale(a) for _ in range(A_TRACE)], x)

    yield "a dispatch on jax.Array", lambda: scale(x), 5_000
    yield "a dispatch on faithful types", lambda: on_types(1), 30_000
    yield "a hot jitted call", lambda: run(x), 5_000
    yield f"a trace with {A_TRACE} dispatches", trace, 50


def time_calls() -> None:
    measured = list(calls())
    best: dict[tuple[str, bool], float] = {}
    for _ in range(ROUNDS):
        for watched in (False, True):
            with watch("warn") if watched else nothing():
                for name, action, count in measured:
                    taken = cost_of(action, count)
                    best[name, watched] = min(taken, best.get((name, watched), taken))
    print(f"{'microseconds':<32}{'unwatched':>12}{'watched':>12}{'times':>8}{'more':>9}")
    for name, _, _ in measured:
        plain, watched_ = best[name, False], best[name, True]
        print(f"{name:<32}{plain:>12.2f}{watched_:>12.2f}{watched_ / plain:>8.2f}"
              f"{watched_ - plain:>9.2f}")  # fmt: skip


@contextmanager
def nothing() -> Iterator[None]:
    yield


# registrations


def hold(total: int, functions: Sequence[Any]) -> list[Any]:
    """Traces that hold `total` choices among the methods of `functions`, in turn."""
    traced = []
    for begin in range(0, total, A_TRACE):

        def run(a: Any, begin: int = begin) -> Any:
            return [
                functions[(begin + step) % len(functions)](a)
                for step in range(min(A_TRACE, total - begin))
            ]

        jax.eval_shape(run, x)
        traced.append(run)
    return traced


def registration(total: int, watched: bool) -> tuple[float, float]:
    """Microseconds of a registration on a function of which `A_TRACE` choices are held, and on one
    that nothing chose from, while `total` choices are held."""
    jax.clear_caches()
    dispatch = Dispatcher()
    with watch("warn") if watched else nothing():
        others = [function(dispatch, f"other{number}", jax.Array) for number in range(100)]
        alive = hold(total - A_TRACE, others)
        one = function(dispatch, "one", jax.Array)
        for _ in range(A_TRACE):
            alive += hold(1, [one])
        function(dispatch, "unused", jax.Array)
        taken: tuple[list[float], list[float]] = ([], [])
        for _ in range(30):
            for times, name in zip(taken, ("one", "unused"), strict=True):
                hint = new_type()
                begin = perf_counter()
                function(dispatch, name, hint)
                times.append((perf_counter() - begin) * 1e6)
        del alive
    return statistics.median(taken[0]), statistics.median(taken[1])


def time_registrations() -> None:
    print(f"\nmicroseconds of a registration on a function with {A_TRACE} held choices, and none")
    print(f"{'held in all':<32}{'unwatched':>14}{'watched':>16}")
    for total in HELD:
        plain, watched = registration(total, False), registration(total, True)
        print(f"{total:<32,}{plain[0]:>8.1f}{plain[1]:>6.1f}{watched[0]:>10.1f}{watched[1]:>6.1f}")
    print(f"{'held by that function':<32}")
    for total in HELD[:3]:
        print(f"{total:<32,}{of_its_own(total, False):>14.1f}{of_its_own(total, True):>16.1f}")


def of_its_own(total: int, watched: bool) -> float:
    """The same, where all choices are of the function that gets the method."""
    jax.clear_caches()
    dispatch = Dispatcher()
    with watch("warn") if watched else nothing():
        one = function(dispatch, "one", jax.Array)
        alive = [hold(1, [one]) for _ in range(total)]
        taken = []
        for _ in range(10):
            hint = new_type()
            begin = perf_counter()
            function(dispatch, "one", hint)
            taken.append((perf_counter() - begin) * 1e6)
        del alive
    return statistics.median(taken)


# memory


def resident() -> float:
    """Megabytes of the process that are in memory; 0 where that is not told."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def memory(dispatches: int) -> None:
    """Half of the dispatches eager, half under traces that are dropped."""
    dispatch = Dispatcher()
    scale = function(dispatch, "scale", jax.Array)
    on_types = function(dispatch, "half", int)
    a_trace, turns = 100, 10
    print(f"\nmegabytes over {dispatches:,} dispatches, half of them under traces")
    for watched in (False, True):
        with watch("warn") if watched else nothing():
            sizes = []
            for _ in range(turns):
                for _ in range(dispatches // 2 // turns):
                    on_types(1)
                for _ in range(dispatches // 2 // turns // a_trace):
                    jax.eval_shape(lambda a: [scale(a) for _ in range(a_trace)], x)
                gc.collect()
                sizes.append(resident())
        listed = " ".join(f"{size:.0f}" for size in sizes)
        print(f"{'watched' if watched else 'unwatched':<32}{listed}")


# compilations


def program(how: How, jitted: int) -> tuple[int, int, float]:
    """The compilations, the wrong results and the seconds of a program with `jitted` functions,
    each of which calls one dispatched function, and `REGISTRATIONS` registrations, of which
    `DISPLACING` displace something. All functions are called after each."""
    jax.clear_caches()
    dispatch = Dispatcher()
    factors = [2] * jitted
    functions = [function(dispatch, f"scale{number}", object, 2) for number in range(jitted)]
    compiled = [jax.jit(lambda a, f=f: f(a)) for f in functions]
    began, wrong, begin = compilations[0], 0, perf_counter()
    with watch("retrace") if how == "retrace" else nothing():
        for number in range(REGISTRATIONS + 1):
            if number:
                at = number % jitted
                displaces = number % (REGISTRATIONS // DISPLACING) == 0
                factors[at] = number if displaces else factors[at]
                hint = jax.Array if displaces else new_type()
                function(dispatch, f"scale{at}", hint, factors[at])
                if how == "clear_caches() at every registration":
                    jax.clear_caches()
            wrong += sum(
                run(x).item() != factor for run, factor in zip(compiled, factors, strict=True)
            )
    return compilations[0] - began, wrong, perf_counter() - begin


compilations = [0]


def count_compilations(event: str, seconds: float, **more: Any) -> None:
    compilations[0] += event == COMPILED


def compare(jitted: int) -> None:
    jax.monitoring.register_event_duration_secs_listener(count_compilations)
    print(f"\n{jitted} jitted functions, all called after each of {REGISTRATIONS} registrations, "
          f"{DISPLACING} of which displace something")  # fmt: skip
    print(f"{'':<40}{'compilations':>14}{'wrong results':>16}{'seconds':>10}")
    for how in HOWS:
        made, wrong, seconds = program(how, jitted)
        print(f"{how:<40}{made:>14,}{wrong:>16,}{seconds:>10.1f}", flush=True)


def main(given: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m benchmarks.companion", description=__doc__)
    parser.add_argument("--dispatches", type=int, default=1_000_000)
    parser.add_argument("--jitted", type=int, default=100)
    parts = ("calls", "registrations", "memory", "compilations")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    arguments = parser.parse_args(given)
    warnings.simplefilter("error")
    print(f"jax {jax.__version__}, plum-dispatch {plum.__version__}")
    if "calls" in arguments.only:
        time_calls()
    if "registrations" in arguments.only:
        time_registrations()
    if "memory" in arguments.only:
        memory(arguments.dispatches)
    if "compilations" in arguments.only:
        compare(arguments.jitted)


if __name__ == "__main__":
    main()
