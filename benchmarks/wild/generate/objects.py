"""Categories about classes: dispatched methods and operators, conversions and promotions."""

from __future__ import annotations

from benchmarks.wild.generate import kinds
from benchmarks.wild.generate.base import HEADER, LEAF, Files, Gen, dispatching, inside, joined
from benchmarks.wild.generate.callers import call_statement
from benchmarks.wild.generate.registering import clear_all, clear_some, installed
from benchmarks.wild.generate.statements import basic, then_raise
from benchmarks.wild.generate.story import caught

OPERATORS: dict[str, str] = {
    "__matmul__": "{o} @ {v}", "__add__": "{o} + {v}", "__mul__": "{o} * {v}",
    "__sub__": "{o} - {v}", "__call__": "{o}({v})", "apply": "{o}.apply({v})",
    "__rshift__": "{o} >> {v}", "step": "{o}.step({v})", "__truediv__": "{o} / {v}",
    "__getitem__": "{o}[{v}]", "__and__": "{o} & {v}", "__pow__": "{o} ** {v}",
    "__lt__": "{o} < {v}", "__floordiv__": "{o} // {v}",
}  # fmt: skip
TWO = ("jnp.ones(2)", "jnp.ones(2)", "jnp.full((2,), 3.0)", "jnp.array([1, 2])", "jnp.zeros((2, 2))",
       "np.ones(2, dtype=np.float32)", "jnp.linspace(0.0, 1.0, 2)")  # fmt: skip
OWNERS = ("Solver", "Model", "Engine", "Layer", "Kernel")


def owner_class(gen: Gen, name: str, base: str, methods: str, form: str) -> str:
    if form == "module":
        return f"class {name}({base or 'eqx.Module'}):\n    w: jax.Array\n\n{methods}"
    if form == "frozen":
        under = f"({base})" if base else ""
        return (
            "@jax.tree_util.register_dataclass\n@dataclasses.dataclass(frozen=True)\n"
            f"class {name}{under}:\n    w: jax.Array\n\n{methods}"
        )
    under = f"({base})" if base else ""
    return (
        f"class {name}{under}:\n    def __init__(self, w):\n        self.w = w\n\n{methods}\n\n\n"
        f"jax.tree_util.register_pytree_node({name}, lambda o: ((o.w,), None), "
        f"lambda aux, ch: {name}(*ch))"
    )


def methods(gen: Gen) -> Files:
    """Dispatched methods, by one object, by two classes, and by bound methods that are jitted."""
    known = kinds.kinds(gen)
    origin = dispatching(gen)
    d, owner = origin.name, gen.pick(OWNERS)
    operator = gen.pick(list(OPERATORS))
    form = gen.pick(["module", "module", "frozen", "node"])

    def one(asked: str, decorator: str = "", with_self: str = "self") -> str:
        return (
            f"@{decorator or d}\ndef {operator}({with_self}, v: {asked}):\n"
            f"    return leaf(v) * {gen.number()}"
        )

    asked = ["jax.Array", "object", *gen.some(known.names, 0, 1)]
    body = "\n\n".join(inside(one(a)) for a in asked)
    blocks = [*known.source, LEAF, owner_class(gen, owner, "", body, form)]
    sub = gen.chance(0.7)
    if sub:
        own = gen.chance(0.4)
        inner = inside(one(gen.pick(known.names))) if own else "    pass"
        if form == "frozen":
            inner = inner if own else ""
        text = owner_class(gen, f"{owner}Plus", owner, inner, form)
        if form == "module" and not own:
            text = f"class {owner}Plus({owner}):\n    pass"
        blocks.append(text)
    blocks.append(f"model = {owner}(jnp.ones(2))")
    objects = ["model"]
    if sub:
        blocks.append(f"special = {owner}Plus(jnp.ones(2))")
        objects.append("special")
    calls: list[tuple[str, bool]] = []
    for name in objects:
        run = gen.name("go")
        blocks.append(
            f"@jax.jit\ndef {run}(v):\n    return {OPERATORS[operator].format(o=name, v='v')}"
        )
        calls.append((run, False))
    both = gen.name("both")
    expression = OPERATORS[operator].format(o="obj", v="v")
    jit = gen.pick(["@jax.jit", "@jax.jit", "@eqx.filter_jit"])
    blocks.append(f"{jit}\ndef {both}(obj, v):\n    return {expression} + 1")
    calls.append((both, True))
    if gen.chance(0.6):
        bound = gen.name("bound")
        blocks.append(f"{bound} = jax.jit({gen.pick(objects)}.{operator})")
        calls.append((bound, False))
    if gen.chance(0.3):
        whole = gen.name("whole")
        blocks.append(f"{whole} = jax.jit({owner}.{operator})")
        calls.append((whole, True))

    def call() -> str:
        run, takes = gen.pick(calls)
        value = kinds.argument(gen, known)
        return (
            call_statement(gen, run, f"{gen.pick(objects)}, {value}" if takes else value)
            if (not takes)
            else basic(gen, f"{run}({gen.pick(objects)}, {value})")
        )

    def register() -> str:
        asked = kinds.annotation(gen, known)
        number = gen.number()
        function = f"{owner}.{operator}"
        impl = gen.name("impl")
        who = gen.pick(["self", f"self: {owner}", f"self: {owner}Plus" if sub else "self"])
        text = gen.pick(
            [
                f"@{function}.dispatch\ndef {operator}(self, v: {asked}):\n    return leaf(v) * {number}",
                f"@{function}.dispatch\ndef _({who}, v: {asked}):\n    return leaf(v) * {number}",
                f"def {impl}({who}, v: {asked}):\n    return leaf(v) * {number}\n\n\n"
                f"{function}.dispatch({impl})",
                f"def {impl}({who}, v: {asked}):\n    return leaf(v) * {number}\n\n\n"
                f"{function}.register({impl})",
                f"@{function}.dispatch(precedence=1)\ndef _({who}, v: {asked}):\n"
                f"    return leaf(v) * {number}",
                f"@{function}.dispatch_multi(({owner}, {asked}))\ndef _(self, v):\n"
                f"    return leaf(v) * {number}",
            ]
        )
        return installed(gen, text) if gen.chance(0.25) else basic(gen, text)

    blocks.append(call())
    for _ in range(gen.rng.randint(5, 8)):
        draw = gen.rng.random()
        if draw < 0.45:
            blocks.append(call())
        elif draw < 0.87:
            blocks.append(register())
        elif draw < 0.95:
            blocks.append(clear_all(gen))
        else:
            plain = [run for run, _ in calls if not (jit.startswith("@eqx") and run == both)]
            blocks.append(clear_some(gen, gen.some(plain, 1, 2)))
    return {"main.py": joined([HEADER + origin.lines, *blocks])}


def conversion(gen: Gen) -> Files:
    """Return annotations that convert, conversion methods, promotion rules."""
    known = kinds.kinds(gen, 3, 3)
    origin = dispatching(gen)
    d = origin.name
    a, b, c = known.names
    names = (a, b, c)

    def conversion_of(start: str, end: str) -> str:
        number, name = gen.number(), gen.name("to")
        return gen.pick(
            [
                f"add_conversion_method({start}, {end}, lambda b: {end}(leaf(b) * {number}))",
                f"@conversion_method({start}, {end})\ndef {name}(b):\n    return {end}(leaf(b) * {number})",
                f"@conversion_method(type_from={start}, type_to={end})\ndef {name}(b):\n"
                f"    return {end}(leaf(b) * {number})",
                f"def {name}(b):\n    return {end}(leaf(b) * {number})\n\n\n"
                f"add_conversion_method({start}, {end}, {name})",
            ]
        )

    def build_of(asked: str, given: str, arrow: bool) -> str:
        returns = f" -> {a}" if arrow else ""
        return (
            f"@{d}\ndef build(v: {asked}){returns}:\n    return {given}(leaf(v) * {gen.number()})"
        )

    def joined_of(one: str, two: str) -> str:
        return (
            f"@{d}\ndef joined(a: {one}, b: {two}):\n    return leaf(a) * {gen.number()} + leaf(b)"
        )

    blocks = [
        *known.source,
        LEAF,
        f"add_conversion_method({b}, {a}, lambda b: {a}(leaf(b) * {gen.number()}))",
        f"add_promotion_rule({a}, {b}, {a})",
        build_of("object", b, True),
        build_of(c, a, True),
        joined_of("object", "object"),
        joined_of(a, a),
    ]
    forms = {
        "pair": "@jax.jit\ndef {r}(a, b):\n    a, b = promote(a, b)\n    return joined(a, b)",
        "plain pair": "@jax.jit\ndef {r}(a, b):\n    return joined(a, b)",
        "itself": "{r} = jax.jit(joined)",
        "convert": "@jax.jit\ndef {r}(v):\n    return convert(v, " + a + ").x",
        "build": "@jax.jit\ndef {r}(v):\n    return build(v).x",
        "build itself": "{r} = jax.jit(build)",
        "lambda": "{r} = jax.jit(lambda v: leaf(build(v)) + 1)",
    }
    runs = []
    for form in gen.some(list(forms), 3, 3):
        run = gen.name("c")
        blocks.append(forms[form].format(r=run))
        runs.append((run, form in ("pair", "plain pair", "itself"), form))

    def value(form: str) -> str:
        chosen = gen.pick((a, b)) if form in ("pair", "convert") else gen.pick(names)
        return f"{chosen}({gen.pick(TWO)})"

    def call() -> str:
        run, two, form = gen.pick(runs)
        arguments = ", ".join(value(form) for _ in range(2 if two else 1))
        if two:
            text = f"{run}({arguments})"
            if gen.chance(0.3):
                return caught(text)
            return gen.pick([basic(gen, text), f"(lambda: {text})()", f"print({text})"])
        return call_statement(gen, run, arguments)

    def register() -> str:
        draw = gen.rng.random()
        if draw < 0.4:
            start, end = gen.pick([(b, a), (b, a), (c, a), (c, b), (a, b)])
            return basic(gen, conversion_of(start, end))
        if draw < 0.55:
            one, two, to = gen.pick([(a, c, a), (a, b, a), (b, c, b), (a, b, b)])
            return basic(gen, f"add_promotion_rule({one}, {two}, {to})")
        if draw < 0.8:
            return basic(
                gen, build_of(gen.pick([*names, "object"]), gen.pick([a, a, b]), gen.chance(0.6))
            )
        return basic(gen, joined_of(gen.pick([*names, "object"]), gen.pick([*names, "object"])))

    blocks.append(call())
    for _ in range(gen.rng.randint(6, 9)):
        draw = gen.rng.random()
        if draw < 0.45:
            text = call()
            blocks.append(then_raise(gen, text) if gen.chance(0.1) else text)
        elif draw < 0.9:
            blocks.append(register())
        else:
            blocks.append(clear_all(gen))
    tools = "\nfrom plum import add_conversion_method, add_promotion_rule, conversion_method, convert, promote"
    return {"main.py": joined([HEADER + origin.lines + tools, *blocks])}
