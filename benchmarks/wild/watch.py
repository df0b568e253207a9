"""The judge of a program that runs: which registrations leave a kept trace stale.

Each outermost call into JAX that reaches functions of the program is remembered. Around each
registration, all of them are asked in a fork of the process (`asking.py`): what a new trace gives
just before and just after, and where that differs, what the call gives as it stands. Where a
trace is really kept, the latter is not what a new trace gives: the registration is displacing.

From then on it is watched until one of these happens:

- a function that holds a displaced choice is called again, whatever the arguments, or any call
  gets something else than a new trace gives: it is reported;
- by then, or by the end of the program, the call as it stands gives what a new trace gives: its
  caches were cleared, and nothing is reported;
- the program ends: it is reported.
"""

from __future__ import annotations

import functools
import gc
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.wild.asking import Answer, Asker, in_a_fork
from benchmarks.wild.holding import (
    Held,
    Program,
    Recipes,
    hold,
    is_dispatched,
    is_jitted,
    raw_call,
    targets,
)

Place = tuple[str, int]
Stack = tuple[Place, ...]

NO_USE = {
    "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys",
    "register_pytree_with_keys_class", "register_dataclass", "register_static", "clear_caches",
    "disable_jit", "named_scope", "defjvp", "defvjp", "defjvps", "def_vmap", "clear_cache",
    "jit_evict_fn", "make_user_context", "wraps", "update_wrapper",
}  # fmt: skip
WRAPPERS = {
    "jit", "filter_jit", "vmap", "grad", "value_and_grad", "hessian", "jacfwd", "jacrev",
    "checkpoint", "make_jaxpr", "custom_jvp", "custom_vjp", "pmap", "named_call", "filter_grad",
    "filter_vmap", "filter_value_and_grad",
}  # fmt: skip
"""They make a function, and call none."""
STAGES = {"jit_lower", "jit_trace", "jit_eval_shape", "lower", "trace", "eval_shape"}


@dataclass
class Use:
    """A remembered call. `traced` are the functions that JAX is handed, `itself` those of them
    that are dispatched functions, `off` whether jit was off."""

    stack: Stack
    call: Held
    traced: frozenset[int]
    itself: frozenset[int]
    off: bool
    alike: Any
    frozen: bool = False


@dataclass
class Open:
    """A displacing registration, until it is used or closed."""

    stack: Stack
    displaced: list[tuple[Use, str]]
    entered: frozenset[int]
    """Functions that new traces enter since then."""
    calls: int = 0
    """Calls of other jitted functions meanwhile."""


@dataclass
class Verdict:
    reported: set[tuple[str, int, str]] = field(default_factory=set)
    harmless: set[tuple[str, int, str]] = field(default_factory=set)
    """Displacing, but closed in time."""
    unused: set[tuple[str, int, str]] = field(default_factory=set)
    """Those of `harmless` with calls of other jitted functions in between."""
    late: int = 0


def jit_is_off() -> bool:
    import jax

    config: Any = jax.config
    return bool(config.jax_disable_jit)


class Watch:
    def __init__(self) -> None:
        self.asker = Asker()
        self.recipes = Recipes()
        self.uses: list[Use] = []
        self.open: list[Open] = []
        self.verdict = Verdict()
        self.inside = 0
        self.problem = ""
        self.lowered: dict[int, tuple[Any, Held]] = {}

    # what the names of the instrumented program stand for

    def enter(self, number: int) -> None:
        if self.asker.entered is not None:
            self.asker.entered.append(number)

    def call(self, line: int, callee: Any) -> Any:
        if self.asker.entered is not None or Program.has_code(callee):
            return callee
        if registers(callee):

            def routed(*args: Any, **kwargs: Any) -> Any:
                return self.register(callee, args, kwargs, line)

        elif goes_into_jax(callee):

            def routed(*args: Any, **kwargs: Any) -> Any:
                return self.use(callee, args, kwargs, line)

        else:

            def routed(*args: Any, **kwargs: Any) -> Any:
                return callee(*args, **kwargs) if line else None

            if isinstance(callee, type) or type(callee).__module__ == "builtins":
                return callee
        return routed

    def decorator(self, line: int, decorator: Any) -> Any:
        if self.asker.entered is not None:
            return decorator
        routed = decorator if Program.has_code(decorator) else self.call(line, decorator)

        def apply(decorated: Any) -> Any:
            return routed(decorated) if line else None

        return apply

    # registrations

    def register(self, callee: Any, args: Any, kwargs: Any, line: int) -> Any:
        known = pending()
        if not any(callable(arg) for arg in args) or self.inside:
            result = callee(*args, **kwargs)
            if self.inside and pending().keys() - known.keys():
                self.problem = "a registration inside a trace"
            return result
        gc.collect()
        found = self.displaced(callee, args, kwargs) if self.uses else []
        result = callee(*args, **kwargs)
        after = pending()
        new = [after[key] for key in after.keys() - known.keys()]
        if new and self.uses:
            self.verdict.late += 1
        if new and found:
            functions = {id(function) for function, _ in new}
            entered: set[int] = set()
            pairs = []
            for number, ran in found:
                use = self.uses[number]
                pairs.append((use, "PJ003" if use.itself & functions else "PJ004"))
                entered |= ran
            stack = self.stack(method for _, method in new)
            self.open.append(Open(stack, pairs, frozenset(entered)))
        return result

    def displaced(self, callee: Any, args: Any, kwargs: Any) -> list[tuple[int, frozenset[int]]]:
        """The remembered calls whose kept trace a registration makes stale."""

        def ask() -> list[tuple[int, frozenset[int]]]:
            asker = self.asker
            bind_overloaded(callee, args)
            before = [asker.fresh(use.call, use.off) for use in self.uses]
            asker.entered = []
            callee(*args, **kwargs)
            after = [asker.fresh(use.call, use.off) for use in self.uses]
            found = []
            for number, (use, old, new) in enumerate(zip(self.uses, before, after, strict=True)):
                if old == new or old.gone or new.gone:
                    continue
                if use.frozen or kept(asker.as_it_stands(use.call, use.off), new, old):
                    found.append((number, frozenset(new.entered) - frozenset(old.entered)))
            return found

        result: list[tuple[int, frozenset[int]]] = in_a_fork(ask)
        return result

    # uses

    def use(self, callee: Any, args: Any, kwargs: Any, line: int) -> Any:
        if self.inside or getattr(callee, "__name__", "") in NO_USE:
            return callee(*args, **kwargs)
        asked, reached = self.as_asked(callee, args, kwargs)
        if not reached:
            result = callee(*args, **kwargs)
            self.note_compiled(callee, result)
            return result
        call = remembered(asked, args, kwargs, self.recipes)
        use = self.described(asked, args, kwargs, call, reached)
        use.frozen = id(callee) in self.lowered
        if self.open and getattr(callee, "__name__", "") not in WRAPPERS:
            self.is_used(use)
        self.inside += 1
        try:
            result = callee(*args, **kwargs)
        except BaseException:
            self.remember(use)
            raise
        finally:
            self.inside -= 1
        staged = type(result).__name__ in ("Lowered", "Traced")
        if staged:
            self.lowered[id(result)] = (result, strongly(asked))
        if callable(result) and not staged and not Program.has_class(type(result)):
            self.recipes.note(result, remembered(callee, args, kwargs, self.recipes))
        else:
            self.remember(use)
        return result

    def as_asked(self, callee: Any, args: Any, kwargs: Any) -> tuple[Any, list[Any]]:
        """What to call to ask again, and the functions that are traced by that."""
        import jax

        if id(callee) in self.lowered:
            callee = self.lowered[id(callee)][1]()
        owner, name = getattr(callee, "__self__", None), getattr(callee, "__name__", "")
        if is_jitted(owner) and name in STAGES:
            callee = owner
        elif callee is jax.eval_shape:
            return EVALUATED_SHAPE, targets(args[0])
        return callee, targets(callee) or targets([list(args), kwargs])

    def described(self, callee: Any, args: Any, kwargs: Any, call: Held, reached: list[Any]) -> Use:
        traced = frozenset(id(one) for one in reached)
        itself = frozenset(id(one) for one in reached if is_dispatched(one))
        alike = (id(callee), traced, kinds_of([list(args), kwargs]), jit_is_off())
        return Use(self.stack(), call, traced, itself, jit_is_off(), alike)

    def remember(self, use: Use) -> None:
        if use.frozen or all(known.alike != use.alike for known in self.uses):
            self.uses.append(use)

    def note_compiled(self, callee: Any, result: Any) -> None:
        if type(result).__name__ in ("Compiled", "Lowered"):
            _, jitted = self.lowered.get(id(getattr(callee, "__self__", None)), (None, None))
            if jitted is not None:
                self.lowered[id(result)] = (result, jitted)

    def is_used(self, use: Use) -> None:
        """Reports what is open and met by a call that is about to be made."""
        gc.collect()

        def ask() -> tuple[bool, frozenset[int], list[list[bool]]]:
            asker = self.asker
            new = asker.fresh(use.call, use.off)
            wrong = use.frozen or kept(asker.as_it_stands(use.call, use.off), new, new)
            return wrong, frozenset(new.entered), [self.still(opened) for opened in self.open]

        wrong, entered, still = in_a_fork(ask)
        remaining = []
        for opened, stales in zip(self.open, still, strict=True):
            holds = not use.off and any(use.traced & d.traced for d, _ in opened.displaced)
            # With jit off the program's own code runs, unless what is kept is taken all the same.
            if holds or (wrong and entered & opened.entered):
                self.close(opened, stales)
            else:
                opened.calls += 1
                remaining.append(opened)
        self.open = remaining

    def still(self, opened: Open) -> list[bool]:
        """Which of the displaced calls still get something else than a new trace gives."""
        answers = []
        for use, _ in opened.displaced:
            new = self.asker.fresh(use.call, use.off)
            now = self.asker.as_it_stands(use.call, use.off)
            answers.append(not new.gone and (use.frozen or kept(now, new, new)))
        return answers

    def close(self, opened: Open, stales: list[bool]) -> None:
        for (use, code), stale in zip(opened.displaced, stales, strict=True):
            finding = (*place(use.stack, opened.stack), code)
            if stale:
                self.verdict.reported.add(finding)
            else:
                self.verdict.harmless.add(finding)
                if opened.calls:
                    self.verdict.unused.add(finding)

    def end(self) -> None:
        if not self.open:
            return
        gc.collect()
        still = in_a_fork(lambda: [self.still(opened) for opened in self.open])
        for opened, stales in zip(self.open, still, strict=True):
            self.close(opened, stales)
        self.open = []

    # places

    def stack(self, methods: Iterable[Any] = ()) -> Stack:
        """The lines of the program's frames, the outermost first; with `methods` that are being
        registered, down to their definition if that is where they are decorated."""
        registered = {id(underneath(method)) for method in methods}
        places: list[Place] = []
        line = None
        frame: Any = sys._getframe(1)
        while frame is not None:
            name = frame.f_code.co_qualname
            if name.startswith("Watch.call.<locals>.routed"):
                line = frame.f_locals["line"]
            elif name == "Watch.decorator.<locals>.apply":
                line = frame.f_locals["line"]
                if id(underneath(frame.f_locals["decorated"])) in registered:
                    places.clear()
            elif frame.f_code.co_filename.startswith(Program.folder):
                places.append((frame.f_code.co_filename, line or frame.f_lineno))
                line = None
            frame = frame.f_back
        return tuple(reversed(places))


class EvaluatedShape:
    """`jax.eval_shape(f, x)` fills the cache that `jax.jit(f)(x)` reads."""

    def __call__(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        import jax

        return jax.jit(function)(*args, **kwargs)


EVALUATED_SHAPE = EvaluatedShape()


def kept(now: Answer, new: Answer, old: Answer) -> bool:
    """Whether a call as it stands is not what a new trace is. One that raises shows nothing but
    which functions ran for it."""
    if now.text != new.text:
        return True
    if not new.text.startswith("raised"):
        return False
    return bool(set(new.entered) - set(old.entered) - set(now.entered))


def place(use: Stack, registration: Stack) -> Place:
    """Where a finding stands: down both stacks to where they part, then on down that of the
    registration as long as it stays in that file."""
    part = 0
    while part < min(len(use), len(registration)) - 1 and use[part] == registration[part]:
        part += 1
    while part + 1 < len(registration) and registration[part + 1][0] == registration[part][0]:
        part += 1
    return registration[part]


def underneath(method: Any) -> Any:
    while True:
        inner = getattr(method, "__wrapped__", None) or getattr(method, "__func__", None)
        if inner is None:
            return method
        method = inner


def pending() -> dict[int, tuple[Any, Any]]:
    """The methods that plum has yet to look at, by what they are kept in."""
    from plum import Function

    return {id(one): (f, one[0]) for f in Function._instances for one in f._pending}


def bind_overloaded(dispatcher: Any, args: Any) -> None:
    """`@overload` leaves its name bound to a function that only raises, until the definition that
    is being decorated is bound: what plum would choose is asked as if it were."""
    for method in args:
        names = getattr(method, "__globals__", {})
        name = getattr(method, "__name__", "")
        if getattr(names.get(name), "__name__", "") == "_overload_dummy":
            known = getattr(dispatcher, "functions", {})
            names[name] = known.get(name, names[name])


def strongly(value: Any) -> Held:
    return lambda: value


def remembered(callee: Any, args: Any, kwargs: Any, recipes: Recipes) -> Held:
    made_of = hold([callee, list(args), dict(kwargs)], recipes)

    def call() -> Any:
        function, positional, named = made_of()
        return function(*positional, **named)

    return call


def kinds_of(values: Any) -> tuple[Any, ...]:
    """What tells arguments apart that find two traces, and more."""
    import jax

    leaves, structure = jax.tree_util.tree_flatten(values)
    told: list[Any] = [structure]
    for leaf in leaves:
        if hasattr(leaf, "dtype"):
            told.append(f"{leaf.dtype} {leaf.shape} {getattr(leaf, 'weak_type', '')}")
        elif isinstance(leaf, (bool, int, float, complex, str)):
            told.append((type(leaf).__name__, leaf))
        else:
            told.append(id(leaf))
    return tuple(map(str, told))


def of_plum(value: Any) -> bool:
    owner = getattr(value, "__self__", None)
    modules = [type(value).__module__, type(owner).__module__]
    if isinstance(value, types.FunctionType):
        modules.append(str(value.__module__))
    return any(module.split(".")[0] == "plum" for module in modules)


def registers(callee: Any) -> bool:
    """Whether a call may put a method into plum's tables."""
    if isinstance(callee, functools.partial):
        return registers(callee.func)
    if is_dispatched(callee):
        return str(callee.__name__).startswith("add_promotion")
    return of_plum(callee)


def goes_into_jax(callee: Any) -> bool:
    """Whether a call may trace: not where the program's own code or plum's runs."""
    if isinstance(callee, types.MethodType):
        return not Program.has_code(callee.__func__) and goes_into_jax(callee.__func__)
    if isinstance(callee, type) or of_plum(callee):
        return is_dispatched(callee) and has_compiled_methods(callee)
    if is_jitted(callee):
        return True
    if Program.has_class(type(callee)):
        call = raw_call(type(callee))
        return call is not None and not Program.has_code(call) and goes_into_jax(call)
    if isinstance(callee, functools.partial):
        return not Program.has_code(callee.func) and goes_into_jax(callee.func)
    if isinstance(callee, functools._lru_cache_wrapper):
        return not Program.has_code(callee.__wrapped__)
    if callee is functools.reduce:
        return True
    if isinstance(callee, types.FunctionType):
        # What `jax.checkpoint` and its like give has the `__module__` of what it wraps.
        return of_jax(callee.__globals__.get("__name__", ""))
    owner = getattr(callee, "__self__", None)
    module = getattr(callee, "__module__", "") or type(owner).__module__
    return of_jax(module) or of_jax(type(callee).__module__)


def of_jax(module: object) -> bool:
    return str(module).split(".")[0] in ("jax", "jaxlib", "equinox")


def has_compiled_methods(function: Any) -> bool:
    """Whether a dispatched function has methods that are not plain functions of the program."""
    implementations = [one[0] for one in function._pending]
    implementations += [one[0] for one in function._resolved]
    return any(not Program.has_code(one) for one in implementations)
