"""Each row of the table of callables, proved against real JAX.

A row is put to the test by a function that notes which of its two versions ran. It is called,
changed as a late registration would change it, called again with the same function object, and
once more after all caches are cleared. A callable keeps its trace if the new version does not
run before they are.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest

from plum_jit_lint.knowledge import CALLBACKS, ROWS, SAME
from plum_jit_lint.knowledge.jax import CONTEXTS_IN_KEY
from plum_jit_lint.knowledge.rows import Row

os.environ.setdefault("JAX_PLATFORMS", "cpu")
jax = pytest.importorskip("jax")
equinox = pytest.importorskip("equinox")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")

X = jnp.ones(())
ONE = jnp.ones((1,))
NUMBER = 3.0
STALE = {"jit", "caching-wrapper", "maker", "caching-call"}

PATHS = sorted(ROWS)


@dataclass(eq=False)
class Probe:
    """A function that a late registration changes: it notes which version runs, and on what."""

    version: int = 1
    ran: list[int] = field(default_factory=list)
    seen: list[tuple[Any, ...]] = field(default_factory=list)

    def __call__(self, *arguments: Any) -> Any:
        self.ran.append(self.version)
        self.seen.append(arguments)
        return arguments[0] * 2

    def ran_in(self, call: Callable[[], Any]) -> bool:
        """Whether the present version ran in `call`."""
        self.ran.clear()
        call()
        return self.version in self.ran


def named(path: str) -> Any:
    """What the qualified name `path` stands for."""
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found: Any = import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    raise ImportError(path)


# -- how each callable is called -------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A way to have a callable of JAX call a function: `body` makes that function of a probe,
    and `call` hands it over. `scalar` adds a Python number to what the function is called with."""

    body: Callable[[Probe], Any]
    call: Callable[[Any, Any], Any]
    scalar: Callable[[Any, Any], Any] | None = None


def plain(probe: Probe) -> Any:
    return lambda *arguments: probe(*arguments)


def same(*arguments: Any) -> Any:
    return arguments[0]


def stop(state: Any) -> Any:
    return jax.tree.leaves(state)[0] > 10


def two(branch: Any) -> Any:
    return [branch, same]


WRAPPED = Way(plain, lambda api, f: api(f)(X), lambda api, f: api(f)(X, NUMBER))
AT_ONCE = Way(plain, lambda api, f: api(f, X), lambda api, f: api(f, X, NUMBER))
CARRIED = (X, NUMBER)

BY_SHAPE: dict[str, tuple[Way, ...]] = {
    "rest": (AT_ONCE,),
    "scan": (
        Way(
            lambda probe: lambda c, s: ((probe(*c), c[1]), s),
            lambda api, f: api(f, CARRIED, jnp.arange(3)),
            lambda api, f: api(f, CARRIED, jnp.arange(3)),
        ),
    ),
    "while": (
        Way(
            lambda probe: lambda c: probe(*c) > 10,
            lambda api, f: api(f, lambda c: c, (X + 9, NUMBER)),
            lambda api, f: api(f, lambda c: c, (X + 9, NUMBER)),
        ),
        Way(
            lambda probe: lambda c: (probe(*c), c[1]),
            lambda api, f: api(stop, f, CARRIED),
            lambda api, f: api(stop, f, CARRIED),
        ),
    ),
    "fori": (
        Way(
            lambda probe: lambda i, c: (probe(*c), c[1]),
            lambda api, f: api(0, 2, f, CARRIED),
            lambda api, f: api(0, 2, f, CARRIED),
        ),
    ),
    "cond": (
        Way(
            plain,
            lambda api, f: api(True, f, same, X),
            lambda api, f: api(True, f, same, X, NUMBER),
        ),
        Way(
            plain,
            lambda api, f: api(True, same, f, X),
            lambda api, f: api(True, same, f, X, NUMBER),
        ),
    ),
    "switch": (
        Way(
            plain,
            lambda api, f: api(0, two(f), X),
            lambda api, f: api(0, two(f), X, NUMBER),
        ),
    ),
    "map": (Way(plain, lambda api, f: api(f, ONE)),),
    "each": (Way(plain, lambda api, f: api(f, ONE)),),
    "pair": (Way(plain, lambda api, f: api(f, jnp.ones(2))),),
    "nested": (
        Way(
            plain,
            lambda api, f: api(f, (X,), (X,)),
            lambda api, f: api(f, (X, NUMBER), (X, NUMBER)),
        ),
    ),
}


def batched(api: Any, f: Any) -> Any:
    return api(f)(ONE)


def batched_with_number(api: Any, f: Any) -> Any:
    return api(f, in_axes=(0, None))(ONE, NUMBER)


def with_rule(method: str) -> Callable[[Any, Any], Any]:
    """A `custom_jvp` and the like, called without its rule being used."""

    def call(api: Any, f: Any) -> Any:
        made = api(f)
        rules = [lambda *_: None] * len(inspect.signature(getattr(made, method)).parameters)
        getattr(made, method)(*rules[: 2 if method == "defvjp" else 1])
        return made(X, NUMBER)

    return call


def sharded(api: Any, f: Any) -> Any:
    kind = jax.sharding.AxisType.Auto
    mesh = jax.make_mesh((1,), ("i",), axis_types=(kind,))
    spec = jax.sharding.PartitionSpec
    return api(f, mesh=mesh, in_specs=(spec("i"), spec()), out_specs=spec("i"))(ONE, NUMBER)


BATCHED = Way(plain, batched, batched_with_number)
SHARDED = Way(plain, sharded, sharded)
REDUCED = np.float32(0)

# Where neither the kind nor the shape tells how a callable wants to be called.
BY_PATH: dict[str, tuple[Way, ...]] = {
    "jax.vmap": (BATCHED,),
    "jax.pmap": (BATCHED,),
    "equinox.filter_vmap": (BATCHED,),
    "equinox.filter_pmap": (BATCHED,),
    "jax.shard_map": (SHARDED,),
    "jax.experimental.shard_map.shard_map": (SHARDED,),
    "jax.custom_jvp": (Way(plain, with_rule("defjvp"), with_rule("defjvp")),),
    "jax.custom_vjp": (Way(plain, with_rule("defvjp"), with_rule("defvjp")),),
    "equinox.filter_custom_jvp": (Way(plain, with_rule("def_jvp"), with_rule("def_jvp")),),
    "jax.numpy.piecewise": (Way(plain, lambda api, f: api(ONE, [ONE > 0], [f])),),
    "jax.numpy.apply_along_axis": (Way(plain, lambda api, f: api(f, 0, ONE)),),
    "jax.numpy.fromfunction": (Way(plain, lambda api, f: api(f, (2,))),),
    "jax.lax.reduce": (Way(plain, lambda api, f: api(jnp.ones(3), REDUCED, f, (0,))),),
    "jax.lax.reduce_window": (
        Way(plain, lambda api, f: api(jnp.ones(3), REDUCED, f, (2,), (1,), "VALID")),
    ),
    "jax.experimental.ode.odeint": (
        Way(
            plain,
            lambda api, f: api(f, X, jnp.arange(2.0)),
            lambda api, f: api(lambda y, t, n: f(y, n), X, jnp.arange(2.0), NUMBER),
        ),
    ),
    "jax.lax.custom_root": (
        Way(plain, lambda api, f: api(f, X, lambda g, i: i - g(i) / 2, lambda g, y: y)),
    ),
    "jax.lax.custom_linear_solve": (
        Way(plain, lambda api, f: api(f, X, lambda m, b: b / m(b), symmetric=True)),
    ),
    "jax.linear_transpose": (
        Way(plain, lambda api, f: api(f, X)(X), lambda api, f: api(f, X, NUMBER)),
    ),
    "equinox.filter_jvp": (
        Way(
            plain,
            lambda api, f: api(f, (X,), (X,)),
            lambda api, f: api(f, (X, NUMBER), (X, None)),
        ),
    ),
    "equinox.filter_closure_convert": (Way(plain, lambda api, f: api(f, X)(X)),),
}


def ways(row: Row) -> Iterator[tuple[Callable[[Probe], Any], Callable[[Any, Any], Any], Any]]:
    general = (WRAPPED,)
    if row.kind in ("caching-call", "call"):
        general = BY_SHAPE.get(row.shape, general)
    for way in BY_PATH.get(row.path, general):
        yield way.body, way.call, way.scalar


# -- the rows --------------------------------------------------------------------------------


def keeps(call: Callable[[], Any], probe: Probe) -> bool:
    """Whether a call gives the old version of the probe when a new one is there."""
    probe.version = 1
    assert probe.ran_in(call), "the function is not called"
    probe.version = 2
    kept = not probe.ran_in(call)
    jax.clear_caches()
    assert not kept or probe.ran_in(call), "clearing the caches does not help"
    return kept


@pytest.mark.parametrize("path", PATHS)
def test_a_new_call_of_the_same_function_is_as_the_row_says(path: str) -> None:
    row, api = ROWS[path], named(path)
    for body, call, _ in ways(row):
        probe = Probe()
        function = body(probe)
        assert keeps(lambda call=call, f=function: call(api, f), probe) == (row.kind in STALE)


# Without jit the loop and the branches of the table are those of Python: it would go on for ever,
# and they are not all run.
OF_PYTHON = ("while", "cond", "switch", "map")


@pytest.mark.parametrize(
    "path", [p for p in PATHS if ROWS[p].kind in STALE and ROWS[p].shape not in OF_PYTHON]
)
def test_what_is_kept_without_jit_is_as_the_row_says(path: str) -> None:
    row, api = ROWS[path], named(path)
    for body, call, _ in ways(row):
        probe = Probe()
        function = body(probe)
        with jax.disable_jit():
            kept = keeps(lambda call=call, f=function: call(api, f), probe)
        assert kept == row.keeps_without_jit


def is_plainly_wrapping(row: Row) -> bool:
    return "wrapper" in row.kind and BY_PATH.get(row.path, (BATCHED,)) == (BATCHED,)


@pytest.mark.parametrize("path", [p for p in PATHS if is_plainly_wrapping(ROWS[p])])
def test_a_wrapper_that_is_kept_is_as_the_row_says(path: str) -> None:
    row, probe = ROWS[path], Probe()
    made = named(path)(plain(probe))
    argument = ONE if path in BY_PATH else X
    assert keeps(lambda: made(argument), probe) == (row.kind in STALE)


@pytest.mark.parametrize("path", [p for p in PATHS if ROWS[p].kind in STALE])
def test_traces_are_in_the_cache_that_the_row_says(path: str) -> None:
    row = ROWS[path]
    for body, call, _ in ways(row):
        probe = Probe()
        function = body(probe)
        call(named(path), function)
        given = probe.seen[0]
        probe.version = 2
        probe.seen.clear()
        again = [jnp.ones(jnp.shape(one), jnp.result_type(one)) for one in given]
        if row.kind not in ("jit", "maker") and row.shape != "rest":
            assert row.space == path, "its functions take what no other call gives them"
            continue
        assert probe.ran_in(lambda f=function, a=again: jax.jit(f)(*a)) == (row.space != "jit")


MAPPING = [p for p in PATHS if "wrapper" in ROWS[p].kind or ROWS[p].kind == "jit"]


@pytest.mark.parametrize("path", [p for p in MAPPING if ROWS[p].axes != "unknown"])
def test_the_axes_inside_are_those_that_the_row_says(path: str) -> None:
    row, shapes = ROWS[path], set()

    def look(argument: Any) -> Any:
        shapes.add(jnp.shape(argument))
        return jnp.sum(argument)

    given, called = jnp.ones((1, 2)), named(path)(look)
    if hasattr(called, "defjvp"):
        called.defjvp(lambda primals, tangents: (look(*primals), look(*tangents)))
    elif hasattr(called, "defvjp"):
        called.defvjp(lambda primal: (look(primal), None), lambda left, g: (g,))
    called(given)
    inside = {"all": (1, 2), "without the first": (2,), "none": ()}
    assert shapes == {inside[row.axes]}


# Those of `BY_PATH` bring rules of their own, or more axes than these functions take.
PLAIN = [p for p in PATHS if ROWS[p].kind in ("wrapper", "call") and p not in BY_PATH]


@pytest.mark.parametrize("path", PLAIN)
def test_rules_run_where_the_row_says_that_it_differentiates(path: str) -> None:
    ran: list[bool] = []

    @jax.custom_jvp
    def twice(argument: Any) -> Any:
        return argument * 2

    @twice.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        ran.append(True)
        return twice(*primals), tangents[0] * 2

    for _, call, _ in ways(ROWS[path]):
        call(named(path), lambda *arguments: twice(arguments[0]))
    assert bool(ran) == ROWS[path].differentiates


@pytest.mark.parametrize("path", [p for p in PATHS if ROWS[p].returns_as_given])
def test_what_a_function_returns_is_returned(path: str) -> None:
    given = (X, {"inner": ONE})
    for _, call, _ in ways(ROWS[path]):
        assert call(named(path), lambda *arguments: given) == given


def takes_any_function(row: Row) -> bool:
    return row.kind in STALE and (row.kind != "caching-call" or row.shape in ("rest", "field"))


@pytest.mark.parametrize("path", [p for p in PATHS if takes_any_function(ROWS[p])])
def test_bound_methods_are_one_function_where_values_are_compared(path: str) -> None:
    probe = Probe()

    class Owner:
        def method(self, *arguments: Any) -> Any:
            return probe(*arguments)

    owner, api = Owner(), named(path)
    for _, call, _ in ways(ROWS[path]):
        shared = keeps(lambda call=call: call(api, owner.method), probe)
        assert shared == ROWS[path].by_value


@pytest.mark.parametrize("path", PATHS)
def test_what_a_python_number_becomes(path: str) -> None:
    row, api = ROWS[path], named(path)
    for body, _, scalar in ways(row):
        if scalar is None:
            assert row.scalars_traced, "only arrays reach the function"
            continue
        probe = Probe()
        scalar(api, body(probe))
        inside = {isinstance(number, jax.Array) for _, number in probe.seen}
        assert inside == {row.scalars_traced}


DIFFERENTIATING = ("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian")


@pytest.mark.parametrize("path", [f"jax.{name}" for name in DIFFERENTIATING])
def test_a_number_that_is_differentiated_is_traced(path: str) -> None:
    row, probe = ROWS[path], Probe()
    named(path)(plain(probe))(NUMBER)
    assert all(isinstance(number, jax.Array) for (number,) in probe.seen)
    assert row.scalars_traced or row.first_traced


@pytest.mark.parametrize("path", PATHS)
def test_the_functions_stand_where_the_row_says(path: str) -> None:
    row = ROWS[path]
    names = list(inspect.signature(named(path)).parameters)
    found = [names[position] for position in row.functions]
    if len(found) == 1:
        assert found[0] in row.keywords
    else:
        assert found == list(row.keywords)


@pytest.mark.parametrize("path", CALLBACKS)
def test_callbacks_run_outside_of_the_trace(path: str) -> None:
    probe, api = Probe(), named(path)

    def callback(argument: Any) -> Any:
        return np.float32(probe(np.asarray(argument)))

    def run(argument: Any) -> Any:
        if path == "jax.debug.callback":
            return api(callback, argument), argument
        if path.startswith("equinox"):
            return api(callback, argument, result_shape_dtypes=argument)
        return api(callback, argument, argument)

    jitted = jax.jit(run)

    def call() -> None:
        jax.block_until_ready(jitted(X))
        jax.effects_barrier()

    assert not keeps(call, probe)
    assert not any(isinstance(a, jax.core.Tracer) for seen in probe.seen for a in seen)


@pytest.mark.parametrize("path", sorted(SAME))
def test_other_names_are_the_same_thing(path: str) -> None:
    try:
        other = named(path)
    except (ImportError, AttributeError):
        pytest.skip("not in this version")
    assert other is named(SAME[path])


SETTINGS: dict[str, Callable[[], Any]] = {
    "jax.default_device": lambda: jax.devices("cpu")[0],
    "jax.default_matmul_precision": lambda: "float32",
    "jax.enable_x64": lambda: True,
    "jax.experimental.disable_x64": lambda: None,
    "jax.experimental.enable_x64": lambda: None,
    "jax.numpy_dtype_promotion": lambda: "strict",
    "jax.numpy_rank_promotion": lambda: "raise",
    "jax.set_mesh": lambda: jax.sharding.Mesh(np.array(jax.devices("cpu")[:1]), ("x",)),
    "jax.sharding.use_mesh": lambda: jax.sharding.Mesh(np.array(jax.devices("cpu")[:1]), ("x",)),
    "jax.threefry_partitionable": lambda: not jax.config.jax_threefry_partitionable,
}


@pytest.mark.parametrize("path", sorted(CONTEXTS_IN_KEY - {"jax.sharding.Mesh"}))
def test_a_setting_is_part_of_the_key(path: str) -> None:
    try:
        setting = named(path)
    except (ImportError, AttributeError):
        pytest.skip("not in this version")
    if path == "jax.experimental.disable_x64":
        pytest.skip("it is off already")
    value = SETTINGS[path]()
    probe = Probe()
    jitted = jax.jit(plain(probe))

    def inside() -> None:
        with setting() if value is None else setting(value):
            jitted(X)

    assert probe.ran_in(inside)
    assert probe.ran_in(lambda: jitted(X))
    assert not probe.ran_in(inside)


def test_a_mesh_is_part_of_the_key() -> None:
    probe = Probe()
    jitted = jax.jit(plain(probe))
    jitted(X)

    def inside() -> None:
        with jax.sharding.Mesh(np.array(jax.devices("cpu")[:1]), ("x",)):
            jitted(X)

    assert probe.ran_in(inside)
