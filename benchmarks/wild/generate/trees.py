"""Categories of more than one file: packages with plugins, and tests that pytest runs."""

from __future__ import annotations

from benchmarks.wild.generate import kinds
from benchmarks.wild.generate.base import FUNCTIONS, HEADER, LEAF, Files, Gen, block, inside, joined
from benchmarks.wild.generate.callers import caller
from benchmarks.wild.generate.registering import clear_all
from benchmarks.wild.generate.statements import basic
from benchmarks.wild.generate.story import Story, methods_of

PACKAGES = ("sim", "phys", "field_kit", "geo")


def packages(gen: Gen) -> Files:
    """A package with subpackages; plugins that register when they are imported or activated."""
    known = kinds.kinds(gen, 3, 3)
    package, function = gen.pick(PACKAGES), gen.pick(FUNCTIONS)
    names = ", ".join(known.names)
    own = gen.chance(0.6)
    disp = (
        "from plum import Dispatcher\n\ndispatch = Dispatcher(warn_redefinition=False)\n"
        if own
        else "from plum import dispatch\n"
    )
    made = [caller(gen, f"run{i + 1}", function) for i in range(2)]
    runs = ", ".join(c.name for c in made)

    def plugin(depth: str, count: int) -> str:
        head = (
            f"{HEADER}from {depth}_disp import dispatch\n\nfrom {depth}types import {names}, leaf"
        )
        blocks = [head]
        for _ in range(count):
            asked = kinds.annotation(gen, known)
            blocks.append(
                f"@dispatch\ndef {function}(v: {asked}):\n    return leaf(v) * {gen.number()}"
            )
        if gen.chance(0.3):
            blocks[-1] = f"def install():\n{inside(blocks[-1])}\n\n\ninstall()"
        return joined(blocks)

    core = [
        f"{HEADER}from .._disp import dispatch\n\nfrom ..types import {names}, leaf",
        *methods_of(gen, "dispatch", function, known),
    ]
    lazy = gen.pick(["from . import extra\n    return extra",
                     "import importlib\n    return importlib.import_module('.extra', __package__)",
                     "from .extra import dispatch\n    return dispatch"])  # fmt: skip
    files: Files = {
        f"{package}/__init__.py": f"from .types import {names}\nfrom .ops import {function}\n"
        f"from .algo import {runs}\n",
        f"{package}/_disp.py": disp,
        f"{package}/types.py": joined([HEADER, *known.source, LEAF]),
        f"{package}/ops/__init__.py": gen.pick(
            [
                "from .core import *\n",
                f"from .core import {function}\n",
                f"from . import core\n\n{function} = core.{function}\n",
                f"from .core import {function} as {function}\n",
            ]
        ),
        f"{package}/ops/core.py": joined(core),
        f"{package}/algo.py": joined(
            [
                f"{HEADER}from ._disp import dispatch\n\nfrom .types import {names}, leaf\n"
                + gen.pick([f"from .ops.core import {function}", f"from .ops import {function}"]),
                *[c.source for c in made],
            ]
        ),
        f"{package}/plugins/__init__.py": f"def activate():\n    {lazy}\n",
        f"{package}/plugins/extra.py": plugin("..", gen.rng.randint(1, 2)),
        f"{package}/late.py": plugin(".", 1),
        f"{package}/more.py": plugin(".", 1),
    }
    if gen.chance(0.3):  # a call when the package is imported
        value = f"{gen.pick(known.names)}(jnp.ones(2))"
        files[f"{package}/__init__.py"] += (
            f"import jax.numpy as jnp\n\nCHECKED = {gen.pick(made).name}({value})\n"
        )
        if gen.chance(0.5):
            files[f"{package}/__init__.py"] += "from . import more\n"
    imports = (
        f"from {package}._disp import dispatch\n\nfrom {package}.types import {names}, leaf\n"
        f"from {package} import {runs}, {function}"
    )
    told = Story(gen, known, imports, "dispatch", [function], made, [])
    told.blocks.append(told.call())
    brings = [
        f"from {package}.plugins import extra",
        f"import {package}.plugins.extra",
        f"from {package}.plugins import activate\n\nactivate()",
        f"from {package} import plugins\n\nplugins.activate()",
        f"importlib.import_module('{package}.plugins.extra')",
        f"importlib.import_module('{package}.late')",
        f"import {package}.late",
        f"from {package} import late",
        f"from {package}.late import *",
        f"from {package}.late import dispatch as _late",
        f"for _name in ('late', 'more'):\n    importlib.import_module(f'{package}.{{_name}}')",
        f"try:\n    import {package}.missing\nexcept ImportError:\n    import {package}.late",
        f"def load():\n    import {package}.more\n\n\nload()",
        f"import {package}.more as more\n\nimportlib.reload(more)",
        f"import {package}.late\n\n\nimportlib.reload({package}.late)",
        f"with contextlib.suppress(ImportError):\n    from {package}.plugins import extra",
        f"__import__('{package}.late')",
    ]
    for _ in range(gen.rng.randint(5, 8)):
        draw = gen.rng.random()
        if draw < 0.42:
            told.blocks.append(told.call())
        elif draw < 0.62:
            told.blocks.append(told.registration())
        elif draw < 0.9:
            told.blocks.append(block(gen.pick(brings)))
        else:
            told.blocks.append(told.clear())
    return {"main.py": told.text(), **files}


def tests(gen: Gen) -> Files:
    """A test file: fixtures, parameters, monkeypatch, classes; run in the order of the file."""
    known = kinds.kinds(gen)
    function = gen.pick(FUNCTIONS)
    names = ", ".join([*known.names, "leaf"])
    made = [caller(gen, f"run{i + 1}", function) for i in range(2)]
    runs = ", ".join(c.name for c in made)
    imports = (
        f"import pytest\nfrom lib import {runs}, {function}, {names}\nfrom plum import dispatch"
    )
    lib = [
        HEADER + "from plum import dispatch",
        *known.source,
        LEAF,
        *methods_of(gen, "dispatch", function, known),
        *[c.source for c in made],
    ]
    told = Story(gen, known, imports, "dispatch", [function], made, [])
    if gen.chance(0.4):
        value = told.argument()
        told.blocks.append(
            f"@pytest.fixture\ndef ready():\n    return {gen.pick(made).name}({value})"
        )
    else:
        told.blocks.append(f"@pytest.fixture\ndef ready():\n    return {told.argument()}")
    if gen.chance(0.25):
        told.blocks.append(
            "@pytest.fixture(autouse=True)\ndef clean():\n    yield\n    jax.clear_caches()"
        )
    for index in range(gen.rng.randint(4, 7)):
        parts = [
            told.call(rich=False) if gen.chance(0.55) else told.registration(0.2)
            for _ in range(gen.rng.randint(1, 2))
        ]
        if gen.chance(0.08):
            parts.append(clear_all(gen))
        body = inside("\n".join(parts))
        run, value = gen.pick(made).name, told.argument()
        told.blocks.append(
            gen.pick(
                [
                    f"def test_{index}():\n{body}",
                    f"def test_{index}():\n{body}",
                    f"def test_{index}(ready):\n{body}",
                    f"class Test{index}:\n    def test_inside(self):\n{inside(body)}",
                    f"@pytest.mark.parametrize('n', [1, 2])\ndef test_{index}(n):\n    {run}({value})",
                    f"@pytest.mark.parametrize('v', [{value}, {told.argument()}])\n"
                    f"def test_{index}(v):\n    {run}(v)",
                    f"@pytest.mark.skip\ndef test_{index}():\n{body}",
                    f"def test_{index}():\n    with pytest.raises(KeyError):\n{inside(body)}\n"
                    "        raise KeyError('x')",
                    f"def test_{index}(monkeypatch):\n    monkeypatch.setenv('A', 'b')\n{body}",
                    f"def helper_{index}():\n{body}\n\n\ndef test_{index}():\n    helper_{index}()",
                ]
            )
        )
    name = gen.pick(["test_main.py", "test_methods.py"])
    text = told.text()
    return {"lib.py": joined(lib), name: text}


def handlers(gen: Gen) -> Files:
    """Registries, handlers in tables and loops, factories with captured values, aliases."""
    from benchmarks.wild.generate.story import WEIGHTS, story

    told = story(gen)
    function, d = told.functions[0], told.dispatch
    one, other = told.kinds.names[0], told.kinds.names[-1]
    runs = [c.name for c in told.callers]
    told.blocks.append(f"JOBS = {{{', '.join(f'{r!r}: {r}' for r in runs)}}}")

    def block_of() -> str:
        name, number, value = gen.name("reg"), gen.number(), told.argument()
        run = gen.pick(runs)
        short = f"@{d}\ndef {function}(v: {{c}}):\n    return leaf(v) * {{k}}"
        return gen.pick(
            [
                f"for _job in JOBS.values():\n    _job({value})",
                f"for _name, _job in JOBS.items():\n    if _name == '{run}':\n        _job({value})",
                f"[job({value}) for job in JOBS.values()]",
                f"JOBS['{run}']({value})",
                f"JOBS.get('{run}')({value})",
                f"getattr(type('Box', (), {{'go': staticmethod({run})}}), 'go')({value})",
                f"def {name}(k):\n{inside(short.format(c=one, k='k'))}\n    return k\n\n\n{name}({number})",
                f"class {name.capitalize()}:\n    def __init__(self, k):\n        self.k = k\n\n"
                f"    def install(self, cls):\n        k = self.k\n\n"
                f"{inside(short.format(c='cls', k='k'), 2)}\n        return self\n\n\n"
                f"{name.capitalize()}({number}).install({gen.pick([one, other])})",
                f"REGISTRY_{name} = {{}}\n\n\ndef {name}(cls):\n    def wrap(fn):\n"
                f"        REGISTRY_{name}[cls] = fn\n        {function}.dispatch_multi((cls,))(fn)\n"
                f"        return fn\n    return wrap\n\n\n@{name}({one})\ndef impl_{name}(v):\n"
                f"    return leaf(v) * {number}",
                f"PENDING_{name} = []\n\n\ndef {name}(fn):\n    PENDING_{name}.append(fn)\n    return fn\n"
                f"\n\n@{name}\ndef impl_{name}(v: {one}):\n    return leaf(v) * {number}\n\n\n"
                f"for _fn in PENDING_{name}:\n    {function}.register(_fn)",
                f"def {name}(cls, k=2.0):\n    def impl(v: cls):\n        return leaf(v) * k * {number}\n"
                f"    {function}.register(impl)\n\n\n{name}({other})",
                f"RULES_{name} = {{{one}: {number}, jax.Array: {gen.number()}}}\n"
                f"for _cls, _k in RULES_{name}.items():\n\n"
                f"    def impl_{name}(v, _k=_k):\n        return leaf(v) * _k\n\n"
                f"    {function}.dispatch_multi((_cls,))(impl_{name})",
                f"class {name.capitalize()}:\n    def __init_subclass__(cls, of=None):\n"
                f"{inside(short.format(c='of', k=number), 2)}\n\n\n"
                f"class {name.capitalize()}Rule({name.capitalize()}, of={gen.pick([one, other])}):\n    pass",
                f"(lambda fn: {function}.dispatch_multi(({one},))(fn))(lambda v: leaf(v) * {number})",
                f"{function}.dispatch_multi(({other},))(lambda v: leaf(v) * {number})",
                f"also_{name} = {function}\n\n\n@also_{name}.dispatch\ndef _(v: {one}):\n"
                f"    return leaf(v) * {number}",
                f"def {name}():\n    global {function}\n\n{inside(short.format(c=one, k=number))}\n\n\n{name}()",
            ]
        )

    told.blocks.append(told.call())
    for _ in range(gen.rng.randint(5, 8)):
        if gen.chance(0.6):
            told.blocks.append(block_of())
        else:
            told.blocks.append(
                told.step(WEIGHTS) if gen.chance(0.8) else basic(gen, told.call(False))
            )
    return {"main.py": told.text()}
