"""The tests that pytest would collect from a file, with their fixtures, in the order in which
it runs them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from plum_jit_lint.findings import Place
from plum_jit_lint.static import marks
from plum_jit_lint.static.modules import Module
from plum_jit_lint.static.reading import facts
from plum_jit_lint.static.run import attributes, calls, functions, patches
from plum_jit_lint.static.run.machine import Raised, Run
from plum_jit_lint.static.run.values import (
    UNKNOWN,
    Arguments,
    ClassValue,
    Func,
    Instance,
    Items,
    Operation,
    Partial,
    Scope,
    Symbol,
    Value,
)
from plum_jit_lint.static.types.hints import Cls

SETUP = ("setup_module", "setup_function")
TEARDOWN = ("teardown_function", "teardown_module")
TEARDOWN_OF_CLASS = ("tearDown", "teardown_method")
SETUP_OF_CLASS = ("setup_class", "setUpClass", "setup_method", "setUp")


@dataclass(frozen=True, slots=True)
class Test:
    """A test function, and the class that it is a method of."""

    function: Func
    value: Value
    cls: ClassValue | None


def tests_of(run: Run) -> list[Test]:
    """The tests among the functions that were defined, in their order."""
    found: list[Test] = []
    for function, value in run.defined:
        scope = function.scope
        if scope.kind == "module" and function.name.startswith("test"):
            found.append(Test(function, value, None))
        elif scope.kind == "class" and function.name.startswith("test"):
            cls = scope.names.get("__class__")
            if isinstance(cls, ClassValue) and _collects(cls):
                found.append(Test(function, value, cls))
    return found


def _collects(cls: ClassValue) -> bool:
    name = cls.cls.name.rpartition(".")[2]
    return name.startswith("Test") or Symbol("unittest.TestCase") in cls.bases


def is_collected(path: str) -> bool:
    """Whether pytest looks for tests in a file of that name."""
    name = Path(path).name
    return name.startswith("test_") or name.endswith("_test.py")


def conftests(module: Module) -> Iterator[Module]:
    """The `conftest.py` files that count for a file, the outermost first."""
    if not module.neighbours:
        return
    folders = list(Path(module.path).resolve().parents)
    tops = [root for root in module.neighbours if root in folders]
    inside = [f for f in folders if any(f == top or top in f.parents for top in tops)]
    for folder in reversed(inside):
        found = module.program.module_at(folder / "conftest.py")
        if found is not None:
            yield found


def may_register(run: Run, tests: list[Test], worth: Container[int]) -> bool:
    """Whether one of the tests, or something that runs before them, is among the functions that
    are `worth` it: of a helper that no test names nothing comes."""
    of_tests = {id(test.function.definition) for test in tests}
    before = (*SETUP, *SETUP_OF_CLASS)
    return any(
        id(function.definition) in of_tests
        or function.name in before
        or (isinstance(value, Operation) and value.name.startswith("fixture"))
        for function, value in run.defined
        if id(function.definition) in worth
    )


def conftests_register(module: Module) -> bool:
    """Whether a fixture of `conftest.py` may register something."""
    return any(module.program.registering_functions(one, ()) for one in conftests(module))


@dataclass(slots=True)
class Made:
    """The fixtures that were made, and how they are torn down: after their test, or at the end."""

    values: dict[str, Value] = field(default_factory=dict)
    leaving: list[Callable[[], None]] = field(default_factory=list)
    leaving_last: list[Callable[[], None]] = field(default_factory=list)


def run_tests(run: Run, module: Module, tests: list[Test]) -> None:
    """Runs tests one after the other, each with its fixtures before it."""
    homes = [module.scope, *(one.scope for one in conftests(module))]
    made = Made()
    _set_up(run, module.scope, SETUP[:1])
    for test in tests:
        given = marks.marks_of(module, test.function, test.cls)
        answer = marks.runs(given)
        if answer is False:
            continue
        with run.under(*([] if answer else [(run.new_point(), 0)])):
            _run_test(run, module, test, given, homes, made)
    for leave in reversed(made.leaving_last):
        leave()
    _set_up(run, module.scope, TEARDOWN[1:])


def _run_test(
    run: Run,
    module: Module,
    test: Test,
    given: list[Partial],
    homes: list[Scope],
    made: Made,
) -> None:
    """One test, in all rounds that its parameters ask for."""
    scopes = homes if test.cls is None else [test.cls.scope, *homes]
    wanted = [*_automatic(scopes), *marks.used_fixtures(given)]
    for values in marks.rounds(given, _parametrised(test.function, wanted, scopes)):
        _set_up(run, module.scope, SETUP[1:])
        receiver = None if test.cls is None else Instance(test.cls, {})
        # What a fixture does, it does for this test.
        run.stack.append(Place(module.path, *_header(test.function)))
        try:
            if receiver is not None:
                _call_methods(run, receiver, SETUP_OF_CLASS)
            made.values["request"] = _request(module, values)
            for name in values:
                made.values.pop(name, None)
            for name in wanted:
                _fixture(run, name, scopes, receiver, made)
            made.values.update({n: v for n, v in values.items() if _find(n, scopes) is None})
            arguments = _arguments(run, test.function, scopes, receiver, made)
        finally:
            run.stack.pop()
        _call(run, test.function, arguments)
        if receiver is not None:
            _call_methods(run, receiver, TEARDOWN_OF_CLASS)
        _set_up(run, module.scope, TEARDOWN[:1])
        for leave in reversed(made.leaving):
            leave()
        made.leaving.clear()
        patches.put_back(run)
        _forget_per_test(made.values, scopes)


def _parametrised(
    function: Func, wanted: list[str], scopes: list[Scope]
) -> list[tuple[str, Value]]:
    """The fixtures with `params` that a test uses, by itself or through others."""
    pending = [*wanted, *(p.name for p in functions.positional_parameters(function))]
    found: dict[str, Value] = {}
    seen: set[str] = set()
    while pending:
        name = pending.pop(0)
        fixture = None if name in seen else _find(name, scopes)
        seen.add(name)
        if fixture is None:
            continue
        pending.extend(p.name for p in functions.positional_parameters(fixture))
        for mark in fixture.marks:
            if isinstance(mark, Partial) and "params" in mark.keywords:
                found[name] = mark.keywords["params"]
    return list(found.items())


def _request(module: Module, values: dict[str, Value]) -> Instance:
    """The `request` of a round; a fixture with `params` finds its value there."""
    cls = ClassValue(Cls("pytest.FixtureRequest", opaque=True), Scope(module, "class"), ())
    return Instance(cls, dict(values))


def _set_up(run: Run, scope: Scope, names: tuple[str, ...]) -> None:
    for name in names:
        found = scope.own(name)
        if isinstance(found, Func):
            _call(run, found, Arguments([]))


def _call_methods(run: Run, receiver: Instance, names: tuple[str, ...]) -> None:
    for name in names:
        found = attributes.class_attribute(receiver.cls, name)
        if isinstance(found, Func):
            _call(run, found, Arguments([receiver]))


def _arguments(
    run: Run,
    function: Func,
    scopes: list[Scope],
    receiver: Instance | None,
    made: Made,
) -> Arguments:
    """The arguments of a test or fixture: each parameter names a fixture."""
    positional: list[Value] = []
    for number, parameter in enumerate(functions.positional_parameters(function)):
        if number == 0 and receiver is not None and function.scope.kind == "class":
            positional.append(receiver)
        else:
            positional.append(_fixture(run, parameter.name, scopes, receiver, made))
    return Arguments(positional)


def _fixture(
    run: Run,
    name: str,
    scopes: list[Scope],
    receiver: Instance | None,
    made: Made,
) -> Value:
    """The value of a fixture, made when it is asked for first."""
    if name not in made.values:
        made.values[name] = patches.MONKEYPATCH if name == "monkeypatch" else UNKNOWN
        found = _find(name, scopes)
        if found is not None:
            request = made.values.get("request")
            if isinstance(request, Instance):
                request.attributes["param"] = request.attributes.get(name, UNKNOWN)
            given = _arguments(run, found, scopes, receiver, made)
            if isinstance(request, Instance) and name in request.attributes:
                request.attributes["param"] = request.attributes[name]
            made.values[name] = _made(run, name, found, given, scopes, made)
    return made.values[name]


def _made(
    run: Run, name: str, fixture: Func, given: Arguments, scopes: list[Scope], made: Made
) -> Value:
    """What a fixture gives; what stands after its `yield` happens when it is torn down."""
    definition = fixture.definition
    if not (isinstance(definition, facts.FunctionDef) and definition.generator):
        result = functions.expand(run, _call(run, fixture, given))
        return result.items[0] if isinstance(result, Items) and result.items else result
    place = Place(fixture.scope.module.path, *_header(fixture))
    try:
        value, leave = functions.enter_and_leave(run, fixture, given, place)
    except Raised:
        return UNKNOWN

    def torn_down() -> None:
        with suppress(Raised):
            leave()

    (made.leaving_last if _kept(name, scopes) else made.leaving).append(torn_down)
    return value


def _kept(name: str, scopes: list[Scope]) -> bool:
    """Whether a fixture is of a wider scope than one test."""
    value = next((s.own(name) for s in scopes if s.own(name) is not None), None)
    return isinstance(value, Operation) and value.name == "fixture kept"


def _find(name: str, scopes: list[Scope]) -> Func | None:
    for scope in scopes:
        value = scope.own(name)
        if isinstance(value, Operation) and value.name.startswith("fixture"):
            return value.receiver if isinstance(value.receiver, Func) else None
    return None


def _automatic(scopes: list[Scope]) -> list[str]:
    return [
        name
        for scope in reversed(scopes)
        for name in list(scope.names)
        if isinstance(scope.names[name], Operation)
        and getattr(scope.names[name], "name", "") == "fixture autouse"
    ]


def _forget_per_test(made: dict[str, Value], scopes: list[Scope]) -> None:
    """A fixture of function scope is made anew for the next test."""
    for name in list(made):
        if not _kept(name, scopes):
            del made[name]


def _call(run: Run, function: Func, arguments: Arguments) -> Value:
    place = Place(function.scope.module.path, *_header(function))
    try:
        return functions.expand(run, calls.call(run, function, arguments, place))
    except Raised:
        return UNKNOWN
    finally:
        run.temporaries[-1].clear()


def _header(function: Func) -> facts.Span:
    return function.definition.at
