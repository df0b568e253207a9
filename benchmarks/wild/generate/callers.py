"""Jitted functions that reach a dispatched function, and ways to call them."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.wild.generate.base import Gen, block
from benchmarks.wild.generate.statements import basic

TAILS = ("", " + 1", " * 2", " / 2", " - 1")

FORMS: dict[str, str] = {
    "itself": "{r} = jax.jit({f})",
    "itself inline": "{r} = jax.jit({f}, inline=True)",
    "def": "@jax.jit\ndef {r}(v):\n    return {f}(v){t}",
    "def with a local": "@jax.jit\ndef {r}(v):\n    y = {f}(v)\n    return y - 1",
    "partial of jit": "@partial(jax.jit, inline=True)\ndef {r}(v):\n    y = {f}(v)\n    return y - 1",
    "bare partial of jit": "@functools.partial(jax.jit)\ndef {r}(v):\n    return {f}(v){t}",
    "lambda": "{r} = jax.jit(lambda v: {f}(v))",
    "partial": "def _{r}(scale, v):\n    return scale * {f}(v)\n\n\n{r} = jax.jit(partial(_{r}, 3.0))",
    "later": "def _{r}(v):\n    return 2 * {f}(v)\n\n\n{r} = jax.jit(_{r})",
    "core": "def {r}_core(v):\n    out = {f}(v)\n    return out\n\n\n@jax.jit\ndef {r}(v):\n"
    "    return {r}_core(v) / 2",
    "logged": "def {r}_logged(fn):\n    @wraps(fn)\n    def inner(*args, **kwargs):\n"
    "        return fn(*args, **kwargs)\n    return inner\n\n\n@{r}_logged\n@jax.jit\n"
    "def {r}(v):\n    return {f}(v)",
    "logged below": "def {r}_logged(fn):\n    @wraps(fn)\n    def inner(*args, **kwargs):\n"
    "        return fn(*args, **kwargs)\n    return inner\n\n\n@jax.jit\n@{r}_logged\n"
    "def {r}(v):\n    return {f}(v)",
    "engine": "class {R}Engine:\n    def step(self, v):\n        return {f}(v)\n\n\n"
    "engine_{r} = {R}Engine()\n\n\n@jax.jit\ndef {r}(v):\n    return engine_{r}.step(v)",
    "filter_jit": "@eqx.filter_jit\ndef {r}(v):\n    return {f}(v)",
    "filter_jit call": "{r} = eqx.filter_jit({f})",
    "factory": "def make_{r}(fn):\n    @jax.jit\n    def run(v):\n        return fn(v){t}\n"
    "    return run\n\n\n{r} = make_{r}({f})",
    "jit factory": "def make_{r}(fn):\n    return jax.jit(lambda v: fn(v))\n\n\n{r} = make_{r}({f})",
    "bound": "class {R}Model:\n    def step(self, v):\n        return {f}(v){t}\n\n\n"
    "{r} = jax.jit({R}Model().step)",
    "callable": "class {R}Model:\n    def __call__(self, v):\n        return {f}(v){t}\n\n\n"
    "{r} = jax.jit({R}Model())",
    "static method": "class {R}Model:\n    @staticmethod\n    @jax.jit\n    def step(v):\n"
    "        return {f}(v){t}\n\n\n{r} = {R}Model.step",
    "attribute": "class {R}Model:\n    def __init__(self):\n        self.fn = jax.jit(self.step)\n\n"
    "    def step(self, v):\n        return {f}(v){t}\n\n    def __call__(self, v):\n"
    "        return self.fn(v)\n\n\n{r} = {R}Model()",
    "table": "TABLE_{R} = {{'main': {f}, 'other': jnp.sin}}\n\n\n@jax.jit\ndef {r}(v):\n"
    "    return TABLE_{R}['main'](v){t}",
    "list": "STAGES_{R} = [{f}]\n\n\n@jax.jit\ndef {r}(v):\n    for stage in STAGES_{R}:\n"
    "        v = stage(v)\n    return v",
    "closure": "def {r}_outer():\n    fn = {f}\n\n    def call(v):\n        return fn(v){t}\n"
    "    return call\n\n\n{r} = jax.jit({r}_outer())",
    "nested": "@jax.jit\ndef {r}_inner(v):\n    return {f}(v)\n\n\n@jax.jit\ndef {r}(v):\n"
    "    return {r}_inner(v){t}",
    "helper chain": "def {r}_a(v):\n    return {f}(v)\n\n\ndef {r}_b(v):\n    return {r}_a(v){t}\n"
    "\n\n{r} = jax.jit(lambda v: {r}_b(v))",
    "checkpoint": "{r} = jax.jit(jax.checkpoint({f}))",
    "checkpoint def": "@jax.jit\n@jax.checkpoint\ndef {r}(v):\n    return {f}(v){t}",
    "keyword": "@jax.jit\ndef {r}(v, k=2.0):\n    return {f}(v) * k",
    "conditional": "@jax.jit\ndef {r}(v):\n    if ENABLED_{R}:\n        return {f}(v){t}\n"
    "    return leaf(v)",
    "try": "@jax.jit\ndef {r}(v):\n    try:\n        return {f}(v){t}\n    finally:\n        pass",
    "comprehension": "@jax.jit\ndef {r}(v):\n    return sum([{f}(v) for _ in range(2)])",
    "default": "@jax.jit\ndef {r}(v, fn=None):\n    fn = fn or {f}\n    return fn(v){t}",
    "twice jitted": "{r} = jax.jit(jax.jit(lambda v: {f}(v)))",
    "star": "@jax.jit\ndef {r}(*args):\n    return {f}(*args){t}",
    "own jit": "my_jit_{r} = partial(jax.jit, inline=False)\n\n\n@my_jit_{r}\ndef {r}(v):\n"
    "    return {f}(v){t}",
}
MOST = ("itself", "def", "def with a local", "lambda", "partial", "later", "core", "logged", "engine",
        "filter_jit")  # fmt: skip
UNCLEARABLE = {"filter_jit", "filter_jit call", "attribute", "logged"}


@dataclass(frozen=True)
class Caller:
    """`parts` have all to be cleared, for what it holds to go; none where nothing clears it."""

    name: str
    source: str
    function: str
    parts: tuple[str, ...]
    form: str


def caller(gen: Gen, name: str, function: str, forms: tuple[str, ...] = ()) -> Caller:
    form = gen.pick(forms or (MOST if gen.chance(0.55) else tuple(FORMS)))
    capital = name.replace("_", " ").title().replace(" ", "")
    text = FORMS[form].format(r=name, R=capital, f=function, t=gen.pick(TAILS))
    if form == "conditional":
        text = f"ENABLED_{capital} = True\n\n\n{text}"
    parts: tuple[str, ...] = () if form in UNCLEARABLE else (name,)
    if form == "nested":
        parts = (f"{name}_inner", name)
    if form == "attribute":
        parts = (f"{name}.fn",)
    return Caller(name, block(text), function, parts, form)


def call_expression(gen: Gen, callee: str, argument: str) -> str:
    return gen.pick(
        [f"{callee}({argument})"] * 9
        + [
            f"{callee}(*[{argument}])",
            f"partial({callee}, {argument})()",
            f"(lambda: {callee}({argument}))()",
        ]
    )


def call_statement(gen: Gen, callee: str, argument: str, rich: bool = True) -> str:
    """A statement that calls a jitted function."""
    call = call_expression(gen, callee, argument)
    name = gen.name("step")
    if not rich or gen.chance(0.4):
        return basic(gen, gen.pick([call, call, f"print({call})", f"_v = {call}"]))
    return block(
        gen.pick(
            [
                f"def {name}():\n    out = {call}\n    return out\n\n\n{name}()",
                f"def {name}(go=True):\n    if not go:\n        return None\n    return {call}\n\n\n"
                f"{name}()",
                f"_all = [{call} for _ in range(2)]",
                f"(lambda: {call})()",
                f"_v = {call} if True else None",
                f"fn{name} = {callee}\nfn{name}({argument})\ndel fn{name}",
                f"for {name} in ({argument},):\n    {callee}({name})",
                f"for {name} in [{callee}]:\n    {name}({argument})",
                f"{{'go': {callee}}}['go']({argument})",
                f"HANDLERS_{name} = {{'go': {callee}}}\nfor _key in HANDLERS_{name}:\n"
                f"    HANDLERS_{name}[_key]({argument})",
                f"if ({name} := {call}) is not None:\n    print({name})",
                f"def {name}(fn, v):\n    return fn(v)\n\n\n{name}({callee}, {argument})",
                f"print(list(map({callee}, [{argument}])))",
                f"assert {call} is not None",
                f"try:\n    {call}\nexcept TypeError:\n    pass",
                f"{name} = next(iter([{call}]))",
                f"def {name}():\n    yield {call}\n\n\nlist({name}())",
                f"{name} = dict(v={call})",
                f"class {name.capitalize()}:\n    out = {call}",
                f"print(f'{{{callee}({argument})}}')",
            ]
        )
    )
