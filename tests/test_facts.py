"""The facts of `docs/facts.md` that no other test shows, and that every proof the page names is
there; the same for the modules and functions that `docs/architecture.md` names."""

from __future__ import annotations

import ast
import dataclasses
import functools
import io
import logging
import re
import sys
import tomllib
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import pytest

jax = pytest.importorskip("jax")
plum = pytest.importorskip("plum")

import jax.numpy as jnp  # noqa: E402
from plum import Dispatcher, Function, NotFoundLookupError  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FACTS = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

x = jnp.ones(())
v = jnp.ones(3)


# --- the pages -------------------------------------------------------------------------------


def defined_in(path: Path) -> set[str]:
    """The names that a file binds at its top: functions, classes and assignments."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(one.id for one in targets if isinstance(one, ast.Name))
    return names


def missing(named: list[str], root: Path) -> list[str]:
    """Those of `path` and `path::name` that are not there."""
    found = []
    for one in named:
        path, _, name = one.partition("::")
        if not (root / path).exists() or (name and name not in defined_in(root / path)):
            found.append(one)
    return found


def anchors(page: str) -> list[str]:
    """What leads to the headings of a page."""
    headings = re.findall(r"^##+ (.+)$", page, flags=re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", one).lower().replace(" ", "-") for one in headings]


def sections(page: str) -> Iterator[tuple[str, str]]:
    """The facts of a page, each with its heading."""
    for section in re.split(r"^(?=##+ )", page, flags=re.MULTILINE):
        if section.startswith("### "):
            heading, _, text = section.partition("\n")
            yield heading.removeprefix("### "), text


def test_every_fact_names_its_proof() -> None:
    facts = dict(sections(FACTS))
    assert facts
    assert [heading for heading, text in facts.items() if "\nProof: `tests/" not in text] == []


def test_every_proof_is_there() -> None:
    named = re.findall(r"`(tests/[^`\s]+)`", FACTS)
    assert named
    assert missing(named, ROOT) == []


def test_every_module_and_function_of_the_architecture_is_there() -> None:
    named = re.findall(r"`([\w/]+(?:\.py(?:::\w+)?|/))`", ARCHITECTURE)
    inside = [one for one in named if not one.startswith(("tests/", "docs/"))]
    assert inside
    assert missing(inside, ROOT / "plum_jit_lint") == []
    assert missing([one for one in named if one not in inside], ROOT) == []


PACKAGE = ROOT / "plum_jit_lint"


def test_the_floors_are_those_that_imports_are_held_to() -> None:
    (listed,) = re.findall(r"^```text\n(.*?)^```", ARCHITECTURE, flags=re.MULTILINE | re.DOTALL)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    house, inside, _ = settings["tool"]["importlinter"]["contracts"]
    wanted = [*house["layers"]]
    at = wanted.index("static")
    wanted[at : at + 1] = [f"static/{one}" for one in inside["layers"]]
    shown = [set(line.replace("static/", "").split()) for line in listed.splitlines()]
    assert shown == [set(re.split(r" : ", line.replace("static/", ""))) for line in wanted]


def test_each_fact_has_an_anchor_of_its_own() -> None:
    known = anchors(FACTS)
    assert len(known) == len(set(known))


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md", "docs/facts.md"])
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^):]+)\)", page.read_text(encoding="utf-8"))
    assert links
    for link in links:
        path, _, anchor = link.partition("#")
        there = page.parent / path
        assert there.exists(), link
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), link


def test_facts_that_the_code_cites_are_there() -> None:
    known = {*anchors(FACTS), ""}
    cited = [
        (path.name, anchor)
        for path in PACKAGE.rglob("*.py")
        for anchor in re.findall(r"docs/facts\.md#?([\w-]*)", path.read_text(encoding="utf-8"))
    ]
    assert [one for one in cited if one[1] not in known] == []


# --- what JAX keeps --------------------------------------------------------------------------


def world() -> tuple[Any, Callable[[], None]]:
    """A dispatched function that doubles, and what registers a method that triples."""
    dispatch = Dispatcher()

    @dispatch
    def h(a: jax.Array) -> Any:
        return a * 2

    def register() -> None:
        @dispatch  # noqa: PJ004 -- what JAX then keeps is what these tests are about
        def h(a: jax.Array) -> Any:
            return a * 3

    return h, register


def before_after_cleared(ask: Callable[[], Any], register: Callable[[], None]) -> list[float]:
    """What is computed before the registration, after it, and when all is cleared."""
    found = [float(ask())]
    register()
    found.append(float(ask()))
    jax.clear_caches()
    return [*found, float(ask())]


def with_rule(h: Any) -> Any:
    """A function whose derivative is what `h` makes of the tangent."""

    @jax.custom_jvp
    def same(a: Any) -> Any:
        return a * 1.0

    @same.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        return same(*primals), h(tangents[0])

    return same


def derivative(f: Any) -> Any:
    return jax.jvp(f, (x,), (x,))[1]


def scanned(same: Any) -> Any:
    def body(carry: Any, step: Any) -> Any:
        return same(carry), step

    return lambda a: jax.lax.scan(body, a, jnp.arange(1.0))[0]


def chosen(same: Any) -> Any:
    def branch(a: Any) -> Any:
        return same(a)

    return lambda a: jax.lax.cond(True, branch, branch, a)


KEEP_THEIR_DERIVATIVE = {
    "jit": lambda same: jax.jit(lambda a: same(a)),
    "checkpoint": lambda same: jax.checkpoint(lambda a: same(a)),
    "scan": scanned,
    "cond": chosen,
}


@pytest.mark.parametrize("name", KEEP_THEIR_DERIVATIVE)
def test_a_derivative_is_kept_with_what_its_rule_chose(name: str) -> None:
    h, register = world()
    function = KEEP_THEIR_DERIVATIVE[name](with_rule(h))
    assert before_after_cleared(lambda: derivative(function), register) == [2, 2, 3]


def test_an_eager_derivative_asks_its_rule_again() -> None:
    h, register = world()
    same = with_rule(h)
    assert before_after_cleared(lambda: derivative(lambda a: same(a)), register) == [2, 3, 3]


def test_a_backward_pass_is_kept_with_what_its_rule_chose() -> None:
    h, register = world()

    @jax.custom_vjp
    def same(a: Any) -> Any:
        return a * 1.0

    same.defvjp(lambda a: (same(a), None), lambda _, g: (h(g),))
    loss = jax.jit(lambda a: same(a))
    assert before_after_cleared(lambda: jax.grad(loss)(x), register) == [2, 2, 3]


@pytest.mark.parametrize("jitted", [True, False])
def test_a_batched_program_is_kept_with_what_its_rule_chose(jitted: bool) -> None:
    from jax.custom_batching import custom_vmap

    h, register = world()

    @custom_vmap
    def same(a: Any) -> Any:
        return a * 1.0

    @same.def_vmap
    def rule(size: int, batched: Any, a: Any) -> Any:
        return h(a), True

    function = jax.jit(lambda a: same(a)) if jitted else same
    after = 2 if jitted else 3
    assert before_after_cleared(lambda: jax.vmap(function)(v)[0], register) == [2, after, 3]


def test_clearing_inside_a_running_trace_clears() -> None:
    h, register = world()
    run = jax.jit(lambda a: h(a))
    run(x)
    register()

    @jax.jit
    def clears(a: Any) -> Any:
        jax.clear_caches()
        return a

    clears(x)
    assert run(x) == 3


def test_what_is_kept_while_jit_is_off_is_found_only_then() -> None:
    h, register = world()
    kept = jax.checkpoint(lambda a: h(a))
    with jax.disable_jit():
        kept(x)
    register()
    assert kept(x) == 3
    with jax.disable_jit():
        assert kept(x) == 2


def test_jax_says_nothing_of_a_stale_hit() -> None:
    h, register = world()
    run = jax.jit(lambda a: h(a))
    run(x)
    register()
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    logging.getLogger("jax").addHandler(handler)
    try:
        with jax.log_compiles(True), jax.explain_cache_misses(True):
            kept = run(x)
            assert said.getvalue() == ""
            run(v)  # another shape is a miss, of which it does tell
            assert said.getvalue() != ""
    finally:
        logging.getLogger("jax").removeHandler(handler)
    assert kept == 2


def test_a_user_context_asks_what_a_new_trace_would_give() -> None:
    h, register = world()
    run = jax.jit(lambda a: h(a))
    context = jax.make_user_context(0)
    run(x)
    register()
    with context(1):
        assert run(x) == 3
    assert run(x) == 2


def test_static_objects_are_keys_by_identity_and_not_by_what_they_hold() -> None:
    class Mode:
        factor = 2

    traced = []

    @functools.partial(jax.jit, static_argnums=1)
    def run(a: Any, mode: Mode) -> Any:
        traced.append(mode)
        return a * mode.factor

    first, second = Mode(), Mode()
    run(x, first)
    run(x, second)
    assert traced == [first, second]
    first.factor = 5
    assert run(x, first) == 2
    assert traced == [first, second]


def test_registered_dataclasses_with_equal_fields_differ_in_their_hash_only() -> None:
    def made() -> Any:
        @functools.partial(jax.tree_util.register_dataclass, data_fields=["a"], meta_fields=[])
        @dataclasses.dataclass
        class Box:
            a: Any

        return Box

    one, other = (jax.tree.structure(made()(x)) for _ in range(2))
    assert one == other
    assert hash(one) != hash(other)


def test_what_is_asked_for_by_resolve_method_is_kept_too() -> None:
    h, register = world()

    @jax.jit
    def run(a: Any) -> Any:
        method, _ = h.resolve_method((a,))
        return method(a)

    assert before_after_cleared(lambda: run(x), register) == [2, 2, 3]


def test_a_rule_of_quax_is_kept() -> None:
    quax = pytest.importorskip("quax")

    class Meters(quax.ArrayValue):
        value: Any

        def aval(self) -> Any:
            return jax.core.ShapedArray(self.value.shape, self.value.dtype)

        def materialise(self) -> Any:
            return self.value

    def add(a: Meters, b: Meters) -> Meters:
        return Meters(a.value + b.value)

    def other(a: Meters, b: Meters) -> Meters:
        return Meters(a.value + b.value + 10)

    for rule in (add, other):
        rule.__annotations__ = {"a": Meters, "b": Meters, "return": Meters}
    quax.register(jax.lax.add_p)(add)
    run = jax.jit(lambda a, b: quax.quaxify(lambda c, d: c + d)(a, b))
    one = Meters(x)
    found = before_after_cleared(
        lambda: run(one, one).value, lambda: quax.register(jax.lax.add_p)(other)
    )
    assert found == [2, 2, 12]


# --- jit and plum ----------------------------------------------------------------------------


def test_a_tracer_is_an_array_by_value_and_not_by_type() -> None:
    seen = []

    @jax.jit
    def run(a: Any) -> Any:
        seen.append((isinstance(a, jax.Array), issubclass(type(a), jax.Array)))
        return a

    run(x)
    assert seen == [(True, False)]


def test_a_jitted_function_has_nothing_of_the_one_of_plum() -> None:
    h, _ = world()
    jitted = jax.jit(h)
    assert not any(hasattr(jitted, name) for name in ("dispatch", "methods", "invoke"))


def test_a_static_argument_by_keyword_is_not_dispatched_on() -> None:
    dispatch = Dispatcher()

    @dispatch
    def scale(a: Any, b: int) -> Any:
        return a * b

    jitted = jax.jit(scale, static_argnames=("b",))
    assert jitted(x, 3) == 3
    with pytest.raises(NotFoundLookupError):
        jitted(x, b=3)


class Length:
    def __init__(self, value: Any) -> None:
        self.value = value


def test_a_conversion_from_arrays_is_not_found_for_a_tracer() -> None:
    dispatch = Dispatcher()
    plum.add_conversion_method(jax.Array, Length, Length)

    @dispatch
    def length(a: jax.Array) -> Length:
        return a

    assert length(x).value == 1
    with pytest.raises(TypeError, match="Cannot convert"):
        jax.jit(lambda a: length(a).value)(x)


# --- plum ------------------------------------------------------------------------------------


def test_two_modules_extend_one_function() -> None:
    dispatch = Dispatcher()

    def registered(module: str, of: type) -> Any:
        names: dict[str, Any] = {"__name__": module, "dispatch": dispatch, "T": of}
        exec(f"@dispatch\ndef area(a: T):\n    return {module!r}", names)
        return names["area"]

    one, other = registered("shapes", int), registered("texts", str)
    assert one is other
    assert (one(3), one("a")) == ("shapes", "texts")


def one_and_two(**options: Any) -> tuple[Any, Callable[[], None]]:
    dispatch = Dispatcher(**options)

    @dispatch
    def number(a: int) -> int:
        return 1

    def register() -> None:
        @dispatch
        def number(a: int) -> int:
            return 2

    return number, register


def test_a_method_waits_for_the_next_call() -> None:
    number, register = one_and_two()
    assert (number(0), len(number._pending)) == (1, 0)
    register()
    assert len(number._pending) == 1
    assert (number(0), len(number._pending)) == (2, 0)


def test_a_redefinition_is_told_when_plum_is_asked_to() -> None:
    for asked in (False, True):
        number, register = one_and_two(warn_redefinition=asked)
        number(0)
        register()
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            number(0)
        assert bool(heard) is asked


def test_clear_cache_undoes_a_redefinition_that_waits() -> None:
    number, register = one_and_two()
    number(0)
    register()
    number.clear_cache()
    assert number(0) == 1


def test_a_handle_stays_with_its_method() -> None:
    number, register = one_and_two()
    handle = number.invoke(int)
    register()
    assert (handle(0), number.invoke(int)(0)) == (1, 2)


@pytest.mark.parametrize("early", [False, True])
def test_a_class_that_is_defined_again_is_lost_when_plum_resolves_early(early: bool) -> None:
    module = types.ModuleType(f"facts_{early}")
    names = vars(module)
    sys.modules[module.__name__] = module
    try:
        names["dispatch"] = Dispatcher()
        exec("class Box: ...\n@dispatch\ndef f(a: 'Box'):\n    return 1", names)
        if early:
            assert names["f"].methods
        exec("class Box: ...", names)
        if early:
            with pytest.raises(NotFoundLookupError):
                names["f"](names["Box"]())
        else:
            assert names["f"](names["Box"]()) == 1
    finally:
        del sys.modules[module.__name__]


def test_an_array_is_faithful_only_where_it_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(jax.Array, "__faithful__", raising=False)  # quax sets it
    assert plum.Signature(int).is_faithful
    assert not plum.Signature(jax.Array).is_faithful
    monkeypatch.setattr(jax.Array, "__faithful__", True, raising=False)
    assert plum.Signature(jax.Array).is_faithful


@runtime_checkable
class HasVolume(Protocol):
    volume: int


class Jar:
    volume = 1


def test_a_protocol_of_data_makes_the_next_call_raise() -> None:
    dispatch = Dispatcher()

    def of_a_jar(a: Jar) -> int:
        return 1

    def of_volumes(a: HasVolume) -> int:
        return 2

    of_a_jar.__annotations__["a"] = Jar
    of_volumes.__annotations__["a"] = HasVolume
    of_a_jar.__name__ = of_volumes.__name__ = "size"
    size = dispatch(of_a_jar)
    assert size(Jar()) == 1
    dispatch(of_volumes)
    with pytest.raises(TypeError, match="issubclass"):
        size(Jar())


@pytest.mark.skipif(
    sys.version_info >= (3, 12) or not plum.COMPILED, reason="Python 3.11, and plum compiled"
)
def test_a_compiled_class_does_not_heed_a_new_call_on_3_11() -> None:
    number, _ = one_and_two()
    original = Function.__call__
    seen = []

    def call(self: Any, *args: Any, **kw: Any) -> Any:
        seen.append(args)
        return original(self, *args, **kw)

    Function.__call__ = call
    try:
        assert Function.__call__ is call
        assert number(0) == 1
    finally:
        Function.__call__ = original
    assert seen == []
