"""Categories about what dispatched functions do to each other, and rarer parts of plum."""

from __future__ import annotations

from benchmarks.wild.generate import kinds
from benchmarks.wild.generate.base import (
    FUNCTIONS,
    HEADER,
    LEAF,
    Files,
    Gen,
    block,
    dispatching,
    inside,
    joined,
)
from benchmarks.wild.generate.callers import call_statement
from benchmarks.wild.generate.registering import (
    clear_all,
    clear_some,
    for_classes,
    installed,
    registration,
)
from benchmarks.wild.generate.statements import basic
from benchmarks.wild.generate.story import caught, methods_of

BARE = "class Opaque:\n    def __init__(self, x):\n        self.x = x"


def pairs(gen: Gen) -> Files:
    """Functions of two arguments, with defaults and keywords; objects that jit refuses."""
    known = kinds.kinds(gen, 2, 3)
    origin = dispatching(gen)
    d, function = origin.name, gen.pick(FUNCTIONS)
    asked = [
        *known.names,
        *known.names,
        "object",
        "jax.Array",
        "float",
        "None",
        f"{known.names[0]} | jax.Array",
    ]

    def method() -> str:
        a, b, number = gen.pick(asked), gen.pick(asked), gen.number()
        more = gen.pick(["", "", "", ", *, k=1.0", ", c: object = 2.0"])
        text = f"({{}}a: {a}, b: {b}{more}):\n    return leaf(a) * {number} + leaf(b)"
        return gen.pick(
            [
                f"@{d}\ndef {function}" + text.format(""),
                f"@{d}\ndef {function}" + text.format(""),
                f"@{function}.dispatch\ndef _" + text.format(""),
                f"@{d}(precedence={gen.pick([0, 1])})\ndef {function}" + text.format(""),
                f"@{d}.multi(({a}, {b}), ({b}, {a}))\ndef {function}(a, b):\n"
                f"    return leaf(a) * {number} + leaf(b)",
            ]
        )

    leaf = LEAF.replace("[0])", "[0]) if jax.tree_util.tree_leaves(v) else jnp.zeros(())")
    blocks = [*known.source, BARE, leaf]
    for a, b in [
        ("object", "object"),
        ("jax.Array", "jax.Array"),
        (gen.pick(known.names), "object"),
    ]:
        blocks.append(
            f"@{d}\ndef {function}(a: {a}, b: {b}):\n    return leaf(a) * {gen.number()} + leaf(b)"
        )
    forms = {
        "itself": f"{{r}} = jax.jit({function})",
        "def": f"@jax.jit\ndef {{r}}(a, b):\n    return {function}(a, b)",
        "swapped": f"@jax.jit\ndef {{r}}(a, b):\n    return {function}(b, a) + 1",
        "same": f"@jax.jit\ndef {{r}}(a, b=None):\n    return {function}(a, a)",
        "default": f"@jax.jit\ndef {{r}}(a, b=None):\n    return {function}(a, 1.0 if b is None else b)",
        "constant": f"ONE = jnp.ones(())\n\n\n@jax.jit\ndef {{r}}(a, b):\n    return {function}(a, ONE)",
        "star": f"{{r}} = jax.jit(lambda *pair: {function}(*pair))",
        "dict": f"@jax.jit\ndef {{r}}(a, b):\n    both = {{{{'a': a, 'b': b}}}}\n    return {function}(both['a'], both['b'])",
        "fold": f"@jax.jit\ndef {{r}}(a, b):\n    return functools.reduce({function}, [a, b])",
        "unpack": f"@jax.jit\ndef {{r}}(a, b):\n    (x, y), z = (a, b), 0\n    return {function}(x, y)",
    }
    runs = []
    for form in gen.some(list(forms), 2, 3):
        run = gen.name("run")
        blocks.append(forms[form].format(r=run))
        runs.append(run)
    values = [
        "jnp.ones(2)",
        "jnp.arange(2)",
        "1.5",
        "2",
        *[f"{n}(jnp.ones(2))" for n in known.names] * 2,
    ]

    def call() -> str:
        first, second = gen.pick(values), gen.pick(values)
        if gen.chance(0.06):
            first = "Opaque(1)"
        if gen.chance(0.06):
            second = "None"
        return caught(f"{gen.pick(runs)}({first}, {second})")

    blocks.append(call())
    for _ in range(gen.rng.randint(8, 11)):
        draw = gen.rng.random()
        if draw < 0.5:
            blocks.append(call())
        elif draw < 0.93:
            blocks.append(installed(gen, method()) if gen.chance(0.15) else basic(gen, method()))
        else:
            blocks.append(
                clear_all(gen) if gen.chance(0.6) else clear_some(gen, gen.some(runs, 1, 2))
            )
    return {"main.py": joined([HEADER + origin.lines, *blocks])}


def chains(gen: Gen) -> Files:
    """Methods that call other dispatched functions, themselves, jitted functions and helpers."""
    known = kinds.kinds(gen, 2, 3)
    origin = dispatching(gen)
    d = origin.name
    low, mid, top = (f"{stem}{i}" for i, stem in enumerate(gen.some(FUNCTIONS, 3, 3)))
    blocks = [*known.source, LEAF, *methods_of(gen, d, low, known)]
    blocks.append(f"@jax.jit\ndef kernel(v):\n    return {low}(v) * 1.0")

    def deeper(function: str, under: str) -> str:
        asked, number = kinds.annotation(gen, known), gen.number()
        body = gen.pick(
            [
                f"return {under}(v) * {number}",
                f"return leaf(v) * {number}",
                f"return {under}(leaf(v)) * {number}",
                f"return kernel(v) * {number}",
                f"return helper(v) * {number}",
                f"return sum({under}(u) for u in (v, v)) * {number}",
                f"if isinstance(v, {known.names[0]}):\n        return {under}(v) * {number}\n    return leaf(v) * {gen.number()}",
                f"return {under}({known.names[-1]}(leaf(v))) * {number}",
            ]
        )
        head = gen.pick(
            [f"@{d}\ndef {function}", f"@{d}\ndef {function}", f"@{function}.dispatch\ndef _"]
        )
        return f"{head}(v: {asked}):\n    {body}"

    blocks.append(f"def helper(v):\n    return {low}(v) * 2.0")
    for function, under in ((mid, low), (top, mid)):
        blocks += [
            f"@{d}\ndef {function}(v: object):\n    return {under}(v) * {gen.number()}",
            f"@{d}\ndef {function}(v: jax.Array):\n    return {gen.pick([under + '(v)', 'leaf(v)'])} * {gen.number()}",
            deeper(function, under),
        ]
    blocks += [
        f"@jax.jit\ndef run1(v):\n    return {top}(v)",
        f"run2 = jax.jit({gen.pick([top, mid])})",
        f"@jax.jit\ndef run3(v):\n    return {mid}(v) + {low}(v)",
    ]
    runs = ["run1", "run2", "run3", "kernel"]

    def register() -> str:
        draw = gen.rng.random()
        if draw < 0.5:
            return registration(gen, d, low, kinds.annotation(gen, known))
        function, under = gen.pick([(mid, low), (top, mid)])
        text = deeper(function, under)
        return installed(gen, text) if gen.chance(0.2) else basic(gen, text)

    def call() -> str:
        return call_statement(gen, gen.pick(runs), kinds.argument(gen, known))

    blocks.append(call())
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        if draw < 0.48:
            blocks.append(call())
        elif draw < 0.92:
            blocks.append(register())
        else:
            blocks.append(
                clear_all(gen) if gen.chance(0.5) else clear_some(gen, gen.some(runs, 1, 4))
            )
    return {"main.py": joined([HEADER + origin.lines, *blocks])}


def stacks(gen: Gen) -> Files:
    """Definitions under both jit and dispatch, and objects whose methods are jitted."""
    known = kinds.kinds(gen, 2, 3)
    origin = dispatching(gen)
    d = origin.name
    low, top = (f"{stem}{i}" for i, stem in enumerate(gen.some(FUNCTIONS, 2, 2)))
    blocks = [*known.source, LEAF, *methods_of(gen, d, low, known)]
    jit = gen.pick(["@jax.jit", "@partial(jax.jit, inline=True)", "@eqx.filter_jit", "@jax.jit"])
    blocks += [
        f"@{d}\n{jit}\ndef {top}(v: object):\n    return {low}(v) * {gen.number()}",
        f"@{d}\n{jit}\ndef {top}(v: {gen.pick([*known.names, 'jax.Array'])}):\n    return leaf(v) * {gen.number()}",
        "class Model(eqx.Module):\n    w: jax.Array\n\n    @jax.jit\n    def step(self, v):\n"
        f"        return {low}(v) * 1.0\n\n    @eqx.filter_jit\n    def __call__(self, v):\n"
        f"        return {low}(v) * 2.0\n\n    @property\n    def ready(self):\n        return {low}",
        "model = Model(jnp.ones(2))",
        f"class Engine:\n    fn = staticmethod(jax.jit({low}))\n\n    def __init__(self):\n"
        f"        self.run = jax.jit(lambda v: {low}(v) + 1)\n\n    def go(self, v):\n        return self.run(v)\n\n"
        "    @functools.cached_property\n    def later(self):\n"
        f"        return jax.jit(lambda v: {low}(v) - 1)",
        "engine = Engine()",
        f"@jax.jit\ndef run1(v):\n    return {top}(v) + 1",
        f"@jax.jit\n@{d}\ndef both(v: object):\n    return leaf(v) * {gen.number()}",
        "@jax.jit\ndef run2(v):\n    return model.ready(v)",
    ]
    runs = [top, "model.step", "model", "engine.go", "engine.run", "engine.later", "Engine.fn", "run1", "run2",
            "both", "jax.jit(engine.go)", "Engine().go", "Model(jnp.zeros(2)).step"]  # fmt: skip
    held = gen.some(runs, 4, 6)

    def call() -> str:
        value = kinds.argument(gen, known)
        run = gen.pick(held)
        if run == "both":
            return caught(f"both({value})")
        return call_statement(gen, run, value, rich=False)

    def register() -> str:
        asked, number = kinds.annotation(gen, known), gen.number()
        draw = gen.rng.random()
        if draw < 0.55:
            return registration(gen, d, low, asked)
        if draw < 0.75:
            return f"@{d}\n{jit}\ndef {top}(v: {asked}):\n    return {low}(v) * {number}"
        if draw < 0.85:
            return f"@{top}.dispatch\ndef _(v: {asked}):\n    return leaf(v) * {number}"
        return f"@jax.jit\n@{d}\ndef both(v: {asked}):\n    return leaf(v) * {number}"

    blocks.append(call())
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        blocks.append(call() if draw < 0.5 else register() if draw < 0.92 else clear_all(gen))
    return {"main.py": joined([HEADER + origin.lines, *blocks])}


def plum_extras(gen: Gen) -> Files:
    """`invoke`, `overload`, `parametric`, `Signature`, lookup errors that are caught in a trace."""
    known = kinds.kinds(gen, 2, 3)
    function = gen.pick(FUNCTIONS)
    first, last = known.names[0], known.names[-1]
    blocks = [*known.source, LEAF, *methods_of(gen, "dispatch", function, known)]
    forms = [
        f"@jax.jit\ndef {{r}}(v):\n    return {function}.invoke({first})(v)",
        f"@jax.jit\ndef {{r}}(v):\n    return {function}.invoke(jax.Array)(leaf(v))",
        f"held_{{r}} = {function}.invoke({first})\n\n\n@jax.jit\ndef {{r}}(v):\n    return held_{{r}}(v)",
        f"@jax.jit\ndef {{r}}(v):\n    try:\n        return {function}(v)\n    except NotFoundLookupError:\n        return leaf(v) * 7.0",
        f"@jax.jit\ndef {{r}}(v):\n    try:\n        return {function}(v, v)\n    except (NotFoundLookupError, TypeError):\n        return leaf(v) * 7.0",
        f"@jax.jit\ndef {{r}}(v):\n    if isinstance(v, {first}):\n        return {function}(v)\n    return leaf(v)",
        f"@jax.jit\ndef {{r}}(v):\n    method, _ = {function}.resolve_method((v,))\n    return method(v)",
        f"@jax.jit\ndef {{r}}(v):\n    return {function}(v) if hasattr(v, 'x') else leaf(v)",
        f"{{r}} = jax.jit(lambda v: {function}(v))",
        "@jax.jit\ndef {r}(v):\n    return getattr(holder, 'fn')(v)",
        f"@jax.jit\ndef {{r}}(v):\n    pair = ({first}(leaf(v)), v)\n    return sum({function}(u) for u in pair)",
        f"@jax.jit\ndef {{r}}(v):\n    return {function}({last}(leaf(v)))",
    ]
    blocks.append(f"class holder:\n    fn = {function}")
    runs = []
    for form in gen.some(forms, 3, 3):
        run = gen.name("run")
        blocks.append(form.format(r=run))
        runs.append(run)

    def register() -> str:
        asked, number, name = kinds.annotation(gen, known), gen.number(), gen.name("impl")
        return gen.pick(
            [
                registration(gen, "dispatch", function, asked),
                registration(gen, "dispatch", function, asked),
                f"@overload\ndef {function}(v: {first}):\n    return leaf(v) * {number}\n\n\n"
                f"@overload\ndef {function}(v: {asked}):\n    return leaf(v) * {gen.number()}\n\n\n"
                f"@dispatch\ndef {function}(v):\n    pass",
                f"@{function}.dispatch_multi(Signature({asked}))\ndef {name}(v):\n    return leaf(v) * {number}",
                f"@dispatch.multi(Signature({asked}, precedence=1))\ndef {function}(v):\n    return leaf(v) * {number}",
                f"{function}.register(lambda v: leaf(v) * {number}, Signature({asked}))",
                f"@dispatch\ndef {function}(v: {asked}, w: object):\n    return leaf(v) * {number}",
                f"@dispatch\ndef {function}(*v: {asked}):\n    return leaf(v[0]) * {number}",
                f"@dispatch\ndef {function}(v: {asked}, *, k=1.0):\n    return leaf(v) * {number} * k",
                f"@dispatch\ndef {function}(v: {asked}, n: int = 2):\n    return leaf(v) * {number} * n",
                f"@dispatch\ndef {function}(v: '{first}'):\n    return leaf(v) * {number}",
                f"@dispatch\ndef {function}(v):\n    return leaf(v) * {number}",
                f"{function}.methods\n{function}.clear_cache()\nclear_all_cache()",
                f"def {name}(v: {asked}):\n    return leaf(v) * {number}\n\n\nsetattr({name}, '__name__', '{function}')\ndispatch({name})",
                f"class Late({first}):\n    pass\n\n\n@dispatch\ndef {function}(v: Late):\n    return leaf(v) * {number}",
                for_classes(gen, "dispatch", function, gen.some(known.names, 1, 2), number),
            ]
        )

    def call() -> str:
        return caught(f"{gen.pick(runs)}({kinds.argument(gen, known)})")

    blocks.append(call())
    for _ in range(gen.rng.randint(7, 10)):
        draw = gen.rng.random()
        blocks.append(call() if draw < 0.5 else register() if draw < 0.93 else clear_all(gen))
    extra = "from plum import NotFoundLookupError, Signature, clear_all_cache, dispatch, overload"
    return {"main.py": joined([HEADER + extra, *blocks])}


def mixed(gen: Gen) -> Files:
    """Two programs' worth of anything in one file, one after the other."""
    from benchmarks.wild.generate import statements
    from benchmarks.wild.generate.story import WEIGHTS, story

    told = story(gen, functions=2, least=3, most=4, settings=True)
    told.happen(4, 6, WEIGHTS)
    for _ in range(gen.rng.randint(3, 5)):
        runs = told.registration(0.3) if gen.chance(0.6) else told.call()
        other = told.registration(0.0) if gen.chance(0.7) else "jax.clear_caches()"
        wrap = gen.pick([statements.flow, statements.flow, None])
        text = block(runs) if wrap is None else wrap(gen, runs, other)
        if gen.chance(0.25):
            name = gen.name("scene")
            text = f"def {name}():\n{inside(text)}\n\n\n{name}()"
        told.blocks.append(text)
    told.blocks.append(f"if __name__ == '__main__':\n{inside(told.call(False))}")
    return {"main.py": told.text()}
