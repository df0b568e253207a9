"""Random programs: dispatched functions, compiled callers, and what happens in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from benchmarks.disagreement.project import Project, Texts, indented, numbers

ARRAYS = ("jnp.ones(2)", "jnp.ones(2)", "jnp.arange(1, 4)", "jnp.ones((2, 2))", "jnp.array(2.0)")
ARRAY_HINTS = (
    *("jax.Array",) * 6,
    *("object",) * 3,
    *("", "float | jax.Array", "int | jax.Array", "int", "float", "str"),
    *('Float[Array, "2"]', 'Float[Array, "..."]', 'Int[Array, "..."]', 'Float[Array, "n m"]'),
)
SECOND = {"3": ("int", "object", "float | int"), "2.5": ("float", "object", "float | int")}
SECOND['"a"'] = ("str", "object", "str | int")


@dataclass(slots=True)
class Function:
    """A dispatched function. `second` is the literal that calls pass besides, if any; `owner`
    is the class in whose body it stands."""

    name: str
    dispatcher: str
    arrays: bool
    second: str | None
    varargs: bool
    home: str
    hints: list[str] = field(default_factory=list)

    def call(self, value: str, name: str | None = None) -> str:
        more = "" if self.second is None else f", {self.second}"
        more += ", 1, 2" if self.varargs else ""
        return f"{name or f'«{self.name}»'}({value}{more})"

    @property
    def takes_one(self) -> bool:
        return self.second is None and not self.varargs


@dataclass(slots=True)
class Caller:
    """Something compiled: how it is called with an argument, and how its caches are cleared."""

    use: Callable[[str], str]
    arrays: bool
    clear: str | None = None
    shown: bool = True
    value: str | None = None


class Generator:
    """Makes one program from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.numbers = numbers()
        self.serial = 0
        count = self.random.choice([1, 1, 2, 2, 3, 4])
        others = self.random.sample(["core", "work", "late", "later"], k=count - 1)
        self.modules = [m for m in ("core", "work", "late", "later") if m in others]
        packaged = bool(others) and self.random.random() < 0.4
        inside = frozenset(self.modules if packaged else ())
        self.texts = Texts(self.random, "pack" if packaged else "", inside)
        if packaged:
            self.feature("layout: package")
        self.feature(f"layout: {count} module" + "s" * (count > 1))
        self.ground = next((m for m in ("core", "work") if m in self.modules), "main")
        """The module that no other is needed for."""
        self.classes: list[tuple[str, str | None]] = []
        self.functions: list[Function] = []
        self.callers: list[Caller] = []
        self.waiting = [m for m in self.modules if m.startswith("late")]

    def feature(self, name: str) -> None:
        self.texts.features.add(name)

    def name(self, stem: str) -> str:
        self.serial += 1
        return f"{stem}_{self.serial}"

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def some(self, *modules: str) -> str:
        """One of the modules that there are, `main` otherwise."""
        there = [m for m in modules if m in self.modules or m == "main"]
        return self.random.choice(there) if there else "main"

    # --- what there is at first ---------------------------------------------------------------

    def project(self) -> Project:
        if self.chance(0.75):
            self.make_classes()
        self.dispatchers = self.make_dispatchers()
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.make_function()
        if "work" in self.modules:
            for _ in range(self.random.choice([1, 2])):
                self.callers.append(self.make_caller("work"))
            if self.chance(0.25):
                self.feature("use: while a module is imported")
                self.texts.add("work", self.use(self.callers[0], "work"))
        self.timeline()
        for module in self.waiting:
            self.late_text(module)
        return self.texts.render()

    def make_classes(self) -> None:
        home = self.ground
        registered = self.chance(0.3)
        self.feature("class: registered dataclass" if registered else "class: equinox.Module")
        head = "@jax.tree_util.register_dataclass\n@dataclasses.dataclass\n" if registered else ""
        text = []
        for number, name in enumerate(("Shape", "Square", "Tile", "Circle")):
            if number > 1 and self.chance(0.3):
                continue
            parents = [name for name, _ in self.classes if name != "Circle"]
            parent = self.random.choice(parents) if parents else None
            if parent and self.chance(0.15):
                parent = None
            base = f"({parent})" if parent else ("" if registered else "(eqx.Module)")
            fields = "    side: jax.Array" if parent is None else "    pass"
            if registered:
                # JAX takes classes with the same fields for one another, now and then: they are
                # equal as parts of a key, and only their hashes differ (0.10.2, 0.12.0.1).
                metadata = '{"static": True}'
                kind = f'    kind: str = dataclasses.field(default="{name}", metadata={metadata})'
                fields = f"{fields}\n{kind}".removeprefix("    pass\n")
            text.append(f"{head}class {name}{base}:\n{fields}\n")
            self.classes.append((name, parent))
        if registered:
            self.texts.add(home, "import dataclasses")
        self.texts.add(home, "\n\n".join(text), *(name for name, _ in self.classes))

    def make_dispatchers(self) -> list[str]:
        made = []
        kind = self.random.choice(["shared", "shared", "own", "attribute", "both"])
        self.feature(f"dispatcher: {kind}")
        if kind in ("shared", "both"):
            made.append("«dispatch»")
        if kind in ("own", "both"):
            self.texts.add(self.ground, "registry = «Dispatcher»()", "registry")
            made.append("«registry»")
        if kind == "attribute":
            text = "class Kit:\n    dispatch = «Dispatcher»()\n"
            self.texts.add(self.ground, text, "Kit")
            made.append("«Kit».dispatch")
        return made

    def make_function(self) -> None:
        arrays = not self.classes or self.chance(0.5)
        second = self.random.choice([*SECOND]) if self.chance(0.25) else None
        home = self.some("core", "work") if self.ground != "main" else "main"
        name = ("area", "scale", "cost", "blend", "norm")[len(self.functions)]
        function = Function(
            name,
            self.random.choice(self.dispatchers),
            arrays,
            second,
            second is None and self.chance(0.12),
            home,
        )
        if function.varargs:
            self.feature("overload: *args")
        apart = not arrays and sum(parent is None for _, parent in self.classes) > 1
        wide = (
            "object"
            if self.chance(0.9 if apart else 0.35)
            else "jax.Array"
            if arrays
            else self.classes[0][0]
        )
        text = [self.definition(function, wide, home=home)]
        for _ in range(self.random.choice([0, 0, 1, 2])):
            text.append(self.definition(function, self.hint(function), home=home))
        self.texts.add(home, "\n\n".join(text), name)
        self.functions.append(function)

    # --- methods ------------------------------------------------------------------------------

    def hint(self, function: Function) -> str:
        """The annotation of the first parameter of a new method."""
        if function.hints and self.chance(0.2):
            self.feature("overload: same signature again")
            return self.random.choice(function.hints)
        if function.arrays:
            if self.classes and self.chance(0.12):
                return f"«{self.random.choice(self.classes)[0]}»"
            return self.random.choice(ARRAY_HINTS)
        names = [f"«{name}»" for name, _ in self.classes]
        pick = self.random.random()
        if pick < 0.6:
            return self.random.choice(names)
        if pick < 0.75:
            self.feature("overload: union of classes")
            return " | ".join(self.random.sample(names, k=min(2, len(names))))
        if pick < 0.83:
            return f"{self.random.choice(names)} | jax.Array"
        return self.random.choice(["object", "object", "", "jax.Array"])

    def definition(
        self,
        function: Function,
        hint: str,
        *,
        home: str,
        name: str | None = None,
        decorator: str | None = None,
    ) -> str:
        """A method with its decorator; `«...»` in hints are names."""
        if hint in dict(self.classes):
            hint = f"«{hint}»"
        function.hints.append(hint)
        kind = "array" if hint.startswith(("jax", "Float", "Int")) else hint or "no annotation"
        if "«" in kind:
            kind = "class"
        self.feature(f"overload: {kind}")
        if decorator is None:
            decorator = self.decorator(function)
        parameters = [f"x: {hint}" if hint else "x"]
        if function.second is not None:
            parameters.append(f"y: {self.random.choice(SECOND[function.second])}")
            if self.chance(0.15):
                wrong = self.random.choice([s for s in SECOND if s != function.second])
                parameters[-1] = f"y: {self.random.choice(SECOND[wrong])}"
        if function.varargs:
            parameters.append(f"*more: {self.random.choice(['int', 'object', 'int', 'str'])}")
        return "\n".join(
            [
                *([decorator] if decorator else []),
                f"def {name or function.name}({', '.join(parameters)}):",
                f"    return {self.result(function, hint, home)}",
            ]
        )

    def decorator(self, function: Function) -> str:
        if self.chance(0.12):
            self.feature("registration: precedence")
            return f"@{function.dispatcher}(precedence={self.random.choice([-1, 1, 2])})"
        return f"@{function.dispatcher}"

    def known(self, home: str) -> list[Function]:
        """The functions that code in `home` may name without importing in a circle."""
        homes = {"core": ("core",), "main": ("main", "core", "work")}.get(home, ("core", "work"))
        return [f for f in self.functions if f.home in homes]

    def result(self, function: Function, hint: str, home: str) -> str:
        number = next(self.numbers)
        if hint.startswith(("jax.Array", "Float", "Int", "float | jax", "int | jax")):
            inner = [f for f in self.known(home) if f.arrays and f is not function]
            if inner and self.chance(0.2):
                self.feature("overload: a method that calls another function")
                return f"{number}.0 * jnp.sum({self.random.choice(inner).call('x')})"
            return self.random.choice([f"x * {number}", f"{number}.0 * jnp.sum(x)"])
        if "«" in hint and "jax" not in hint:
            inner = [f for f in self.known(home) if f is not function]
            if inner and self.chance(0.3):
                other = self.random.choice(inner)
                self.feature("overload: a method that calls another function")
                value = "x.side" if other.arrays else "x"
                return f"{number}.0 * jnp.sum({other.call(value)})"
            return f"x.side * {number}"
        return f"jnp.array({number}.0)"

    # --- callers ------------------------------------------------------------------------------

    def body(self, home: str, arrays: bool, depth: int = 0) -> tuple[str, str]:
        """Statements, and an expression of `x` that gives one number."""
        fitting = [f for f in self.functions if f.arrays == arrays]
        pick = self.random.random()
        if not fitting or (arrays and self.classes and self.chance(0.15)):
            fitting = self.functions
        function = self.random.choice(fitting)
        value = "x"
        if function.arrays and not arrays:
            value = "x.side"
        elif arrays and not function.arrays:
            self.feature("body: an object made inside")
            value = f"«{self.random.choice(self.classes)[0]}»(x)"
        call = function.call(value)
        if pick < 0.3 or depth > 2:
            return "", f"jnp.sum(1.0 * {call})"
        if pick < 0.45:
            helper = self.helper(home, arrays, depth)
            return "", f"«{helper}»(x)"
        if pick < 0.53:
            more, other = self.body(home, arrays, depth + 1)
            return more, f"jnp.sum(1.0 * {call}) + {other}"
        if pick < 0.6:
            self.feature("control flow: for in a caller")
            text = f"total = 0.0\nfor k in (1.0, 2.0):\n    total = total + k * jnp.sum({call})"
            return text, "total"
        if pick < 0.66 and arrays:
            self.feature("control flow: if on a shape")
            more, other = self.body(home, arrays, 3)
            text = f"if x.ndim == 1:\n    out = jnp.sum(1.0 * {call})\nelse:\n"
            return text + indented("\n".join(filter(None, [more, f"out = {other}"]))), "out"
        if pick < 0.7:
            self.feature("control flow: try in a caller")
            call = f"jnp.sum(1.0 * {call})"
            text = f"try:\n    out = {call}\nexcept ValueError:\n    out = jnp.array(0.0)"
            return text, "out"
        if pick < 0.74:
            self.feature("function: passed")
            name = self.name("apply")
            self.texts.add(home, f"def {name}(fn, x):\n    return jnp.sum(1.0 * fn(x))", name)
            return "", f"«{name}»(lambda v: {function.call('v')}, {value})"
        if pick < 0.77:
            self.feature("function: returned")
            name = self.name("pick")
            self.texts.add(home, f"def {name}():\n    return «{function.name}»", name)
            return "", f"jnp.sum(1.0 * {function.call(value, f'«{name}»()')})"
        if pick < 0.8:
            self.feature("method: of an object made inside")
            name = self.name("Model")
            text = f"class {name}:\n    def part(self, v):\n        return {function.call('v')}\n"
            if self.chance(0.5):
                self.feature("method: inherited")
                text += f"\n\nclass {name}Child({name}):\n    pass\n"
                self.texts.add(home, text, name, f"{name}Child")
                name += "Child"
            else:
                self.texts.add(home, text, name)
            return "", f"jnp.sum(1.0 * «{name}»().part({value}))"
        return "", self.inner_transform(function, value)

    def inner_transform(self, function: Function, value: str) -> str:
        call = f"jnp.sum(1.0 * {function.call('v')})"
        kinds = {
            "checkpoint": f"«checkpoint»(lambda v: {call})({value})",
            "cond": f"«cond»(True, lambda v: {call}, lambda v: 0.0 * {call}, {value})",
            "scan": f"«scan»(lambda c, v: (c + {call}, c), 0.0, jax.tree.map("
            f"lambda leaf: jnp.stack([leaf, leaf]), {value}))[0]",
            "fori_loop": f"«fori_loop»(0, 2, lambda i, c: c + {call.replace('v', value, 1)}, 0.0)",
            "vmap": f"jnp.sum(«vmap»(lambda v: {call})(jax.tree.map("
            f"lambda leaf: jnp.stack([leaf, leaf]), {value})))",
            "jit": f"«jit»(lambda v: {call})({value})",
        }
        kinds["fori_loop"] = (
            f"«fori_loop»(0, 2, lambda i, c: c + jnp.sum(1.0 * {function.call(value)}), 0.0)"
        )
        if function.takes_one and function.arrays and value == "x":
            kinds["jit of the function"] = f"jnp.sum(1.0 * «jit»(«{function.name}»)(x))"
            kinds["checkpoint of the function"] = (
                f"jnp.sum(1.0 * «checkpoint»(«{function.name}»)(x))"
            )
        kind = self.random.choice([*kinds])
        self.feature(f"inside: {kind}")
        return kinds[kind]

    def helper(self, home: str, arrays: bool, depth: int) -> str:
        name = self.name("helper")
        where = self.some(home, "work")
        more, value = self.body(where, arrays, depth + 1)
        lines = "\n".join(filter(None, [more, f"return {value}"]))
        self.feature("body: helper")
        self.texts.add(where, f"def {name}(x):\n{indented(lines)}", name)
        return name

    def make_caller(self, home: str) -> Caller:
        """Defines something compiled in `home`."""
        arrays = self.random.choice(self.functions).arrays
        name = self.name("run")
        inner = [c for c in self.callers if c.arrays == arrays and c.value and c.shown]
        if inner and self.chance(0.25):
            self.feature("caller: of another compiled one")
            more, value = "", f"2.0 * {self.random.choice(inner).use('x')}"
        else:
            more, value = self.body(home, arrays)
        lines = "\n".join(filter(None, [more, f"return {value}"]))
        plain = f"def {name}(x):\n{indented(lines)}"
        one = [f for f in self.functions if f.arrays == arrays and f.takes_one]
        kinds = [getattr(self, k) for k in dir(self) if k.startswith("as_")]
        if one and self.chance(0.35):
            kinds = [getattr(self, k) for k in dir(self) if k.startswith("of_function_")]
            kind = self.random.choice(kinds)
            self.feature("caller: " + kind.__name__[3:].replace("_", " "))
            caller: Caller = kind(home, name, self.random.choice(one))
        else:
            kind = self.random.choice(kinds)
            self.feature("caller: " + kind.__name__[3:].replace("_", " "))
            caller = kind(home, name, plain)
        caller.arrays = arrays
        return caller

    def _named(self, home: str, name: str, text: str, clear: bool = True) -> Caller:
        self.texts.add(home, text, name)
        cleared = f"«{name}».clear_cache()" if clear else None
        return Caller(lambda a: f"«{name}»({a})", True, cleared, value=name)

    def as_jit(self, home: str, name: str, plain: str) -> Caller:
        return self._named(home, name, f"@«jit»\n{plain}")

    def as_jit_too(self, home: str, name: str, plain: str) -> Caller:
        return self._named(home, name, f"@«jit»\n{plain}")

    def as_jit_by_call(self, home: str, name: str, plain: str) -> Caller:
        inner = plain.replace(f"def {name}", f"def {name}_plain")
        self.texts.add(home, inner, f"{name}_plain")
        return self._named(home, name, f"{name} = «jit»({name}_plain)")

    def as_jit_anew_of_a_function(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, name)
        return Caller(lambda a: f"«jit»(«{name}»)({a})", True, f"«jit»(«{name}»).clear_cache()")

    def as_jit_with_static(self, home: str, name: str, plain: str) -> Caller:
        text = plain.replace("(x):", '(x, mode="a"):', 1)
        form = self.random.choice(["@«partial»(«jit», static_argnames=('mode',))"] * 2)
        caller = self._named(home, name, f"{form}\n{text}")
        return Caller(
            lambda a: f'«{name}»({a}, mode="{self.random.choice("aab")}")', True, caller.clear
        )

    def as_filter_jit(self, home: str, name: str, plain: str) -> Caller:
        return self._named(home, name, f"@«filter_jit»\n{plain}", clear=False)

    def as_jit_of_a_lambda_kept(self, home: str, name: str, plain: str) -> Caller:
        inner = plain.replace(f"def {name}", f"def {name}_plain")
        self.texts.add(home, inner, f"{name}_plain")
        return self._named(home, name, f"{name} = «jit»(lambda x: {name}_plain(x))")

    def as_jit_of_a_lambda_anew(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, name)
        return Caller(lambda a: f"«jit»(lambda x: «{name}»(x))({a})", True)

    def as_jit_of_partial(self, home: str, name: str, plain: str) -> Caller:
        inner = plain.replace(f"def {name}(x)", f"def {name}_plain(k, x)")
        self.texts.add(home, inner, f"{name}_plain")
        return self._named(home, name, f"{name} = «jit»(«partial»({name}_plain, 1.0))")

    def as_jit_of_vmap(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, f"{name}")
        self.texts.add(home, f"{name}_all = «jit»(«vmap»({name}))", f"{name}_all")
        stacked = "jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), {})"
        return Caller(
            lambda a: f"jnp.sum(«{name}_all»({stacked.format(a)}))",
            True,
            f"«{name}_all».clear_cache()",
            value=name,
        )

    def as_vmap_of_jit(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«jit»\n{plain}", name)
        stacked = "jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), {})"
        return Caller(
            lambda a: f"jnp.sum(«vmap»(«{name}»)({stacked.format(a)}))",
            True,
            f"«{name}».clear_cache()",
            value=name,
        )

    def as_eager_vmap(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, name)
        stacked = "jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), {})"
        return Caller(lambda a: f"jnp.sum(«vmap»(«{name}»)({stacked.format(a)}))", True)

    def as_pmap(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@jax.pmap\n{plain}", name)
        one = "jax.tree.map(lambda leaf: jnp.expand_dims(leaf, 0), {})"
        return Caller(lambda a: f"«{name}»({one.format(a)})[0]", True)

    def as_grad_of_jit(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«jit»\n{plain}", name)
        return Caller(lambda a: self._gradient(f"«{name}»", a), True, f"«{name}».clear_cache()")

    def as_jit_of_grad(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, name)
        text = f"{name}_slope = «jit»(«value_and_grad»({name}, allow_int=True))"
        self.texts.add(home, text, f"{name}_slope")
        return Caller(
            lambda a: f"«{name}_slope»({a})[0]",
            True,
            f"«{name}_slope».clear_cache()",
        )

    def as_eager_grad(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, name)
        return Caller(lambda a: self._gradient(f"«{name}»", a), True)

    @staticmethod
    def _gradient(function: str, value: str) -> str:
        return f"«value_and_grad»({function}, allow_int=True)({value})[0]"

    def as_checkpoint(self, home: str, name: str, plain: str) -> Caller:
        text = f"@«checkpoint»\n{plain}"
        return self._named(home, name, text, clear=False)

    def as_grad_of_checkpoint(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«checkpoint»\n{plain}", name)
        return Caller(lambda a: self._gradient(f"«{name}»", a), True)

    def as_scan(self, home: str, name: str, plain: str) -> Caller:
        step = f"def {name}_step(c, x):\n    return c + {name}(x), c"
        self.texts.add(home, f"{plain}\n\n\n{step}", name, f"{name}_step")
        stacked = "jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), {})"
        return Caller(lambda a: f"«scan»(«{name}_step», 0.0, {stacked.format(a)})[0]", True)

    def as_fori_loop(self, home: str, name: str, plain: str) -> Caller:
        step = f"def {name}_step(i, state):\n    c, x = state\n    return c + {name}(x), x"
        self.texts.add(home, f"{plain}\n\n\n{step}", name, f"{name}_step")
        return Caller(lambda a: f"«fori_loop»(0, 2, «{name}_step», (0.0, {a}))[0]", True)

    def as_while_loop(self, home: str, name: str, plain: str) -> Caller:
        step = f"def {name}_step(state):\n    n, c, x = state\n    return n + 1, c + {name}(x), x"
        go = f"def {name}_go(state):\n    return state[0] < 2"
        self.texts.add(home, f"{plain}\n\n\n{step}\n\n\n{go}", name, f"{name}_step", f"{name}_go")
        return Caller(lambda a: f"«while_loop»(«{name}_go», «{name}_step», (0, 0.0, {a}))[1]", True)

    def as_cond(self, home: str, name: str, plain: str) -> Caller:
        other = f"def {name}_other(x):\n    return 0.0 * {name}(x)"
        self.texts.add(home, f"{plain}\n\n\n{other}", name, f"{name}_other")
        return Caller(lambda a: f"«cond»(jnp.array(True), «{name}», «{name}_other», {a})", True)

    def as_switch(self, home: str, name: str, plain: str) -> Caller:
        other = f"def {name}_other(x):\n    return jnp.array(0.0)"
        self.texts.add(home, f"{plain}\n\n\n{other}", name, f"{name}_other")
        return Caller(lambda a: f"«switch»(jnp.array(0), [«{name}», «{name}_other»], {a})", True)

    def as_make_jaxpr(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«jit»\n{plain}", name)
        return Caller(
            lambda a: self.random.choice([f"jax.make_jaxpr(«{name}»)({a})", f"«{name}»({a})"]),
            True,
            f"«{name}».clear_cache()",
            shown=False,
        )

    def as_eval_shape(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, plain, name)
        return Caller(
            lambda a: self.random.choice(
                [f"jax.eval_shape(«{name}», {a})", f"«jit»(«{name}»)({a})"]
            ),
            True,
            shown=False,
        )

    def as_lowered(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«jit»\n{plain}", name)
        return Caller(
            lambda a: self.random.choice([f"«{name}».lower({a})", f"«{name}»({a})"]),
            True,
            f"«{name}».clear_cache()",
            shown=False,
        )

    def as_compiled(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«jit»\n{plain}", name)
        made = f"{name}_made"

        def use(argument: str) -> str:
            if made not in self.texts.home:
                self.texts.add("main", f"{made} = «{name}».lower({argument}).compile()", made)
                fixed.append(argument)
            return f"«{made}»({fixed[0]})"

        fixed: list[str] = []
        return Caller(use, True, f"«{name}».clear_cache()")

    def as_lru_cache_factory(self, home: str, name: str, plain: str) -> Caller:
        inner = indented(f"@«jit»\n{plain}\n\nreturn {name}")
        head = "@«lru_cache»(maxsize=None)\n"
        text = f"{head}def make_{name}(k):\n{inner}"
        self.texts.add(home, text, f"make_{name}")
        return Caller(lambda a: f"«make_{name}»(1)({a})", True, value=f"make_{name}")

    def as_factory(self, home: str, name: str, plain: str) -> Caller:
        inner = indented(f"def {name}_inner(x):\n    return k * {name}_plain(x)")
        text = plain.replace(f"def {name}", f"def {name}_plain")
        text += f"\n\n\ndef make_{name}(k):\n{inner}\n\n    return «jit»({name}_inner)"
        self.texts.add(home, text, f"{name}_plain", f"make_{name}")
        if self.chance(0.5):
            self.feature("caller: factory, made anew")
            return Caller(lambda a: f"«make_{name}»(2.0)({a})", True)
        return self._named(home, name, f"{name} = make_{name}(2.0)")

    def as_method(self, home: str, name: str, plain: str) -> Caller:
        text = plain.replace(f"def {name}(x)", "def step(self, x)")
        jit = self.random.choice(["«filter_jit»", "«partial»(«jit», static_argnums=0)"])
        owner = f"Owner_{name}"
        base = "(eqx.Module)" if "filter" in jit else ""
        text = f"class {owner}{base}:\n" + indented(f"@{jit}\n{text}")
        if self.chance(0.4):
            self.feature("method: inherited")
            text += f"\n\n\nclass {owner}Child({owner}):\n    pass"
            self.texts.add(home, text, owner, f"{owner}Child")
            owner += "Child"
        else:
            self.texts.add(home, text, owner)
        return self._kept_object(home, name, owner)

    def as_method_that_calls_a_method(self, home: str, name: str, plain: str) -> Caller:
        text = plain.replace(f"def {name}(x)", "def part(self, x)")
        owner, child = f"Owner_{name}", f"Child_{name}"
        run = "@«partial»(«jit», static_argnums=0)\ndef step(self, x):\n    return self.part(x)"
        default = "def part(self, x):\n    return jnp.array(0.0)"
        self.texts.add(
            home,
            f"class {owner}:\n{indented(run)}\n\n{indented(default)}\n\n\n"
            f"class {child}({owner}):\n{indented(text)}",
            owner,
            child,
        )
        return self._kept_object(home, name, child)

    def as_jit_in_an_attribute(self, home: str, name: str, plain: str) -> Caller:
        text = plain.replace(f"def {name}(x)", "def _step(self, x)")
        owner = f"Owner_{name}"
        init = "def __init__(self):\n    self.step = «jit»(self._step)"
        self.texts.add(home, f"class {owner}:\n{indented(init)}\n\n{indented(text)}", owner)
        return self._kept_object(home, name, owner)

    def _kept_object(self, home: str, name: str, owner: str) -> Caller:
        if self.chance(0.25):
            self.feature("method: of a new object each time")
            return Caller(lambda a: f"«{owner}»().step({a})", True)
        self.texts.add(home, f"{name}_object = {owner}()", f"{name}_object")
        return Caller(lambda a: f"«{name}_object».step({a})", True, value=name)

    def as_custom_jvp(self, home: str, name: str, plain: str) -> Caller:
        text = plain.replace(f"def {name}", f"def {name}_inner")
        rule = (
            f"@{name}_inner.defjvp\ndef {name}_rule(primals, tangents):\n"
            f"    return {name}_inner(*primals), jnp.array(1.0)"
        )
        outer = f"@«jit»\ndef {name}(x):\n    return {name}_inner(x)"
        self.texts.add(home, f"@jax.custom_jvp\n{text}\n\n\n{rule}", f"{name}_inner")
        return self._named(home, name, outer)

    def as_disabled(self, home: str, name: str, plain: str) -> Caller:
        self.texts.add(home, f"@«jit»\n{plain}", name)

        def use(argument: str) -> str:
            if self.chance(0.6):
                return f"«{name}»({argument})"
            return f"«{name}_off»({argument})"

        off = f"def {name}_off(x):\n    with jax.disable_jit():\n        return {name}(x)"
        self.texts.add(home, off, f"{name}_off")
        return Caller(use, True, f"«{name}».clear_cache()")

    # of the dispatched function itself

    def of_function_jit_kept(self, home: str, name: str, f: Function) -> Caller:
        self.texts.add(home, f"{name} = «jit»(«{f.name}»)", name)
        return Caller(lambda a: f"jnp.sum(1.0 * «{name}»({a}))", True, f"«{name}».clear_cache()")

    def of_function_jit_anew(self, home: str, name: str, f: Function) -> Caller:
        clear = f"«jit»(«{f.name}»).clear_cache()"
        return Caller(lambda a: f"jnp.sum(1.0 * «jit»(«{f.name}»)({a}))", True, clear)

    def of_function_filter_jit(self, home: str, name: str, f: Function) -> Caller:
        self.texts.add(home, f"{name} = «filter_jit»(«{f.name}»)", name)
        return Caller(lambda a: f"jnp.sum(1.0 * «{name}»({a}))", True)

    def of_function_checkpoint(self, home: str, name: str, f: Function) -> Caller:
        return Caller(lambda a: f"jnp.sum(1.0 * «checkpoint»(«{f.name}»)({a}))", True)

    def of_function_vmap(self, home: str, name: str, f: Function) -> Caller:
        stacked = "jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), {})"
        return Caller(lambda a: f"jnp.sum(«vmap»(«{f.name}»)({stacked.format(a)}))", True)

    def of_function_jit_of_vmap(self, home: str, name: str, f: Function) -> Caller:
        self.texts.add(home, f"{name} = «jit»(«vmap»(«{f.name}»))", name)
        stacked = "jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), {})"
        return Caller(
            lambda a: f"jnp.sum(1.0 * «{name}»({stacked.format(a)}))",
            True,
            f"«{name}».clear_cache()",
        )

    def of_function_jit_of_partial(self, home: str, name: str, f: Function) -> Caller:
        self.texts.add(home, f"{name} = «jit»(«partial»(«{f.name}»))", name)
        return Caller(lambda a: f"jnp.sum(1.0 * «{name}»({a}))", True, f"«{name}».clear_cache()")

    def of_function_make_jaxpr(self, home: str, name: str, f: Function) -> Caller:
        def use(argument: str) -> str:
            if self.chance(0.5):
                return f"jax.make_jaxpr(«{f.name}»)({argument})"
            return f"«jit»(«{f.name}»)({argument})"

        return Caller(use, True, shown=False)

    def of_function_lowered(self, home: str, name: str, f: Function) -> Caller:
        def use(argument: str) -> str:
            if self.chance(0.5):
                return f"«jit»(«{f.name}»).lower({argument})"
            return f"«jit»(«{f.name}»)({argument})"

        return Caller(use, True, shown=False)

    # --- the order of things ------------------------------------------------------------------

    def _value(self, arrays: bool) -> str:
        if arrays:
            if self.chance(0.08):
                return self.random.choice(["3", "2.0"])
            return self.random.choice(ARRAYS)
        return f"«{self.random.choice(self.classes)[0]}»({self.random.choice(ARRAYS[:3])})"

    def use(self, caller: Caller, module: str = "main") -> str:
        """A statement that calls something compiled."""
        argument = self._value(caller.arrays)
        used = caller.use(argument)
        if not caller.shown:
            return used
        number = next(self.numbers)
        return f'print("{module} {number}", float({used}))'

    def timeline(self) -> None:
        for _ in range(self.random.choice([1, 1, 2])):
            if not self.callers or self.chance(0.6):
                self.callers.append(self.make_caller("main"))
        self.emit(self.use(self.random.choice(self.callers)))
        last: list[Caller] = [self.callers[-1]]
        for _ in range(self.random.randint(3, 8)):
            pick = self.random.random()
            if pick < 0.27:
                caller = self.random.choice([*self.callers, *last])
                self.event(self.use(caller), "use")
                last = [caller]
            elif pick < 0.78 or not self.callers:
                self.registration()
            elif pick < 0.85:
                self.clear()
            elif pick < 0.95 and self.waiting:
                self.late_import()
            else:
                self.callers.append(self.make_caller("main"))
                self.emit(self.use(self.callers[-1]))
        while self.waiting and self.chance(0.8):
            self.late_import()
        self.emit(self.use(self.random.choice(self.callers)))

    def emit(self, text: str, *names: str) -> None:
        self.texts.add("main", text, *names)

    def event(self, text: str, kind: str, *, plain: bool = False) -> None:
        """A statement of `main`, as it is, in a branch or in a loop."""
        pick = self.random.random()
        if kind == "use" and self.chance(0.1):
            pick = 0.96
        if not plain and self.chance(0.04):
            self.feature(f"control flow: {kind} in a thread")
            name = self.name("act")
            thread = f"{name}_thread = threading.Thread(target={name})"
            self.emit("import threading")
            self.emit(f"def {name}():\n{indented(text)}", name)
            self.emit(f"{thread}\n{name}_thread.start()\n{name}_thread.join()")
        elif plain or pick < 0.75:
            self.emit(text)
        elif pick < 0.85:
            self.flag()
            self.feature(f"control flow: {kind} in a branch of the environment")
            self.emit(f"if {self.random.choice(['FLAG', 'not FLAG'])}:\n{indented(text)}")
        elif pick < 0.89:
            self.feature(f"control flow: {kind} in a literal branch")
            self.emit(f"if True:\n{indented(text)}")
        elif pick < 0.93:
            self.feature(f"control flow: {kind} in a loop")
            self.emit(f"for _ in range(2):\n{indented(text)}")
        elif pick < 0.97 or (kind == "use" and self.chance(0.5)):
            self.feature(f"control flow: {kind} in try")
            self.emit(f"try:\n{indented(text)}\nexcept LookupError:\n    print('none')")
        else:
            self.feature(f"control flow: {kind} in a function")
            name = self.name("act")
            self.emit(f"def {name}():\n{indented(text)}\n\n\n{name}()", name)

    def flag(self) -> None:
        if "FLAG" not in self.texts.home:
            self.emit('FLAG = os.environ.get("PLUM_FLAG") == "1"', "FLAG")

    def clear(self) -> None:
        clearable = [c.clear for c in self.callers if c.clear]
        pick = self.random.random()
        if pick < 0.5 or not clearable:
            self.feature("clear: jax.clear_caches()")
            self.event("jax.clear_caches()", "clear")
        elif pick < 0.75:
            self.feature("clear: of one")
            self.event(self.random.choice(clearable), "clear")
        else:
            self.feature("clear: of all")
            self.event("\n".join(dict.fromkeys(clearable)), "clear")

    def late_import(self) -> None:
        module = self.waiting.pop(0)
        activates = self.late_text(module)
        path = self.texts.path(module)
        forms = {
            "import": f"import {path}",
            "from": f"from {path} import mark_{module}",
            "star": f"from {path} import *",
            "importlib": f'importlib.import_module("{path}")',
            "in a function": f"def load_{module}():\n    import {path}\n\n\nload_{module}()",
        }
        if self.texts.inside:
            forms["from package"] = f"from {self.texts.package} import {module}"
        form = self.random.choice([*forms])
        self.feature(f"late import: {form}")
        self.event(forms[form], "late import", plain=form in ("in a function", "star"))
        if activates:
            self.feature("late import: and a call into it")
            self.event(f"from {path} import activate_{module}\n\nactivate_{module}()", "call")

    def late_text(self, module: str) -> bool:
        """Writes a module that registers; whether it has a function that does."""
        self.texts.add(module, f"mark_{module} = 1", f"mark_{module}")
        function = self.random.choice([f for f in self.functions if f.home != "main"] or [None])
        if function is None:
            function = self.random.choice(self.functions)
            if function.dispatcher != "«dispatch»" or function.second or self.main_classes():
                return False
        text = self.plain_form(function, module)
        if self.chance(0.3):
            inner = indented(text)
            name = f"activate_{module}"
            self.texts.add(module, f"def {name}():\n{inner}", name)
            return True
        self.texts.add(module, text)
        if self.chance(0.25) and self.callers and "work" in self.modules:
            ours = [c for c in self.callers if c.value and self.texts.home.get(c.value) == "work"]
            if ours and not self.main_classes():
                self.feature("use: while a module is imported")
                self.texts.add(module, self.use(ours[0], module))
        return False

    def main_classes(self) -> bool:
        return bool(self.classes) and self.texts.home[self.classes[0][0]] == "main"

    def plain_form(self, function: Function, module: str) -> str:
        """A registration that any module can make by name."""
        hint = self.hint(function)
        if "«" in hint and self.main_classes() and module != "main":
            hint = "jax.Array"
        own = function.dispatcher.strip("«»").partition("»")[0]
        if self.texts.home.get(own) == "main" and module != "main":
            decorator = f"@«{function.name}».dispatch"
            return self.definition(
                function, hint, home=module, name=self.name("more"), decorator=decorator
            )
        return self.definition(function, hint, home=module)

    def registration(self) -> None:
        function = self.random.choice(self.functions)
        hint = self.hint(function)
        forms = {
            "dispatch": 5,
            "f.dispatch": 3,
            "f.dispatch with precedence": 1,
            "f.register": 2,
            "dispatch(g)": 1,
            "multi": 1,
            "dispatch_multi": 1,
            "overload": 1,
            "in a function": 2,
            "in a loop of types": 1,
            "in a function that runs twice": 1,
        }
        form = self.random.choices([*forms], [*forms.values()])[0]
        single = function.takes_one
        if form in ("multi", "dispatch_multi", "in a loop of types") and not single:
            form = "dispatch"
        self.feature(f"registration: {form}")
        name = self.name("more")
        d, f = function.dispatcher, f"«{function.name}»"
        define = self.definition
        if form == "dispatch":
            text = define(function, hint, home="main")
        elif form == "f.dispatch":
            text = define(function, hint, home="main", name=name, decorator=f"@{f}.dispatch")
        elif form == "f.dispatch with precedence":
            at = f"@{f}.dispatch(precedence={self.random.choice([-1, 1])})"
            text = define(function, hint, home="main", name=name, decorator=at)
        elif form == "f.register":
            text = define(function, hint, home="main", name=name, decorator="")
            more = self.random.choice(["", "", ", precedence=1"])
            text += f"\n\n\n{f}.register({name}{more})"
        elif form == "dispatch(g)":
            inner = indented(define(function, hint, home="main", decorator=""))
            text = f"def {name}():\n{inner}\n\n    return {function.name}\n\n\n{d}({name}())"
        elif form in ("multi", "dispatch_multi"):
            other = self.hint(function)
            pair = [h if h else "object" for h in (hint, other)]
            if pair[0] == pair[1]:
                pair = pair[:1]
            at = f"{d}.multi" if form == "multi" else f"{f}.dispatch_multi"
            at = f"@{at}({', '.join(f'({h},)' for h in pair)})"
            number = next(self.numbers)
            called = function.name if form == "multi" else name
            text = f"{at}\ndef {called}(x):\n    return jnp.array({number}.0)"
        elif form == "overload":
            one = define(function, hint, home="main", decorator="@«overload»")
            text = f"{one}\n\n\n@{d}\ndef {function.name}(*args):\n    pass"
        elif form == "in a function":
            inner = indented(define(function, hint, home="main"))
            text = f"def {name}():\n{inner}\n\n\n{name}()"
        elif form == "in a loop of types":
            pool = [f"«{n}»" for n, _ in self.classes] if not function.arrays else []
            pool = pool or ["jax.Array", "int", "float"]
            pair = self.random.sample(pool, k=min(2, len(pool)))
            inner = indented(define(function, "Kind", home="main"))
            function.hints.remove("Kind")
            text = f"for Kind in ({', '.join(pair)},):\n{inner}"
        else:
            inner = indented(define(function, hint, home="main"))
            text = f"def {name}():\n{inner}"
            self.emit(text, name)
            self.emit(f"{name}()")
            self.event(self.use(self.random.choice(self.callers)), "use")
            text = f"{name}()"
        self.event(text, "registration")


def generate(seed: int) -> Project:
    """The program of a seed."""
    return Generator(seed).project()
