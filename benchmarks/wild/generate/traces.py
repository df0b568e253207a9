"""Categories about what JAX makes of functions: transforms, control flow, static arguments."""

from __future__ import annotations

from benchmarks.wild.generate import kinds
from benchmarks.wild.generate.base import HEADER, LEAF, Files, Gen, dispatching, inside, joined
from benchmarks.wild.generate.callers import call_statement
from benchmarks.wild.generate.registering import clear_all, registration
from benchmarks.wild.generate.statements import basic
from benchmarks.wild.generate.story import caught

# `force` maps anything to an array, `loss` maps it to a number; what a transform can be called
# with: a value of any kind, an array, a pair of arrays or a tree.
TRANSFORMS: dict[str, tuple[str, str]] = {
    "switch": ("any", "def {t}_a(v):\n    return force(v) * 1.0\n\n\ndef {t}_b(v):\n"
               "    return leaf(v) * 2.0\n\n\ndef {t}(v):\n    return jax.lax.switch(0, [{t}_a, {t}_b], v)"),
    "cond": ("any", "def {t}_a(v):\n    return force(v) * 1.0\n\n\ndef {t}_b(v):\n"
             "    return leaf(v) * 2.0\n\n\ndef {t}(v):\n    return jax.lax.cond(True, {t}_a, {t}_b, v)"),
    "jitted cond": ("any", "@jax.jit\ndef {t}(v):\n    return jax.lax.cond(True, lambda u: force(u) * 1.0, "
                    "lambda u: leaf(u) * 2.0, v)"),
    "tree": ("tree", "@jax.jit\ndef {t}(tree):\n    return jax.tree.map(force, tree)"),
    "eager tree": ("tree", "{t}_leaf = jax.jit(force)\n\n\ndef {t}(tree):\n"
                   "    return jax.tree.map({t}_leaf, tree)"),
    "grad": ("float", "{t} = jax.jit(jax.grad(lambda v: loss(v)))"),
    "grad itself": ("float", "{t} = jax.jit(jax.grad(loss))"),
    "value and grad": ("float", "{t} = jax.jit(jax.value_and_grad(loss))"),
    "hessian": ("float", "{t} = jax.jit(jax.hessian(loss))"),
    "jacfwd": ("float", "{t} = jax.jit(jax.jacfwd(lambda v: force(v)))"),
    "eager grad": ("float", "def {t}_fn(v):\n    return loss(v)\n\n\n{t} = jax.grad({t}_fn)"),
    "grad of jitted": ("float", "@jax.jit\ndef {t}_fn(v):\n    return loss(v)\n\n\n{t} = jax.grad({t}_fn)"),
    "vmap": ("float", "{t} = jax.jit(jax.vmap(force))"),
    "vmap of lambda": ("float", "{t} = jax.jit(jax.vmap(lambda v: force(v)))"),
    "eager vmap": ("float", "{t} = jax.vmap(lambda v: force(v))"),
    "vmap of jitted": ("float", "@jax.jit\ndef {t}_fn(v):\n    return force(v)\n\n\n{t} = jax.vmap({t}_fn)"),
    "vmap over kind": ("any", "@jax.jit\ndef {t}(v):\n    return jax.vmap(lambda u: force(u))(v)"),
    "scan": ("any", "def {t}_body(carry, _):\n    return carry, force(carry)\n\n\ndef {t}(v):\n"
             "    return jax.lax.scan({t}_body, v, None, length=2)[1]"),
    "jitted scan": ("any", "@jax.jit\ndef {t}(v):\n    def body(carry, _):\n        return carry, force(carry)\n"
                    "    return jax.lax.scan(body, v, None, length=2)[1]"),
    "fori": ("float", "def {t}_body(i, v):\n    return force(v) * 1.0\n\n\ndef {t}(v):\n"
             "    return jax.lax.fori_loop(0, 2, {t}_body, v * 1.0)"),
    "while": ("float", "def {t}_go(state):\n    return state[0] < 2\n\n\ndef {t}_body(state):\n"
              "    return state[0] + 1, force(state[1]) * 1.0\n\n\ndef {t}(v):\n"
              "    return jax.lax.while_loop({t}_go, {t}_body, (0, v * 1.0))"),
    "checkpoint": ("any", "@jax.checkpoint\ndef {t}(v):\n    return force(v)"),
    "checkpoint itself": ("any", "{t} = jax.checkpoint(force)"),
    "jitted checkpoint": ("any", "{t} = jax.jit(jax.checkpoint(lambda v: force(v)))"),
    "eval_shape": ("any", "@jax.jit\ndef {t}_fn(v):\n    return force(v)\n\n\ndef {t}(v):\n"
                   "    return jax.eval_shape({t}_fn, v)"),
    "map": ("float", "def {t}_fn(v):\n    return force(v)\n\n\ndef {t}(v):\n    return jax.lax.map({t}_fn, v)"),
    "jvp": ("float", "@jax.jit\ndef {t}(v):\n    return jax.jvp(lambda u: force(u), (v,), (v,))[1]"),
    "vjp": ("float", "@jax.jit\ndef {t}(v):\n    return jax.vjp(lambda u: force(u), v)[0]"),
    "custom_jvp": ("float", "@jax.custom_jvp\ndef {t}_fn(v):\n    return force(v)\n\n\n@{t}_fn.defjvp\n"
                   "def {t}_rule(primals, tangents):\n    return force(primals[0]), tangents[0]\n\n\n"
                   "{t} = jax.jit({t}_fn)"),
    "make_jaxpr": ("any", "def {t}_fn(v):\n    return force(v)\n\n\n{t} = jax.make_jaxpr({t}_fn)"),
    "filter_grad": ("float", "{t} = eqx.filter_jit(eqx.filter_grad(loss))"),
    "filter_vmap": ("float", "{t} = eqx.filter_jit(eqx.filter_vmap(lambda v: force(v)))"),
    "named_call": ("any", "{t} = jax.jit(jax.named_call(force, name='n'))"),
    "both": ("any", "@jax.jit\ndef {t}(v):\n    return force(v) + loss(v)"),
    "reduce": ("any", "@jax.jit\ndef {t}(v):\n    return functools.reduce(lambda a, b: a + force(b), [v, v], 0.0)"),
    "new lambda": ("any", "def {t}(v):\n    return jax.jit(lambda u: force(u))(v)"),
    "new jit": ("any", "def {t}_fn(v):\n    return force(v)\n\n\ndef {t}(v):\n    return jax.jit({t}_fn)(v)"),
    "unrolled": ("any", "@jax.jit\ndef {t}(v):\n    out = 0.0\n    for _ in range(2):\n"
                 "        out = out + force(v)\n    return out"),
}  # fmt: skip


def transforms(gen: Gen) -> Files:
    known = kinds.kinds(gen, 2, 2)
    origin = dispatching(gen)
    d = origin.name

    def method(function: str, asked: str) -> str:
        inner = "leaf(v)" if function == "force" else "jnp.sum(leaf(v))"
        return f"@{d}\ndef {function}(v: {asked}):\n    return {inner} * {gen.number()}"

    blocks = [*known.source, LEAF]
    for function in ("force", "loss"):
        for asked in ["jax.Array", "object", *gen.some(known.names, 0, 1)]:
            blocks.append(method(function, asked))
    runs: list[tuple[str, str]] = []
    for form in gen.some(list(TRANSFORMS), 3, 4):
        takes, text = TRANSFORMS[form]
        name = gen.name("t")
        blocks.append(text.format(t=name))
        runs.append((name, takes))

    def call() -> str:
        name, takes = gen.pick(runs)
        floats = ("jnp.ones(2)", "jnp.ones(2)", "jnp.ones(3)", "jnp.linspace(0.0, 1.0, 2)")
        value = gen.pick(floats)
        if takes == "any":
            value = gen.pick([value, *[f"{n}({value})" for n in known.names]])
        elif takes == "tree":
            value = gen.pick(["[{v}, {v}]", "({v},)", "{{'a': {v}}}", "{v}", "[{v}, 1.0]"]).format(
                v=value
            )
        return call_statement(gen, name, value)

    def register() -> str:
        function = gen.pick(["force", "force", "loss"])
        asked = gen.pick(["jax.Array", "jax.Array", "object", *known.names, *known.names])
        if function == "loss":
            return basic(gen, method("loss", asked))
        return registration(gen, d, function, asked)

    blocks.append(call())
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        blocks.append(call() if draw < 0.5 else register() if draw < 0.92 else clear_all(gen))
    return {"main.py": joined([HEADER + origin.lines, *blocks])}


STATIC_FORMS = (
    "@partial(jax.jit, static_argnums={n})\ndef {r}({first}, {second}):\n    return {body}",
    "@partial(jax.jit, static_argnames='{s}')\ndef {r}({first}, {second}):\n    return {body}",
    "@functools.partial(jax.jit, static_argnames=('{s}',))\ndef {r}({first}, {second}):\n    return {body}",
    "def _{r}({first}, {second}):\n    return {body}\n\n\n{r} = jax.jit(_{r}, static_argnums=({n},))",
    "@eqx.filter_jit\ndef {r}({first}, {second}):\n    return {body}",
)


def static_args(gen: Gen) -> Files:
    """Static arguments: numbers and words by value, objects by identity or by `__eq__`."""
    known = kinds.kinds(gen, 2, 2)
    origin = dispatching(gen)
    d = origin.name
    by_value = gen.chance(0.5)
    marks = ["Circle_", "Square_", "Ring_"]
    mark = (
        "@dataclasses.dataclass(frozen=True)\nclass {n}:\n    size: int = 1"
        if by_value
        else "class {n}:\n    def __init__(self, size=1):\n        self.size = size"
    )
    blocks = [*known.source, LEAF, *[mark.format(n=n) for n in marks]]
    types = [*marks, "int", "str", "float", "object", "bool", "tuple", "type", "Literal['a']",
             "Union[int, str]", "type[Circle_]", "Circle_ | None"]  # fmt: skip
    blocks += [
        f"@{d}\ndef pick(m: {m}, v: {v}):\n    return leaf(v) * {gen.number()}"
        for m, v in [
            ("object", "object"),
            (gen.pick(types), "object"),
            (gen.pick(types), "jax.Array"),
        ]
    ]
    for name in ("one", "two"):
        blocks.append(f"{name} = {gen.pick(marks)}()")
    runs = []
    for index in range(2):
        static_first = gen.chance(0.7)
        first, second, number = ("m", "v", 0) if static_first else ("v", "m", 1)
        text = gen.pick(STATIC_FORMS).format(
            r=f"run{index}", n=number, s="m", first=first, second=second, body="pick(m, v)"
        )
        blocks.append(text)
        runs.append((f"run{index}", static_first))
    blocks.append("run2 = jax.jit(pick, static_argnums=0)")
    runs.append(("run2", True))
    values = ["1", "2", "'a'", "'b'", "1.5", "True", "None", "one", "two", "one", "two",
              "Circle_", "Square_", "(1, 2)", "Circle_()", "Circle_(2)"]  # fmt: skip
    held = gen.some(values, 3, 5)

    def call() -> str:
        run, static_first = gen.pick(runs)
        static, value = gen.pick(held), kinds.argument(gen, known)
        arguments = f"{static}, {value}" if static_first else f"{value}, {static}"
        return call_statement(gen, run, arguments, rich=False)

    def register() -> str:
        m, v, number = (
            gen.pick(types),
            gen.pick(["object", "jax.Array", *known.names]),
            gen.number(),
        )
        text = gen.pick(
            [
                f"@{d}\ndef pick(m: {m}, v: {v}):\n    return leaf(v) * {number}",
                f"@pick.dispatch\ndef _(m: {m}, v: {v}):\n    return leaf(v) * {number}",
                f"@{d}\ndef pick(m: {m}, v: object):\n    return leaf(v) * {number}",
            ]
        )
        if gen.chance(0.2):
            name = gen.name("install")
            text = f"def {name}():\n{inside(text)}\n\n\n{name}()"
        return basic(gen, text)

    blocks.append(call())
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        blocks.append(call() if draw < 0.5 else register() if draw < 0.94 else clear_all(gen))
    return {"main.py": joined([HEADER + origin.lines, *blocks])}


def hints(gen: Gen) -> Files:
    """Annotations of many kinds: jaxtyping, Annotated, Literal, unions, tuples, numbers."""
    known = kinds.kinds(gen, 2, 2)
    origin = dispatching(gen)
    d = origin.name
    one, two = known.names
    asked = [
        "Float[jax.Array, '...']", "Int[jax.Array, '...']", "Float[jax.Array, '2']",
        "Float[jax.Array, 'n n']", "Annotated[jax.Array, 'm']", f"Annotated[{one}, 'm']",
        f"Optional[{one}]", f"Union[{one}, {two}]", f"{one} | jax.Array", "jax.Array", "object",
        one, two, "Any", "tuple[jax.Array, ...]", "list", "dict", "float", "int", "Number", "Pair",
        "ArrayLike", "jnp.ndarray", "Callable", "Base",
    ]  # fmt: skip
    values = ["jnp.ones(2)", "jnp.ones(3)", "jnp.arange(2)", "jnp.zeros((2, 2))", "2.0", "3",
              f"{one}(jnp.ones(2))", f"{two}(jnp.ones(2))", f"{one}(jnp.arange(2))",
              "(jnp.ones(2), jnp.ones(2))", "[jnp.ones(2)]", "{'a': jnp.ones(2)}"]  # fmt: skip
    blocks = [
        *known.source,
        f"Number = Union[int, float]\nPair = Union[{one}, {two}]\nBase = {one}",
        LEAF,
        f"@{d}\ndef rule(v: object):\n    return leaf(v) * {gen.number()}",
        f"@{d}\ndef rule(v: jax.Array):\n    return leaf(v) * {gen.number()}",
    ]
    blocks += [
        f"@{d}\ndef rule(v: {gen.pick(asked)}):\n    return leaf(v) * {gen.number()}"
        for _ in range(gen.rng.randint(0, 2))
    ]
    from benchmarks.wild.generate.callers import caller

    made = [caller(gen, f"run{i}", "rule") for i in range(2)]
    blocks += [c.source for c in made]
    held = gen.some(values, 4, 5)

    def call() -> str:
        return caught(f"{gen.pick(made).name}({gen.pick(held)})")

    blocks.append(call())
    for _ in range(gen.rng.randint(7, 10)):
        draw = gen.rng.random()
        if draw < 0.5:
            blocks.append(call())
        elif draw < 0.95:
            blocks.append(registration(gen, d, "rule", gen.pick(asked), 0.2))
        else:
            blocks.append(clear_all(gen))
    extra = (
        "\nfrom collections.abc import Callable\nfrom typing import Annotated\n\n"
        "from jax.typing import ArrayLike\nfrom jaxtyping import Float, Int"
    )
    return {"main.py": joined([HEADER + origin.lines + extra, *blocks])}
