"""Classes that a program hands to jitted functions, registered as pytrees in every way."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.wild.generate.base import Gen, block

NAMES = (
    "Beam", "Square", "Node", "Mesh", "Grid", "Circle", "Tile", "Wave", "Field", "Particle",
    "Lattice", "Token",
)  # fmt: skip

FORMS: dict[str, str] = {
    "module": """
class {n}({eqx}):
    x: jax.Array
""",
    "tuple": """
class {n}(NamedTuple):
    x: jax.Array
""",
    "frozen": """
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class {n}{base}:
    x: jax.Array
""",
    "tagged": """
@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class {n}{base}:
    x: jax.Array
    tag: str = dataclasses.field(default='t', metadata=dict(static=True))
""",
    "later": """
@dataclasses.dataclass
class {n}{base}:
    x: jax.Array


jax.tree_util.register_dataclass({n}, data_fields=['x'], meta_fields=[])
""",
    "node": """
class {n}{base}:
    def __init__(self, x):
        self.x = x


jax.tree_util.register_pytree_node({n}, lambda v: ((v.x,), None), lambda aux, ch: {n}(*ch))
""",
    "class": """
@jax.tree_util.register_pytree_node_class
class {n}{base}:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)
""",
    "keys": """
@jax.tree_util.register_pytree_with_keys_class
class {n}{base}:
    def __init__(self, x):
        self.x = x

    def tree_flatten_with_keys(self):
        return ((jax.tree_util.GetAttrKey('x'), self.x),), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)
""",
    "looped": """
class {n}{base}:
    def __init__(self, x):
        self.x = x
""",
}
PASSING = {
    "module": "class {n}({b}):\n    pass",
    "class": "@jax.tree_util.register_pytree_node_class\nclass {n}({b}):\n    pass",
    "keys": "@jax.tree_util.register_pytree_with_keys_class\nclass {n}({b}):\n    pass",
    "node": "class {n}({b}):\n    pass\n\n\njax.tree_util.register_pytree_node("
    "{n}, lambda v: ((v.x,), None), lambda aux, ch: {n}(*ch))",
    "looped": "class {n}({b}):\n    pass",
    "frozen": "@jax.tree_util.register_dataclass\n@dataclasses.dataclass(frozen=True)\n"
    "class {n}({b}):\n    x: jax.Array",
    "tagged": "@jax.tree_util.register_dataclass\n@dataclasses.dataclass(frozen=True)\n"
    "class {n}({b}):\n    x: jax.Array",
    "later": "@dataclasses.dataclass\nclass {n}({b}):\n    x: jax.Array\n\n\n"
    "jax.tree_util.register_dataclass({n}, data_fields=['x'], meta_fields=[])",
}
LOOP = """
for _cls in ({names},):
    jax.tree_util.register_pytree_node(_cls, lambda v: ((v.x,), None), lambda aux, ch, _cls=_cls: _cls(*ch))
"""


@dataclass(frozen=True)
class Kind:
    """A class, and what it derives from."""

    name: str
    form: str
    base: str = ""


@dataclass(frozen=True)
class Kinds:
    source: list[str]
    all: list[Kind]

    @property
    def names(self) -> list[str]:
        return [kind.name for kind in self.all]


def kinds(gen: Gen, least: int = 2, most: int = 3) -> Kinds:
    """Some classes of one program, now and then one derived from another."""
    made: list[Kind] = []
    source: list[str] = []
    for name in gen.some(NAMES, least, most):
        parents = [kind for kind in made if kind.form in PASSING]
        if parents and gen.chance(0.3):
            parent = gen.pick(parents)
            made.append(Kind(name, parent.form, parent.name))
            source.append(block(PASSING[parent.form].format(n=name, b=parent.name)))
            continue
        form = gen.pick(list(FORMS))
        source.append(block(FORMS[form].format(n=name, base="", eqx="eqx.Module")))
        made.append(Kind(name, form))
    looped = [kind.name for kind in made if kind.form == "looped"]
    if looped:
        source.append(block(LOOP.format(names=", ".join(looped))))
    return Kinds(source, made)


ARRAYS = (
    "jnp.ones(2)", "jnp.ones(2)", "jnp.ones(2)", "jnp.zeros((2, 2))", "jnp.full((2,), 3.0)",
    "jnp.array([1, 2])", "jnp.linspace(0.0, 1.0, 2)", "np.ones(2, dtype=np.float32)",
    "jnp.ones(2) * 2", "jnp.ones(2) + jnp.ones(2)", "jnp.ones(3)", "jnp.arange(2)",
    "jnp.asarray([0.5, 1.5])", "jnp.zeros_like(jnp.ones(2))",
)  # fmt: skip
SCALARS = ("2.0", "3", "jnp.float32(2)", "np.float32(1)", "jnp.array(1.0)", "True")


def array(gen: Gen) -> str:
    return gen.pick(ARRAYS)


def argument(gen: Gen, known: Kinds, arrays: float = 0.3) -> str:
    """What a jitted function is called with."""
    if gen.chance(arrays):
        return array(gen) if gen.chance(0.9) else gen.pick(SCALARS)
    return f"{gen.pick(known.names)}({array(gen)})"


def annotation(gen: Gen, known: Kinds, plain: float = 0.7) -> str:
    """What a method asks for."""
    name = gen.pick(known.names)
    if gen.chance(plain):
        return gen.pick([name, name, name, "jax.Array", "object"])
    other = gen.pick([*known.names, "jax.Array"])
    if other == name:
        return name
    return gen.pick(
        [f"Union[{name}, {other}]", f"{name} | {other}", f"Optional[{name}]", f"{name} | None"]
    )
