"""The categories that are told about module-level functions in one file."""

from __future__ import annotations

from benchmarks.wild.generate import kinds, statements
from benchmarks.wild.generate.base import (
    FUNCTIONS,
    HEADER,
    LEAF,
    Files,
    Gen,
    dispatching,
    inside,
    joined,
)
from benchmarks.wild.generate.callers import TAILS, Caller, call_statement
from benchmarks.wild.generate.kinds import array
from benchmarks.wild.generate.registering import registration
from benchmarks.wild.generate.statements import basic
from benchmarks.wild.generate.story import WEIGHTS, Story, caught, methods_of, story


def plain(gen: Gen) -> Files:
    told = story(gen, functions=gen.rng.randint(1, 2))
    told.happen(5, 9, WEIGHTS)
    return {"main.py": told.text()}


def registering_calls(gen: Gen) -> Files:
    """Registrations in helpers and loops; the classes and the function in files of their own."""
    if gen.chance(0.5):
        told = story(gen)
        told.happen(5, 8, {**WEIGHTS, "classes": 2.0})
        return {"main.py": told.text()}
    known = kinds.kinds(gen)
    origin = dispatching(gen)
    if "Dispatcher()" in origin.lines or "warn" in origin.lines:
        origin = type(origin)("from plum import dispatch", "dispatch")
    function = gen.pick(FUNCTIONS)
    names = ", ".join([*known.names, "leaf"])
    imports = f"{origin.lines}\nfrom kinds import {names}"
    lib = joined([f"{HEADER}{imports}", *methods_of(gen, origin.name, function, known)])
    from benchmarks.wild.generate.callers import caller

    made = [caller(gen, f"run{i + 1}", function) for i in range(gen.rng.randint(2, 3))]
    main_imports = f"{imports}\nfrom lib import {function}"
    told = Story(gen, known, main_imports, origin.name, [function], made, [m.source for m in made])
    told.happen(5, 8, {**WEIGHTS, "classes": 2.0})
    return {
        "kinds.py": joined([HEADER, *known.source, LEAF]),
        "lib.py": lib,
        "main.py": told.text(),
    }


def control_flow(gen: Gen) -> Files:
    told = story(gen, settings=True)
    told.blocks.append(told.call())
    for _ in range(gen.rng.randint(4, 7)):
        draw = gen.rng.random()
        if draw < 0.25:
            told.blocks.append(told.step(WEIGHTS))
        elif draw < 0.4:
            first = told.call(rich=False)
            told.blocks.append(statements.raised_within(gen, first, told.registration(0.0)))
        else:
            runs = told.registration(0.0) if gen.chance(0.6) else told.call(rich=False)
            if gen.chance(0.12):
                runs = told.clear_some() if gen.chance(0.4) else "jax.clear_caches()"
            other = told.registration(0.0) if gen.chance(0.7) else "jax.clear_caches()"
            told.blocks.append(statements.flow(gen, runs, other))
    return {"main.py": told.text()}


def clearing(gen: Gen) -> Files:
    """Inner, outer and second jitted functions, and clearings of some of them."""
    told = story(gen, least=1, most=1)
    function, tail = told.functions[0], gen.pick(TAILS)
    jit = gen.pick(["@jax.jit", "@jax.jit", "@partial(jax.jit, inline=True)"])
    told.blocks += [
        f"@jax.jit\ndef inner(v):\n    return {function}(v)",
        f"{jit}\ndef outer(v):\n    return inner(v){tail}",
        "@jax.jit\ndef other(v):\n    return jnp.sin(leaf(v))",
    ]
    told.callers += [
        Caller("inner", "", function, ("inner",), ""),
        Caller("outer", "", function, ("inner", "outer"), ""),
        Caller("other", "", function, ("other",), ""),
    ]
    if gen.chance(0.6):
        told.blocks.append("@jax.jit\ndef second(v):\n    return inner(v) * 2")
        told.callers.append(Caller("second", "", function, ("inner", "second", "outer"), ""))
    weights = {"call": 5.0, "register": 3.0, "clear": 1.5, "clear some": 3.0}
    told.happen(5, 9, weights)
    return {"main.py": told.text()}


def precedence_abstract(gen: Gen) -> Files:
    known = kinds.kinds(gen)
    origin = dispatching(gen)
    d, function = origin.name, gen.pick(FUNCTIONS)

    def asked() -> str:
        return kinds.annotation(gen, known, 0.5)

    def one() -> str:
        body = f"return leaf(v) * {gen.number()}"
        p, level = asked(), gen.pick([-1, 0, 1, 2])
        draw = gen.rng.random()
        if draw < 0.45:
            decorator = f"@{d}(precedence={level})"
        elif draw < 0.6:
            return f"@{function}.dispatch(precedence={level})\ndef _(v: {p}):\n    {body}"
        elif draw < 0.75:
            from_signature = gen.chance(0.3)
            first = f"Signature({p}, precedence={level})" if from_signature else f"({p},)"
            return f"@{d}.multi({first}, ({asked()},))\ndef {function}(v):\n    {body}"
        else:
            decorator = f"@{d}"
        return f"{decorator}\ndef {function}(v: {p}):\n    {body}"

    blocks = [*known.source, LEAF]
    if gen.chance(0.4):
        blocks.append(f"@{d}.abstract\ndef {function}(v):\n    '''Scale it.'''")
    first = ["object", "jax.Array", gen.pick(known.names)]
    blocks += [
        f"@{d}{gen.pick(['', '', '(precedence=-1)', '(precedence=1)'])}\n"
        f"def {function}(v: {p}):\n    return leaf(v) * {gen.number()}"
        for p in first
    ]
    blocks += [one() for _ in range(gen.rng.randint(0, 2))]
    from benchmarks.wild.generate.callers import caller

    made = [caller(gen, f"run{i + 1}", function) for i in range(2)]
    blocks += [c.source for c in made]

    def call() -> str:
        return caught(f"{gen.pick(made).name}({kinds.argument(gen, known)})")

    blocks += [call()]
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        if draw < 0.5:
            blocks.append(call())
        elif draw < 0.92:
            text = one()
            if gen.chance(0.3):
                name = gen.name("install")
                text = f"def {name}():\n{inside(text)}\n\n\n{name}()"
            elif gen.chance(0.3):
                text = basic(gen, text)
            blocks.append(text)
        else:
            blocks.append("jax.clear_caches()")
    extra = "\nfrom plum import Signature"
    return {"main.py": joined([HEADER + origin.lines + extra, *blocks])}


def two_dispatchers(gen: Gen) -> Files:
    """Functions of one name in two dispatchers, aliases of both."""
    known = kinds.kinds(gen)
    stem = gen.pick(FUNCTIONS)
    blocks = ["first = Dispatcher()\nsecond = Dispatcher()", *known.source, LEAF]
    callers = []
    for owner in ("first", "second"):
        for asked in ("jax.Array", "object", gen.pick(known.names)):
            blocks.append(f"@{owner}\ndef {stem}(v: {asked}):\n    return leaf(v) * {gen.number()}")
        blocks.append(f"{stem}_{owner} = {stem}")
        form = gen.pick(
            [f"@jax.jit\ndef run_{owner}(v):\n    return {stem}_{owner}(v)",
             f"run_{owner} = jax.jit({stem}_{owner})",
             f"run_{owner} = jax.jit(lambda v: {stem}_{owner}(v) + 1)"]
        )  # fmt: skip
        blocks.append(form)
        callers.append(f"run_{owner}")
    blocks.append(call_statement(gen, callers[0], kinds.argument(gen, known)))
    for _ in range(gen.rng.randint(5, 8)):
        if gen.chance(0.5):
            blocks.append(call_statement(gen, gen.pick(callers), kinds.argument(gen, known)))
        else:
            owner = gen.pick(["first", "second"])
            asked = kinds.annotation(gen, known)
            text = gen.pick(
                [
                    f"@{owner}\ndef {stem}(v: {asked}):\n    return leaf(v) * {gen.number()}",
                    f"@{stem}_{owner}.dispatch\ndef _(v: {asked}):\n    return leaf(v) * {gen.number()}",
                    f"@{stem}.dispatch\ndef _(v: {asked}):\n    return leaf(v) * {gen.number()}",
                ]
            )
            blocks.append(basic(gen, text))
    return {"main.py": joined([HEADER + "from plum import Dispatcher", *blocks])}


def contexts(gen: Gen) -> Files:
    """Jit switched off for a while, context managers, generators, `eval_shape`, `lower`."""
    told = story(gen)
    uses = told.blocks

    def call() -> str:
        run, value = gen.pick(told.callers).name, told.argument()
        jitted = [c.name for c in told.callers if c.parts == (c.name,) and c.form != "attribute"]
        name = gen.name("ctx")
        options = [
            f"with jax.disable_jit():\n    {run}({value})",
            f"with jax.disable_jit():\n    {run}({value})\n{run}({told.argument()})",
            f"@contextlib.contextmanager\ndef {name}():\n    with jax.disable_jit():\n        yield\n"
            f"\n\nwith {name}():\n    {run}({value})",
            f"@contextlib.contextmanager\ndef {name}():\n    {run}({value})\n    yield\n\n\n"
            f"with {name}():\n    pass",
            f"def {name}():\n    yield {run}({value})\n\n\nfor _out in {name}():\n    pass",
            f"jax.eval_shape({run}, {value})",
            f"with contextlib.ExitStack() as {name}:\n    {name}.enter_context(jax.named_scope('s'))\n"
            f"    {run}({value})",
            f"jax.make_jaxpr({run})({value})",
            f"jax.block_until_ready({run}({value}))",
            f"jax.disable_jit(False)\n{run}({value})",
        ]
        if jitted:
            one = gen.pick(jitted)
            options += [
                f"{one}.lower({value})",
                f"{one}.eval_shape({value})",
                f"{one}.trace({value})",
                f"{name} = {one}.lower({value}).compile()\n{name}({value})",
            ]
        return gen.pick(options)

    uses.append(call())
    for _ in range(gen.rng.randint(5, 8)):
        draw = gen.rng.random()
        if draw < 0.35:
            uses.append(call())
        elif draw < 0.5:
            uses.append(told.call())
        else:
            uses.append(told.step({"register": 4.0, "clear": 1.0}))
    return {"main.py": told.text()}


def shapes(gen: Gen) -> Files:
    """One function called with arrays of many shapes, dtypes and weak types, and containers."""
    told = story(gen)
    values = [
        "jnp.ones(2)", "jnp.ones(3)", "jnp.ones((1, 2))", "jnp.arange(2)", "1.0", "2.0", "1", "True",
        "jnp.ones(2, dtype=jnp.float16)", "jnp.asarray(1.0)", "jnp.array([1.0, 2.0])", "np.ones(2)",
        "np.float32(3)", "(jnp.ones(2), jnp.zeros(2))", "[jnp.ones(2)]", "{'a': jnp.ones(2)}",
        "(jnp.ones(2),)", "{'a': jnp.ones(2), 'b': 1.0}", "jnp.float32(1)", "1j",
    ]  # fmt: skip
    values += [f"({name}(jnp.ones(2)), 1.0)" for name in told.kinds.names]
    values += [f"{name}({array(gen)})" for name in told.kinds.names for _ in range(3)]
    asked = ["tuple", "list", "dict", "jax.Array", "jax.Array", "object", "float", "int", "bool",
             "Union[tuple, list]", "tuple | jax.Array", "complex", "np.ndarray"]  # fmt: skip
    asked += told.kinds.names * 2
    held = gen.some(values, 4, 6)

    def call() -> str:
        return call_statement(gen, gen.pick(told.callers).name, gen.pick(held))

    told.blocks.append(call())
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        if draw < 0.5:
            told.blocks.append(call())
        elif draw < 0.92:
            told.blocks.append(
                registration(gen, told.dispatch, told.functions[0], gen.pick(asked), 0.2)
            )
        else:
            told.blocks.append(told.clear())
    return {"main.py": told.text()}
