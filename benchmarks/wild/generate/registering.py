"""Every way to give a dispatched function a method."""

from __future__ import annotations

from benchmarks.wild.generate.base import Gen, block, inside
from benchmarks.wild.generate.statements import basic


def method(decorator: str, name: str, annotation: str, body: str, parameter: str = "v") -> str:
    return f"{decorator}\ndef {name}({parameter}: {annotation}):\n    {body}"


def decorated(gen: Gen, dispatch: str, function: str, annotation: str, body: str) -> str:
    """A definition under a decorator."""
    short = function.rsplit(".", 1)[-1]
    name = gen.pick(["_", gen.name("impl")])
    return gen.pick(
        [
            method(f"@{dispatch}", short, annotation, body),
            method(f"@{dispatch}", short, annotation, body),
            method(f"@{dispatch}", short, annotation, body),
            method(f"@{function}.dispatch", name, annotation, body),
            method(f"@{dispatch}(precedence={gen.pick([-1, 0, 1, 2])})", short, annotation, body),
            method(f"@{function}.dispatch(precedence={gen.pick([0, 1])})", name, annotation, body),
            f"@{dispatch}.multi(({annotation},))\ndef {short}(v):\n    {body}",
            f"@{function}.dispatch_multi(({annotation},))\ndef {gen.name('impl')}(v):\n    {body}",
        ]
    )


def called(gen: Gen, dispatch: str, function: str, annotation: str, body: str) -> str:
    """A definition that a call registers."""
    short = function.rsplit(".", 1)[-1]
    name = gen.name("impl")
    define = f"def {name}(v: {annotation}):\n    {body}"
    bare = f"def {name}(v):\n    {body}"
    renamed = f"{define}\n\n\n{name}.__name__ = '{short}'\n"
    return gen.pick(
        [
            f"{define}\n\n\n{function}.register({name})",
            f"{define}\n\n\n{function}.dispatch({name})",
            f"{renamed}{dispatch}({name})",
            f"{renamed}{dispatch}({name})",
            f"{bare}\n\n\n{function}.dispatch_multi(({annotation},))({name})",
            f"{define}\n\n\nadd_{name} = {function}.register\nadd_{name}({name})",
            f"{renamed}add_{name} = {dispatch}\nadd_{name}({name})",
            f"{define}\n\n\nfor _impl in ({name},):\n    {function}.dispatch(_impl)",
            f"{renamed}list(map({dispatch}, [{name}]))",
            f"{define}\n\n\n{function}.dispatch(precedence={gen.pick([0, 1])})({name})",
        ]
    )


def installed(gen: Gen, text: str) -> str:
    """A registration within something that is called."""
    name = gen.name("install")
    capital = name.capitalize()
    return block(
        gen.pick(
            [
                f"def {name}():\n{inside(text)}\n\n\n{name}()",
                f"def {name}():\n{inside(text)}\n\n\n{name}()",
                f"def {name}():\n    def deeper():\n{inside(text, 2)}\n    deeper()\n\n\n{name}()",
                f"class {capital}:\n    @classmethod\n    def install(cls):\n{inside(text, 2)}\n\n\n"
                f"{capital}.install()",
                f"class {capital}:\n    @staticmethod\n    def install():\n{inside(text, 2)}\n\n\n"
                f"{capital}().install()",
                f"class {capital}:\n    def __init__(self):\n{inside(text, 2)}\n\n\n{capital}()",
                f"class {capital}:\n    def __init_subclass__(cls):\n{inside(text, 2)}\n\n\n"
                f"class {capital}Plus({capital}):\n    pass",
                f"def {name}():\n{inside(text)}\n\n\nfor _hook in [{name}]:\n    _hook()",
                f"def {name}():\n{inside(text)}\n    return True\n\n\nassert {name}()",
                f"def {name}(flag):\n    if flag:\n{inside(text, 2)}\n\n\n{name}(True)",
                f"def {name}(flag=False):\n    if flag:\n        return\n{inside(text)}\n\n\n{name}()",
                f"HOOKS_{name} = {{}}\n\n\ndef {name}():\n{inside(text)}\n\n\nHOOKS_{name}['a'] = {name}\n"
                f"HOOKS_{name}['a']()",
                f"@functools.lru_cache\ndef {name}():\n{inside(text)}\n\n\n{name}()\n{name}()",
                f"def {name}(then):\n{inside(text)}\n    return then()\n\n\n{name}(lambda: 1)",
                f"partial_{name} = None\n\n\ndef {name}(flag):\n{inside(text)}\n\n\n"
                f"partial_{name} = partial({name}, 1)\npartial_{name}()",
                f"@contextlib.contextmanager\ndef {name}():\n{inside(text)}\n    yield\n\n\n"
                f"with {name}():\n    pass",
            ]
        )
    )


def for_classes(gen: Gen, dispatch: str, function: str, names: list[str], number: str) -> str:
    """One definition for some classes."""
    short = function.rsplit(".", 1)[-1]
    name = gen.name("fn")
    classes = ", ".join(names)
    define = f"@{dispatch}\ndef {short}(v: cls):\n    return leaf(v) * "
    return block(
        gen.pick(
            [
                f"def {name}(k):\n    def add(cls):\n{inside(define + 'k', 2)}\n        return cls\n"
                f"    return add\n\n\nfor cls in ({classes},):\n    {name}({number})(cls)",
                f"def {name}(cls, k):\n{inside(define + 'k')}\n\n\nfor cls in ({classes},):\n"
                f"    {name}(cls, {number})",
                f"for cls in ({classes},):\n{inside(define + number)}",
                f"def {name}(cls):\n{inside(define + number)}\n    return cls\n\n\n"
                f"list(map({name}, [{classes}]))",
                f"def {name}(cls):\n{inside(define + number)}\n\n\n[{name}(c) for c in ({classes},)]",
                f"def {name}(**table):\n    for _, cls in table.items():\n{inside(define + number, 2)}\n"
                f"\n\n{name}({', '.join(f'a{i}={n}' for i, n in enumerate(names))})",
                f"def {name}(cls):\n    def impl(v: cls):\n        return leaf(v) * {number}\n"
                f"    impl.__name__ = '{short}'\n    return {dispatch}(impl)\n\n\n"
                f"for cls in ({classes},):\n    {name}(cls)",
            ]
        )
    )


def by_own_decorator(gen: Gen, dispatch: str, function: str, annotation: str, body: str) -> str:
    short = function.rsplit(".", 1)[-1]
    name = gen.name("deco")
    return block(
        gen.pick(
            [
                f"def {name}(fn):\n    return {dispatch}(fn)\n\n\n"
                f"{method(f'@{name}', short, annotation, body)}",
                f"def {name}(fn):\n    {function}.register(fn)\n    return fn\n\n\n"
                f"{method(f'@{name}', gen.name('impl'), annotation, body)}",
                f"def {name}(kind):\n    def wrap(fn):\n        {function}.dispatch_multi((kind,))(fn)\n"
                f"        return fn\n    return wrap\n\n\n@{name}({annotation})\n"
                f"def {gen.name('impl')}(v):\n    {body}",
                f"{name} = {dispatch}\n\n\n{method(f'@{name}', short, annotation, body)}",
                f"{name} = partial({dispatch}, precedence=0)\n\n\n"
                f"{method(f'@{name}()', short, annotation, body)}",
            ]
        )
    )


def registration(gen: Gen, dispatch: str, function: str, annotation: str, rich: float = 0.4) -> str:
    """A block that registers one method."""
    body = f"return leaf(v) * {gen.number()}"
    form = gen.pick([decorated, decorated, decorated, called, by_own_decorator])
    if form is by_own_decorator and gen.chance(0.6):
        form = decorated
    text = block(form(gen, dispatch, function, annotation, body))
    if gen.chance(rich):
        return installed(gen, text) if gen.chance(0.6) else basic(gen, text)
    return text


# --- clearing -------------------------------------------------------------------------------


def clear_all(gen: Gen) -> str:
    name = gen.name("reset")
    call = "jax.clear_caches()"
    return block(
        gen.pick(
            [
                call,
                call,
                basic(gen, call),
                f"def {name}():\n    {call}\n\n\n{name}()",
                f"{name} = jax.clear_caches\n{name}()",
                f"for {name} in (jax.clear_caches,):\n    {name}()",
                f"class {name.capitalize()}:\n    def __exit__(self, *exc):\n        {call}\n\n"
                f"    def __enter__(self):\n        return self\n\n\nwith {name.capitalize()}():\n    pass",
                f"@contextlib.contextmanager\ndef {name}():\n    try:\n        yield\n    finally:\n"
                f"        {call}\n\n\nwith {name}():\n    pass",
                f"def {name}(hard=True):\n    if hard:\n        {call}\n        return\n    print('soft')\n"
                f"\n\n{name}()",
            ]
        )
    )


def clear_some(gen: Gen, parts: list[str]) -> str:
    """Clears jitted functions one by one."""
    name = gen.name("reset")
    if not parts:
        return "pass"
    names = ", ".join(parts)
    return block(
        gen.pick(
            [
                "\n".join(f"{part}.clear_cache()" for part in parts),
                "\n".join(f"{part}.clear_cache()" for part in parts),
                f"for fn in ({names},):\n    fn.clear_cache()",
                f"def {name}(*fns):\n    for fn in fns:\n        fn.clear_cache()\n\n\n{name}({names})",
                f"def {name}():\n" + "\n".join(f"    {part}.clear_cache()" for part in parts)
                + f"\n\n\n{name}()",
                "try:\n    pass\nfinally:\n" + "\n".join(f"    {part}.clear_cache()" for part in parts),
                f"[fn.clear_cache() for fn in [{names}]]",
            ]
        )
    )  # fmt: skip
