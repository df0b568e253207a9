"""How a statement can stand in a program: in branches that run, loops, functions, contexts."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.wild.generate.base import Gen, block, inside

Wrap = Callable[[Gen, str], str]

TRUE = ("True", "len(str(1)) == 1", "jax.__version__", "len([1]) == 1", "not DEBUG", "ENABLE",
        "VERSION >= (1, 0)", "MODE == 'train'", "'a' in {'a': 1}", "isinstance(1, int)",
        "(lambda: True)()", "bool([0])", "MODE.startswith('tr')", "VERSION[0] == 1")  # fmt: skip
FALSE = ("DEBUG", "VERSION >= (2, 0)", "MODE == 'test'", "not ENABLE", "False", "len([]) == 1",
         "VERSION[1] == 3", "None", "MODE in ('eval', 'test')")  # fmt: skip
PLAIN_TRUE = ("True", "len(str(1)) == 1", "jax.__version__", "len([1]) == 1", "isinstance(1, int)")


def plainly(gen: Gen, text: str) -> str:
    return text


def in_if(gen: Gen, text: str) -> str:
    return f"if {gen.pick(PLAIN_TRUE)}:\n{inside(text)}"


def in_null_context(gen: Gen, text: str) -> str:
    context = gen.pick(
        ["contextlib.nullcontext()", "jax.named_scope(chr(97))", "contextlib.suppress(ImportError)",
         "contextlib.ExitStack()", "contextlib.suppress(KeyError, ValueError)"]
    )  # fmt: skip
    return f"with {context}:\n{inside(text)}"


def in_finally(gen: Gen, text: str) -> str:
    return f"try:\n    pass\nfinally:\n{inside(text)}"


def in_try(gen: Gen, text: str) -> str:
    end = gen.pick(
        ["finally:\n    pass", "except (ImportError, AttributeError):\n    pass",
         "except ImportError:\n    raise"]
    )  # fmt: skip
    return f"try:\n{inside(text)}\n{end}"


def in_loop(gen: Gen, text: str) -> str:
    head = gen.pick(["for _ in range(1):", "for _round in range(1):", "for _word in ('once',):"])
    return f"{head}\n{inside(text)}"


def then_raise(gen: Gen, text: str) -> str:
    return f"try:\n{inside(text)}\n    raise RuntimeError('after')\nexcept RuntimeError:\n    pass"


def in_function(gen: Gen, text: str) -> str:
    name = gen.name("step")
    return f"def {name}():\n{inside(text)}\n\n\n{name}()"


BASIC: tuple[Wrap, ...] = (
    plainly, plainly, plainly, in_if, in_null_context, in_finally, in_try, in_loop, then_raise,
)  # fmt: skip


def basic(gen: Gen, text: str) -> str:
    return block(gen.pick(BASIC)(gen, block(text)))


# --- control flow, in which something else does not run ---------------------------------------


def branches(gen: Gen, text: str, other: str) -> str:
    true, false = gen.pick(TRUE), gen.pick(FALSE)
    shape = gen.pick(
        [
            "if {t}:\n{a}\nelse:\n{b}",
            "if {f}:\n{b}\nelse:\n{a}",
            "if {f}:\n{b}\nelif {t}:\n{a}\nelse:\n{b2}",
            "if {t}:\n{a}\nelif {t}:\n{b}",
        ]
    )
    return shape.format(t=true, f=false, a=inside(text), b=inside(other), b2="    pass")


def failing(gen: Gen) -> tuple[str, str]:
    """Something that raises, and what."""
    return gen.pick(
        [("{}['x']", "KeyError"), ("int('x')", "ValueError"), ("1 / 0", "ZeroDivisionError"),
         ("None.nothing", "AttributeError"), ("[][1]", "IndexError"),
         ("assert DEBUG, 'no'", "AssertionError"), ("raise LookupError('x')", "LookupError"),
         ("import no_such_module", "ImportError"), ("raise RuntimeError('x')", "RuntimeError"),
         ("'a' + 1", "TypeError"), ("next(iter(()))", "StopIteration")]
    )  # fmt: skip


def handled(gen: Gen, text: str, other: str) -> str:
    """`text` runs since something fails before; `other` does not."""
    fails, error = failing(gen)
    wrong = gen.pick([e for e in ("KeyError", "UnicodeError", "OSError") if e != error])
    shape = gen.pick(
        [
            "try:\n    {x}\n{b}\nexcept {e}:\n{a}",
            "try:\n    {x}\nexcept {e}:\n{a}\nelse:\n{b}",
            "try:\n    {x}\nexcept {w}:\n{b}\nexcept {e}:\n{a}",
            "try:\n    try:\n        {x}\n    except {w}:\n{bb}\nexcept {e}:\n{a}",
            "try:\n    {x}\nexcept Exception as err:\n{a}",
            "with contextlib.suppress({e}):\n    {x}\n{b}\n{a0}",
        ]
    )
    return shape.format(
        x=fails, e=error, w=wrong, a=inside(text), b=inside(other), bb=inside(other, 2), a0=text
    )


def raised_within(gen: Gen, first: str, text: str) -> str:
    """A function that does `first` and raises; `text` is done where that is caught."""
    name = gen.name("fn")
    shape = gen.pick(
        [
            "def {n}():\n    try:\n        raise LookupError('x')\n    except LookupError:\n{c}\n"
            "        raise\n\n\ntry:\n    {n}()\nexcept LookupError:\n{a}",
            "def {n}():\n    try:\n{c}\n    finally:\n        raise KeyError('x')\n\n\n"
            "try:\n    {n}()\nexcept KeyError:\n{a}",
            "def {n}(bad=True):\n    if bad:\n{c}\n        raise ValueError('x')\n    return None\n"
            "\n\ntry:\n    {n}()\nexcept (KeyError, ValueError):\n{a}",
        ]
    )
    return shape.format(n=name, c=inside(first, 2), a=inside(text))


def looped(gen: Gen, text: str, other: str) -> str:
    shape = gen.pick(
        [
            "for i in range(3):\n    if i < 2:\n        continue\n{a}",
            "for i in range(3):\n    if i == 1:\n        break\n{a}",
            "for i in range(2):\n    if i == 5:\n        break\nelse:\n{a}",
            "for i in range(2):\n    if i == 1:\n        break\nelse:\n{b}\n{a0}",
            "n = 0\nwhile True:\n    n += 1\n    if n > 1:\n        break\n{a}",
            "n = 2\nwhile n:\n    n -= 1\n    if n:\n        continue\n{a}",
            "for i in ():\n{b}\n{a0}",
            "while False:\n{b}\nelse:\n{a}",
            "for i, name in enumerate(['p', 'q']):\n    if name != 'q':\n        continue\n{a}",
        ]
    )
    return shape.format(a=inside(text), b=inside(other), a0=text)


def matched(gen: Gen, text: str, other: str) -> str:
    shape = gen.pick(
        [
            "match MODE:\n    case 'test':\n{b}\n    case 'train':\n{a}\n    case _:\n        pass",
            "match VERSION:\n    case (2, _):\n{b}\n    case (1, minor):\n{a}",
            "match len([1, 2]):\n    case 0 | 1:\n{b}\n    case n if n == 2:\n{a}",
            "match {{'kind': 'a'}}:\n    case {{'kind': 'b'}}:\n{b}\n    case {{'kind': k}}:\n{a}",
        ]
    )
    return shape.format(a=inside(text, 2), b=inside(other, 2))


def returned_early(gen: Gen, text: str, other: str) -> str:
    name = gen.name("fn")
    shape = gen.pick(
        [
            "def {n}(go=True):\n    if not go:\n        return None\n{a}\n\n\n{n}()",
            "def {n}(stop=True):\n{a}\n    if stop:\n        return 1\n{b}\n    return 2\n\n\n{n}()",
            "def {n}():\n    for i in range(3):\n        if i == 1:\n            return i\n"
            "    return None\n\n\nif {n}() == 1:\n{a}",
            "def {n}():\n    try:\n        return 1\n    finally:\n{aa}\n\n\n{n}()",
            "def {n}():\n{a}\n    yield 1\n{b}\n\n\nnext({n}())",
            "def {n}():\n    yield 1\n{a}\n\n\nlist({n}())",
        ]
    )
    return shape.format(n=name, a=inside(text), aa=inside(text, 2), b=inside(other))


def managed(gen: Gen, text: str, other: str) -> str:
    name = gen.name("fn")
    shape = gen.pick(
        [
            "@contextlib.contextmanager\ndef {n}():\n{a}\n    yield\n\n\nwith {n}():\n    pass",
            "@contextlib.contextmanager\ndef {n}():\n    try:\n        yield\n    finally:\n{aa}\n"
            "\n\nwith {n}():\n    pass",
            "class {N}:\n    def __enter__(self):\n{aa}\n        return self\n\n"
            "    def __exit__(self, *exc):\n        return False\n\n\nwith {N}():\n    pass",
            "class {N}:\n    def __enter__(self):\n        return self\n\n"
            "    def __exit__(self, *exc):\n        return True\n\n\nwith {N}():\n"
            "    raise KeyError('x')\n{b}\n{a0}",
            "with contextlib.ExitStack() as stack:\n    stack.callback(lambda: None)\n{a}",
        ]
    )
    return shape.format(
        n=name, N=name.capitalize(), a=inside(text), aa=inside(text, 2), b=inside(other), a0=text
    )


FLOWS = (branches, branches, handled, handled, looped, matched, returned_early, managed)


def flow(gen: Gen, text: str, other: str) -> str:
    return block(gen.pick(FLOWS)(gen, block(text), block(other)))
