"""What a call gives: by a new trace, or as it stands, in a process that is then thrown away.

A remembered call is asked by `jax.make_jaxpr`, so that nothing is compiled or run: the process is
a fork of the one in which the program runs, and XLA's threads are not there. The answer is what
would be computed (the jaxpr, constants included) or the type of what is raised, and which of
the program's functions Python ran for it.

A fork needs no care for the caches: what is traced there, the program never sees.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.wild.holding import GoneError

ADDRESS = re.compile(r"0x[0-9a-f]+")
SECONDS = 20


@dataclass(frozen=True)
class Answer:
    """`text` tells what is computed or raised, `entered` the functions of the program that ran."""

    text: str
    entered: tuple[int, ...]

    @property
    def gone(self) -> bool:
        return self.text == "gone"


class Asker:
    """Asks calls. `entered` is where the program's functions note that they run."""

    def __init__(self) -> None:
        import jax

        make_context: Any = jax.make_user_context
        self.context = make_context(0)
        self.value = 0
        self.entered: list[int] | None = None

    def fresh(self, call: Callable[[], Any], off: bool) -> Answer:
        """What a new trace gives: the value of a user context is part of every trace's key."""
        self.value += 1
        with self.context(self.value):
            return self.as_it_stands(call, off)

    def as_it_stands(self, call: Callable[[], Any], off: bool) -> Answer:
        import jax

        self.entered = []
        try:
            with jax.disable_jit(off):
                text = told(call)
        except GoneError:
            text = "gone"
        except Exception as error:
            text = f"raised {type(error).__name__}"
        entered, self.entered = tuple(self.entered), None
        return Answer(text, entered)


def told(call: Callable[[], Any]) -> str:
    import jax
    import numpy as np

    plain: list[str] = []

    def arrays() -> Any:
        plain.clear()
        kept = []
        for leaf in jax.tree_util.tree_leaves(call()):
            if isinstance(leaf, (jax.Array, np.ndarray, np.generic, int, float, complex)):
                kept.append(leaf)
            else:
                plain.append(ADDRESS.sub("", repr(leaf)))
        return kept

    closed = jax.make_jaxpr(arrays)()
    return "\n".join([*canonical(closed), *plain])


def canonical(closed: Any) -> list[str]:
    """A jaxpr as lines that depend on nothing but what is computed: how it is printed depends on
    which of its parts are one object."""
    import numpy as np

    lines = [f"const {np.asarray(c).tolist()}" for c in closed.consts]
    return lines + _lines(closed.jaxpr)


def _lines(jaxpr: Any) -> list[str]:
    names: dict[Any, int] = {}

    def name(variable: Any) -> str:
        if hasattr(variable, "val"):
            return f"{variable.val!r}:{variable.aval}"
        return f"v{names.setdefault(variable, len(names))}:{variable.aval}"

    lines = ["in " + " ".join(name(v) for v in (*jaxpr.constvars, *jaxpr.invars))]
    for equation in jaxpr.eqns:
        told_params = [
            f"{key}={_parameter(equation.params[key])}" for key in sorted(equation.params)
        ]
        inputs = " ".join(name(v) for v in equation.invars)
        outputs = " ".join(name(v) for v in equation.outvars)
        lines.append(f"{outputs} = {equation.primitive.name} {inputs} [{' '.join(told_params)}]")
    return [*lines, "out " + " ".join(name(v) for v in jaxpr.outvars)]


def _parameter(value: Any) -> str:
    if hasattr(value, "jaxpr") and hasattr(value, "consts"):
        return "{" + "; ".join(canonical(value)) + "}"
    if hasattr(value, "eqns"):
        return "{" + "; ".join(_lines(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(_parameter(v) for v in value) + ")"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return ADDRESS.sub("", str(value))


class UnjudgedError(Exception):
    """What happened in a program cannot be judged."""


def in_a_fork(run: Callable[[], Any], seconds: int = SECONDS) -> Any:
    """What `run` gives, in a fork of this process that ends afterwards."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(seconds)
            try:
                data = pickle.dumps((True, run()))
            except BaseException as error:
                data = pickle.dumps((False, f"{type(error).__name__}: {error}"))
            with os.fdopen(write, "wb") as pipe:
                pipe.write(data)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    if not data:
        raise UnjudgedError("asking did not end")
    fine, result = pickle.loads(data)
    if not fine:
        raise UnjudgedError(f"asking failed: {result}")
    return result
