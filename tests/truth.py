"""What real plum and JAX do with a program: the evidence behind the `# expect:` comments.

    python tests/truth.py [--plain | --once] FILE ...

Each file runs in a child process of its own, twice: as it stands, and then watched (`--plain`
leaves out the second run, `--once` the first where there is a second). The answer is one JSON
object a line. Nothing of the checker is imported here.

*As it stands* shows that the program's own `assert`s hold.

*Watched* derives the stale registrations from nothing but the values that the program computes.
Each call of the program is routed through `Watch.call`, which knows when an outermost call goes
into JAX with functions of the program. Such a call is remembered, and asked again:

- under a fresh value of a `jax.make_user_context`, which is part of every trace's key, so that
  the answer is what a new trace would give; nothing of the program's own caches is touched;
- as it stands, which is what the program would get.

A registration is stale when a fresh answer differs just before and just after it, and the call
as it stands does not give the fresh answer when the program calls that function again, with
whatever arguments, or when it ends.
The code is PJ003 when what was handed to JAX is the dispatched function itself, PJ004 otherwise.

The derivation sees values, so the methods of a fixture return values that can be told apart.
What it cannot derive, a fixture shows by `assert`s of its own and says so with the comment
`# truth: asserts`. Lines `# run: expression` are evaluated when the program has ended, and
functions named `test_*` are called then, in order.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import json
import os
import pickle
import re
import signal
import sys
import traceback
import types
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

RUN = re.compile(r"^# run: (.+)$", re.MULTILINE)
ASSERTS = "# truth: asserts"
HERE = "_truth_call"
DECORATE = "_truth_decorate"
NEEDS_ITS_FRAME = {"super", "locals", "globals", "vars", "exec", "eval", "dir"}


# --- the program, with each call routed through the watch -----------------------------------


class Instrument(ast.NodeTransformer):
    """`f(x)` becomes `_truth_call(line, f, x)`, `@d` becomes `@_truth_decorate(line, d)`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in NEEDS_ITS_FRAME:
            return node
        return self._route(node, HERE, node.lineno, [node.func, *node.args], node.keywords)

    def _definition(self, node: Any) -> Any:
        line = node.decorator_list[0].lineno if node.decorator_list else 0
        self.generic_visit(node)
        node.decorator_list = [self._route(d, DECORATE, line, [d], []) for d in node.decorator_list]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition  # noqa: N815

    @staticmethod
    def _route(at: ast.AST, name: str, line: int, args: list, keywords: list) -> ast.AST:
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(line), *args], keywords)
        call = ast.copy_location(call, at)
        for part in (call.func, call.args[0]):
            ast.copy_location(part, at)
        return call


# --- holding what was called without keeping it alive ---------------------------------------


class Gone(Exception):
    """What was called is not there any more."""


class Recipes:
    """How a callable was made (`jax.vmap(run)`), to make it again when it is gone.

    A program that writes `jax.jit(f)(x)` twice makes two objects; asking again means making one.
    """

    def __init__(self) -> None:
        self.known: dict[int, tuple[weakref.ref, Any]] = {}

    def note(self, made: Any, recipe: Any) -> None:
        with contextlib.suppress(TypeError):
            self.known[id(made)] = (weakref.ref(made), recipe)

    def of(self, made: Any) -> Any:
        ref, recipe = self.known.get(id(made), (lambda: None, None))
        return recipe if ref() is made else None


def hold(value: Any, recipes: Recipes, *, owner_lives: bool = True) -> Any:
    """A function that gives `value` again, or raises `Gone`.

    `owner_lives`: the object of a bound method is kept alive. What `self.step = jax.jit(self.f)`
    has made goes with its object, though.
    """
    import jax

    if isinstance(value, types.MethodType):
        held, function = hold(value.__self__, recipes), value.__func__
        if not owner_lives and is_program_object(value.__self__):
            with contextlib.suppress(TypeError):
                held = alive(weakref.ref(value.__self__))
        return lambda: types.MethodType(function, held())
    if is_program_object(getattr(value, "__self__", None)) and hasattr(value, "__func__"):
        held, name = hold(value.__self__, recipes), value.__func__.__name__  # equinox's own kind
        return lambda: getattr(held(), name)
    if f"{type(value).__module__}.{type(value).__name__}".startswith("equinox._module._prebuilt."):
        return lambda: value  # a bound method that is new at each access
    if type(value) in (list, tuple):
        kind = type(value)
        items = [hold(item, recipes, owner_lives=owner_lives) for item in value]
        return lambda: kind(item() for item in items)
    if type(value) is dict:
        pairs = {key: hold(item, recipes) for key, item in value.items()}
        return lambda: {key: item() for key, item in pairs.items()}
    if not callable(value) or isinstance(value, (type, jax.Array)) or is_program_object(value):
        return lambda: value
    try:
        ref = weakref.ref(value)
    except TypeError:
        return lambda: value
    recipe = recipes.of(value)

    def again() -> Any:
        still = ref()
        if still is not None:
            return still
        if recipe is None:
            raise Gone
        make, args, kwargs = recipe
        return make()(*args(), **kwargs())

    return again


class Program:
    """What is watched: one file, or all files below a folder, and the names of their modules."""

    def __init__(self) -> None:
        self.file = ""
        self.folder = ""
        self.modules = {"__main__"}

    def holds(self, file: str) -> bool:
        if self.folder:
            return file.startswith(self.folder)
        return file == self.file


def lowered_and_called(lower: Any) -> Any:
    return lambda *args, **kwargs: lower(*args, **kwargs).compile()(*args, **kwargs)


def alive(ref: weakref.ref) -> Any:
    def held() -> Any:
        value = ref()
        if value is None:
            raise Gone
        return value

    return held


PROGRAM = Program()


def is_program_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType) and PROGRAM.holds(value.__code__.co_filename)


def is_program_object(value: Any) -> bool:
    return getattr(type(value), "__module__", None) in PROGRAM.modules


def jax_is_off() -> bool:
    import jax

    off: bool = jax.config.jax_disable_jit
    return off


def is_compiling() -> bool:
    """Whether a trace that is kept is being made: `vmap` and `grad` by themselves keep none."""
    from jax._src import core
    from jax._src.interpreters.partial_eval import DynamicJaxprTrace

    trace = core.trace_ctx.trace
    while trace is not None:
        if isinstance(trace, DynamicJaxprTrace):
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


def is_jitted(value: Any) -> bool:
    if isinstance(value, functools.partial):
        return is_jitted(value.func)
    return type(value).__name__ in ("PjitFunction", "_JitWrapper")


def is_dispatched(value: Any) -> bool:
    from plum import Function

    return isinstance(value, Function)


def targets(value: Any, seen: set[int] | None = None) -> list[Any]:
    """The program's functions and the dispatched functions that `value` stands for.

    It goes through `jit`, `vmap`, `partial`, bound methods and containers, and stops at the
    program's own functions.
    """
    seen = set() if seen is None else seen
    if id(value) in seen:
        return []
    seen.add(id(value))
    if is_dispatched(value):
        return [value]
    if is_program_function(value):
        inner = value.__dict__.get("__wrapped__")
        # `vmap` and its kin are functions of JAX; this one is the program's own
        return [value] if inner is None or PROGRAM.holds(value.__code__.co_filename) else []
    if isinstance(value, (list, tuple)):
        return [t for item in value for t in targets(item, seen)]
    if isinstance(value, dict):
        return [t for item in value.values() for t in targets(item, seen)]
    if isinstance(value, functools.partial):
        return targets([value.func, *value.args, value.keywords], seen)
    found: list[Any] = []
    for name in ("__func__", "__wrapped__", "_fun", "_f", "fn", "func"):
        inner = getattr(value, name, None) if callable(value) else None
        if callable(inner):
            found += targets(inner, seen)
    if isinstance(value, types.MethodType) and is_jitted(value.__self__):
        found += targets(value.__self__, seen)  # `run.lower`
    if is_program_object(value) and callable(value):
        found += targets(type(value).__call__, seen)
    if isinstance(value, types.FunctionType) and not found and value.__closure__:
        # a function that JAX made around the program's: `jax.grad(f)` without `__wrapped__`
        for cell in value.__closure__:
            try:
                inner = cell.cell_contents
            except ValueError:
                continue
            if callable(inner):
                found += targets(inner, seen)
    return found


# --- where something happens ------------------------------------------------------------------

Stack = tuple[tuple[str, int], ...]
"""File and line of the program's frames, the outermost first."""


APPLY = "Watch.decorate.<locals>.apply"


def underneath(method: Any) -> Any:
    """The Python function below what decorators made of it."""
    while True:
        inner = getattr(method, "__wrapped__", None) or getattr(method, "__func__", None)
        if inner is None:
            return method
        method = inner


class Open(NamedTuple):
    """A registration that changes the answer of a use, until it is seen to matter or not."""

    stack: Stack
    code: str
    functions: list[Any]
    use: Use
    number: int
    """Which of the changes of its answer it is."""


# --- the answers of a call -------------------------------------------------------------------


def answer(result: Any) -> Any:
    """What can be told of a result, `None` when that is nothing."""
    import jax
    import numpy as np

    told = []
    for leaf in jax.tree_util.tree_leaves(result):
        kind = type(leaf).__name__
        if isinstance(leaf, jax.core.Tracer):
            return None
        if isinstance(leaf, (jax.Array, np.ndarray)):
            told.append((str(leaf.dtype), leaf.shape, np.asarray(leaf).tolist()))
        elif isinstance(leaf, (bool, int, float, complex, str)):
            told.append((kind, repr(leaf)))
        elif kind in ("ClosedJaxpr", "ShapeDtypeStruct"):
            told.append((kind, str(leaf)))
        elif kind == "Lowered":
            told.append((kind, leaf.as_text()))
        elif kind == "Traced":
            told.append((kind, str(leaf.jaxpr)))
        elif kind == "Compiled":
            told.append((kind, "compiled"))
    return told or None


def kinds_of(values: Any) -> tuple[str, ...]:
    """The shapes and types of arguments, and those that are no arrays or numbers as they are."""
    import jax

    leaves, structure = jax.tree_util.tree_flatten(values)
    told = [str(structure)]
    for leaf in leaves:
        if isinstance(leaf, (bool, int, float, complex)):
            told.append(type(leaf).__name__)
        elif hasattr(leaf, "dtype") and hasattr(leaf, "shape"):
            told.append(f"{leaf.dtype} {leaf.shape} {getattr(leaf, 'weak_type', '')}")
        else:
            told.append(repr(leaf) if isinstance(leaf, str) else str(id(leaf)))
    return tuple(told)


class Use:
    """An outermost call into JAX with functions of the program."""

    def __init__(
        self, callee: Any, args: tuple, kwargs: dict, recipes: Recipes, stack: Stack
    ) -> None:
        self.stack = stack
        self.callee = hold(callee, recipes)
        self.args = hold(args, recipes)
        self.kwargs = hold(kwargs, recipes)
        found = targets([callee, args, kwargs])
        self.targets = {id(t) for t in found}
        # `run(scale, x)` traces `run`; `lax.scan(scale, ...)` traces `scale`
        outermost = targets(callee) or found
        self.dispatched = {id(t) for t in outermost if is_dispatched(t)}
        self.first_reached = {id(t) for t in found if is_dispatched(t)}
        self.latest_reached: set[int] = set()
        """The dispatched functions that the latest fresh trace was seen to come to."""
        self.kept: set[int] = set()
        """Those that the trace came to which the program uses."""
        self.off = jax_is_off()
        """Whether it was made under `jax.disable_jit()`: what `checkpoint` keeps is kept there too,
        and only asked there."""
        self.alike = (frozenset(self.targets), kinds_of([args, kwargs]), self.off)
        """What finds the same trace in JAX's caches."""
        self.latest: Any = None
        """What a new trace gives."""
        self.answers: list[Any] = []
        """What new traces gave after each registration that changed that."""
        self.held: Any = None
        """What the program got when it made this use."""
        self.made: Callable[[], Any] | None = None
        """What was compiled for good: `callee` lowers anew, and this is what is called."""

    @property
    def reached(self) -> set[int]:
        """The dispatched functions that a fresh trace comes to by now."""
        return self.first_reached | self.latest_reached


# --- the watch -------------------------------------------------------------------------------


class Watch:
    def __init__(self) -> None:
        import jax

        self.context = jax.make_user_context(0)
        self.values = iter(range(1, 1_000_000))
        self.recipes = Recipes()
        self.uses: list[Use] = []
        self.lowered: list[tuple[Any, Use]] = []
        self.base: Stack = ()
        """Where the program is called from, when that is no frame of its own."""
        self.open: list[Open] = []
        self.stale: list[Open] = []
        self.seen: dict[int, Any] = {}
        self.inside = False
        self.asking = False
        self.asked: Use | None = None
        """The use that is being traced anew."""
        self.unexplained: set[int] = set()
        """Functions of which a use came out stale that cannot be told since when: it was traced
        as a part of something that is gone."""
        self.untold: set[tuple[Stack, Any]] = set()
        """Registrations on functions that a stale use came to and a fresh one does not."""
        self.noticed: list[tuple[Stack, list[Any]]] = []
        """Registrations before which the uses were asked last, and after which they are not yet."""
        self.late: set[tuple[Stack, Any]] = set()
        """Registrations on functions that an earlier use came to."""
        self.registered_while_tracing = False
        self.registrations = 0
        self.registered()

    # what the program's calls and decorators become

    def decorate(self, line: int, decorator: Any) -> Any:
        def apply(decorated: Any) -> Any:
            return self.call(line, decorator, decorated)

        return apply

    def call(self, line: int, callee: Any, /, *args: Any, **kwargs: Any) -> Any:
        if callee is map and args:
            function = args[0]
            return map(lambda *items: self.call(line, function, *items), *args[1:])
        if self.asking:
            if self.asked is not None:
                found = {id(t) for t in targets([callee, args]) if is_dispatched(t)}
                self.asked.latest_reached |= found
                if found and not is_dispatched(callee) and not is_compiling():
                    self.asked.dispatched |= {id(t) for t in targets(callee) if is_dispatched(t)}
            return callee(*args, **kwargs)
        self.compare()
        plainly = self.inside or (jax_is_off() and is_jitted(callee))
        into_jax = None if plainly else self.goes_into_jax(callee, args)
        if into_jax is None:
            result = callee(*args, **kwargs)
            self.notice()
            return result
        # the use is described before: `donate`d or consumed arguments are no concern of fixtures
        use = Use(into_jax, args, kwargs, self.recipes, self.stack())
        if not use.targets:  # it may be an import, or whatever else runs the program's own calls
            result = callee(*args, **kwargs)
            self.notice()
            if type(result).__name__ == "Compiled":
                self.compiled(callee.__self__, result)
            return result
        self.inside = True
        try:
            result = callee(*args, **kwargs)
        finally:
            self.inside = False
        self.notice()
        if type(result).__name__ == "Lowered":
            self.lowered.append((result, use))
        if callable(result):
            recipe = (
                hold(into_jax, self.recipes),
                hold(args, self.recipes, owner_lives=False),
                hold(kwargs, self.recipes, owner_lives=False),
            )
            self.recipes.note(result, recipe)
        used = answer(result) is not None and type(result).__name__ != "Compiled"
        if use.targets and used:
            self.used(use)
            filled = self.filled_by(callee, args, kwargs)
            if filled is not None:
                self.used(filled)
        return result

    def compiled(self, lowered: Any, made: Any) -> None:
        """What `.lower(...).compile()` gives is called as it is, and asked afresh by making it
        anew."""
        for known, use in self.lowered:
            if known is lowered:
                anew = Use(use.callee(), use.args(), use.kwargs(), self.recipes, use.stack)
                anew.made = alive(weakref.ref(made))
                self.used(anew)

    def filled_by(self, callee: Any, args: tuple, kwargs: dict) -> Use | None:
        """`jax.eval_shape(f, x)` tells a shape, but fills the cache that `jit(f)(x)` reads."""
        import jax

        if callee is jax.eval_shape:
            function, arguments = args[0], args[1:]
        elif getattr(callee, "__name__", "") == "jit_eval_shape":
            function, arguments = callee.__self__, args
        else:
            return None
        jitted = jax.jit(function)
        use = Use(jitted, arguments, kwargs, self.recipes, self.stack())
        held = hold(function, self.recipes)
        use.callee = lambda: jax.jit(held())
        return use

    def goes_into_jax(self, callee: Any, args: tuple) -> Any:
        """What to call to ask again, or `None` where the program's own code or plum's runs."""
        function = getattr(callee, "__func__", callee)
        if isinstance(callee, functools.partial) and isinstance(callee.func, types.FunctionType):
            function = callee.func
        if type(callee) is type(functools.cache(len)):
            function = callee.__wrapped__
        if is_program_function(function) or isinstance(callee, type):
            return None
        if is_program_object(callee):
            call = type(callee).__call__
            return None if is_program_function(call) or is_dispatched(call) else callee
        if is_dispatched(callee):
            try:
                method, _ = callee._resolve_method_with_cache(args)
            except Exception:
                return None
            method = getattr(method, "__wrapped_by_plum__", method)
            return None if is_program_function(method) else method
        owner = getattr(callee, "__self__", None)
        for thing in (callee, type(callee), type(owner), getattr(callee, "func", None)):
            if str(getattr(thing, "__module__", "")).split(".")[0] == "plum":
                return None
        if isinstance(callee, functools.partial):
            inner = getattr(callee.func, "__self__", None)
            if type(inner).__module__.split(".")[0] == "plum":
                return None
        return callee

    # registrations

    def registered(self) -> list[tuple[Any, Any]]:
        """The functions that have pending methods which were not there before, with those."""
        from plum import Function

        found = []
        for function in list(Function._instances):
            for pending in function._pending:
                if id(pending) not in self.seen:
                    self.seen[id(pending)] = pending
                    found.append((function, pending[0]))
        return found

    def stack(self, methods: Iterable[Any] = ()) -> Stack:
        """Where the program is: the lines of its frames, as they were when it called.

        With `methods` that are being registered: where they are defined, if that is where they
        are decorated, whatever the decorator does.
        """
        registered = {id(underneath(method)) for method in methods}
        places: list[tuple[str, int]] = []
        line = None
        frame: Any = sys._getframe(1)
        while frame is not None:
            if frame.f_code is Watch.call.__code__:
                line = frame.f_locals["line"]
            elif frame.f_code.co_qualname == APPLY and "decorated" in frame.f_locals:
                if id(underneath(frame.f_locals["decorated"])) in registered:
                    places.clear()
            elif PROGRAM.holds(frame.f_code.co_filename):
                # the line of the call: that of the frame moves on inside a long statement
                places.append((frame.f_code.co_filename, line or frame.f_lineno))
                line = None
            frame = frame.f_back
        places.reverse()
        if self.base and places[:1] and places[0][0] != self.base[0][0]:
            return (*self.base, *places)
        return tuple(places)

    def notice(self) -> None:
        registered = self.registered()
        if not registered:
            return
        functions = [function for function, _ in registered]
        self.registrations += 1
        if self.inside:
            self.registered_while_tracing = True
            return
        self.noticed.append((self.stack(method for _, method in registered), functions))

    def compare(self) -> None:
        """Asks all uses again after registrations, before the program goes on.

        Not at once: a decorator registers before the definition binds its name, which may stand
        for something else until then (a `typing.overload`).
        """
        noticed, self.noticed = self.noticed, []
        for stack, functions in noticed:
            self.compare_after(stack, functions)

    def compare_after(self, stack: Stack, functions: list[Any]) -> None:
        gc.collect()  # what the program let go of is gone, and its traces with it
        reached = {one for use in self.uses for one in use.kept | use.reached}
        self.late.update((stack, f) for f in functions if id(f) in reached)
        for use in self.uses:
            before, after = use.latest, self.ask(use, fresh=True)
            use.latest = after
            # A name was bound to something else, or an earlier registration leads there.
            elsewhere = any(id(one) in use.reached - use.kept for one in functions)
            # An earlier registration leads away from it: what it would do is not seen.
            away = use.kept - use.reached
            if before == after and any(one.use is use for one in self.open + self.stale):
                self.untold.update((stack, f) for f in functions if id(f) in away)
            if after == use.held:
                # What a later registration puts back is right again.
                self.open = [one for one in self.open if one.use is not use]
                continue
            failing = before == after and isinstance(after, tuple)
            if after == "gone" or failing:
                # What it was a part of may be kept, and nobody can be asked; and one method that
                # fails inside looks like another.
                self.untold.update((stack, f) for f in functions if id(f) in use.kept)
            if before != after and "gone" not in (before, after) and not elsewhere:
                itself = any(id(function) in use.dispatched for function in functions)
                code = "PJ003" if itself else "PJ004"
                self.open.append(Open(stack, code, functions, use, len(use.answers)))
                use.answers.append(after)

    # uses

    def used(self, use: Use) -> None:
        use.latest = self.ask(use, fresh=True)
        use.held = self.ask(use, fresh=False)
        again = [o for o in self.open if o.use.alike == use.alike]
        use.kept = set(use.reached)
        known = len(self.stale)
        if use.held == use.latest:
            # It has not come back to anything stale: its traces were cleared meanwhile.
            self.open = [o for o in self.open if o not in again or self.is_stale(o)]
        else:
            reached = [o for o in self.open if use.reached & {*map(id, o.functions)}]
            again = again or [o for o in reached if o.use.alike[1] == use.alike[1]]
            use.kept = set().union(*(o.use.kept for o in again)) or use.kept
            self.judge(again)
            if not again:
                self.unexplained |= use.reached
        self.uses.append(use)
        self.called(use, known)

    def called(self, use: Use, known: int) -> None:
        """A function was called while a trace of it is stale, whatever the arguments were:
        clearing comes too late now for all that those registrations made stale. `known`: how many
        were known to be stale before the call."""
        functions = use.alike[0]
        late = [o for o in self.open if o.use.alike[0] == functions and self.is_stale(o)]
        late += self.stale[known:]
        registrations = {(o.stack, *map(id, o.functions)) for o in late}
        self.judge([o for o in self.open if (o.stack, *map(id, o.functions)) in registrations])

    def judge(self, waiting: list[Open]) -> None:
        if waiting:
            gc.collect()  # an object that is in a cycle with its jitted function is gone, too
        self.stale += [opened for opened in waiting if self.is_stale(opened)]
        self.open = [o for o in self.open if o not in waiting]

    def is_stale(self, opened: Open) -> bool:
        """Whether the program would get something else from its use than from a new trace, and
        what it would get was traced before the registration: after a clearing another use may
        have traced the same anew."""
        now = self.ask(opened.use, fresh=False)
        if now in opened.use.answers[opened.number :]:
            return False
        return bool(now != "gone" and now != self.ask(opened.use, fresh=True))

    def ask(self, use: Use, *, fresh: bool) -> Any:
        import jax

        with jax.disable_jit(use.off):
            return self._ask(use, fresh=fresh)

    def _ask(self, use: Use, *, fresh: bool) -> Any:
        self.asking = True
        try:
            callee, args, kwargs = use.callee(), use.args(), use.kwargs()
            made = None if use.made is None else use.made()
            if made is not None and fresh:
                callee = lowered_and_called(callee)
            elif made is not None:
                callee = made
            if not fresh:
                return answer(callee(*args, **kwargs))
            self.asked, use.latest_reached = use, set()
            with self.context(next(self.values)):
                return answer(callee(*args, **kwargs))
        except Gone:
            return "gone"
        except Exception as error:
            return ("raised", type(error).__name__)
        finally:
            self.asking, self.asked = False, None


# --- running ---------------------------------------------------------------------------------


def run_program(path: Path, watched: bool) -> dict[str, Any]:
    """Run one program in this process, which is of no use afterwards."""
    source = path.read_text()
    PROGRAM.file = str(path)
    tree: Any = ast.parse(source, str(path))
    module = types.ModuleType("__main__")
    module.__file__ = str(path)
    names = vars(module)
    names["__name__"] = "__main__"
    sys.modules["__main__"] = module
    result: dict[str, Any] = {"path": str(path), "ok": False}
    watch = None
    if watched:
        watch = Watch()
        names[HERE], names[DECORATE] = watch.call, watch.decorate
        tree = ast.fix_missing_locations(Instrument().visit(tree))
    try:
        exec(compile(tree, str(path), "exec", dont_inherit=True), names)
        after = [f"{name}()" for name in list(names) if name.startswith("test_")]
        for expression in RUN.findall(source) + after:
            step: Any = ast.parse(expression, str(path), "eval")
            if watched:
                step = ast.fix_missing_locations(Instrument().visit(step))
            eval(compile(step, str(path), "eval", dont_inherit=True), names)
        if watch is not None:
            watch.compare()
            gc.collect()
            watch.judge(list(watch.open))
            result["stale"] = sorted({(o.stack[-1][1], o.code) for o in watch.stale})
            result["uses"] = len(watch.uses)
            result["registered_while_tracing"] = watch.registered_while_tracing
        result["ok"] = True
    except BaseException:
        result["error"] = traceback.format_exc()
    return result


def in_a_child(path: Path, run: Callable[[], dict[str, Any]], seconds: int = 120) -> dict[str, Any]:
    """Run one program in a process of its own.

    Two programs in one process disturb each other: beartype, for one, keeps type hints by what
    they are called, and `Square | Circle` of the second would be the classes of the first.
    """
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            signal.alarm(seconds)
            os.dup2(2, 1)
            result = run()
            with os.fdopen(write, "wb") as pipe:
                pickle.dump(result, pipe)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    if not data:
        return {"path": str(path), "ok": False, "error": "the process ended without an answer"}
    answer: dict[str, Any] = pickle.loads(data)
    return answer


def truth(
    path: Path, *, plain: bool = False, once: bool = False, seconds: int = 120
) -> dict[str, Any]:
    """The truth about one program; JAX must not have computed anything in this process yet.

    `ok` says whether the program's own asserts held, `stale` has the lines and codes that were
    derived (`None` where the program only shows them by its asserts, or with `plain`).
    """
    plain = plain or ASSERTS in path.read_text()
    if plain or not once:
        result = in_a_child(path, lambda: run_program(path, False), seconds)
        if plain or not result["ok"]:
            return {**result, "stale": None}
    return in_a_child(path, lambda: run_program(path, True), seconds)


def modules_of_a_first_run() -> None:
    """Import here what JAX imports when it first computes, so that no child has to.

    A child finds out which modules those are: this process must not compute anything.
    """
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            import jax

            before = set(sys.modules)
            jax.jit(lambda a: a * 2)(jax.numpy.ones(2))[0].block_until_ready()
            with os.fdopen(write, "w") as pipe:
                pipe.write("\n".join(set(sys.modules) - before))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        names = pipe.read().split()
    os.waitpid(pid, 0)
    for name in sorted(names):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def ready_to_fork() -> None:
    """Import once what every child needs."""
    import warnings

    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    warnings.filterwarnings("ignore", message=r".*os\.fork\(\).*")
    import equinox  # noqa: F401
    import jax  # noqa: F401
    import plum  # noqa: F401

    modules_of_a_first_run()
    gc.freeze()  # collecting in the children is cheap then


def main(arguments: list[str]) -> int:
    ready_to_fork()
    plain, once = "--plain" in arguments, "--once" in arguments
    failed = False
    for name in arguments:
        if name.startswith("--"):
            continue
        result = truth(Path(name), plain=plain, once=once)
        failed = failed or not result["ok"]
        print(json.dumps(result), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
