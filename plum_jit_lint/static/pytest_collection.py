"""The tests that pytest would collect from a file, with their fixtures, in the order in which
it runs them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plum_jit_lint.findings import Place
from plum_jit_lint.knowledge import pytest
from plum_jit_lint.static import pytest_fixtures, pytest_hooks, pytest_marks, unittest_cases
from plum_jit_lint.static.interpreter import (
    containers,
    context_managers,
    imported_modules,
    literals,
)
from plum_jit_lint.static.interpreter.call_frames import CallFrame
from plum_jit_lint.static.interpreter.library_values import FixtureValue
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    ClassValue,
    FunctionValue,
    Instance,
    Managed,
    Manager,
    ModuleValue,
    Partial,
    Symbol,
    Value,
)
from plum_jit_lint.static.modules import Module


@dataclass(frozen=True, slots=True)
class Test:
    """A test function, and the class that it is a method of."""

    function: FunctionValue
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
                found.append(Test(function, cls.scope.names.get(function.name, value), cls))
    return found


def _collects(cls: ClassValue) -> bool:
    name = cls.cls.name.rpartition(".")[2]
    return name.startswith("Test") or Symbol(pytest.TEST_CASE) in cls.bases


def conftests(module: Module) -> Iterator[Module]:
    """The `conftest.py` files that count for a file, the outermost first."""
    if not module.neighbours:
        return
    for path in module.program.module_finder.pytest.conftests(module.path):
        found = module.program.module_at(path)
        if found is not None:
            yield found


def begin(run: Run, module: Module) -> None:
    """What pytest does before it imports a file of tests."""
    names: set[str] = set()
    for conftest in conftests(module):
        if conftest.name in names:
            # Outside of packages all have the same name, and each is imported anew.
            imported_modules.flush(run)
            run.state.ran.discard(conftest.name)
        names.add(conftest.name)
        imported_modules.import_module(run, conftest, Place(conftest.path, 1, 1, 1, 1))
    pytest_hooks.Hooks(run, [*conftests(module)]).call(*pytest_hooks.BEFORE_THE_MODULE)


def plugins(module: Module) -> list[Module]:
    """The `conftest.py` files of a file and the plugins that they and it name, as pytest finds
    them."""
    found: dict[Module, None] = {}
    for conftest in conftests(module):
        found.update(dict.fromkeys([*_named_plugins(conftest), conftest]))
    found.update(dict.fromkeys(_named_plugins(module)))
    return list(found)


def _named_plugins(module: Module) -> Iterator[Module]:
    written = module.scope.own("pytest_plugins")
    named = [] if written is None else (containers.members(written) or [written])
    for one in named:
        name = literals.literal(one)
        found = module.load(name) if isinstance(name, str) else None
        if isinstance(found, ModuleValue):
            yield found.module


def may_register(run: Run, tests: list[Test], candidates: Container[int]) -> bool:
    """Whether one of the tests, or something that runs before them, is among the functions that
    are `candidates`: of a helper that no test names nothing comes."""
    of_tests = {id(test.function.definition) for test in tests}
    plain = {name for one in pytest_fixtures.PLAIN.values() for name in (*one.begin, *one.end)}
    before = plain | {"setUp", "tearDown"}
    return any(
        id(function.definition) in of_tests
        or function.name in before
        or (isinstance(value, FixtureValue))
        for function, value in run.defined
        if id(function.definition) in candidates
    )


def conftests_register(module: Module) -> bool:
    """Whether a fixture or a hook of `conftest.py` may register something."""
    return any(module.program.registering_functions(one, ()) for one in plugins(module))


def run_tests(run: Run, module: Module, tests: list[Test]) -> None:
    """Runs tests one after the other, each with its fixtures before it."""
    modules = plugins(module)
    around = pytest_hooks.Hooks(run, modules)
    homes = [module.scope, *(one.scope for one in reversed(modules))]
    session = pytest_fixtures.Session(run, module, homes)
    around.call(*pytest_hooks.BEFORE_THE_TESTS)
    before: Test | None = None
    for test in tests:
        if before is not None and before.cls is not test.cls:
            with _standing_at(run, before):
                session.end("class")
        if test.cls is not None and (before is None or before.cls is not test.cls):
            unittest_cases.tell_class(session, test.cls)
        before = test
        given = pytest_marks.marks_of(module, test.function, test.cls)
        answer = pytest_marks.runs(given)
        if answer is False:
            continue
        with run.under(*([] if answer else [(run.branch_ids.new(), 0)])):
            _run_test(session, around, test, given)
    if before is not None:
        with _standing_at(run, before):
            for scope in reversed(pytest_fixtures.SCOPES):
                session.end(scope)
    around.call(*pytest_hooks.AFTER_THE_TESTS)


@contextmanager
def _standing_at(run: Run, test: Test) -> Iterator[None]:
    """What a fixture or a hook does, it does for a test."""
    with run.now.inside(
        CallFrame(run.now.frame.name, [run.now.scope], None, _header(test.function))
    ):
        yield


def _run_test(
    session: pytest_fixtures.Session, around: pytest_hooks.Hooks, test: Test, given: list[Partial]
) -> None:
    """One test, in all rounds that its parameters ask for."""
    session.look_in(test.cls, None)
    mocks = _mocks(test)
    parameters = pytest_fixtures.parameters_of(test.function, test.cls is not None)[mocks:]
    wanted = session.wanted([*pytest_marks.used_fixtures(given), *(p.name for p in parameters)])
    for values in pytest_marks.rounds(given, session.with_params(wanted)):
        session.look_in(test.cls, None if test.cls is None else Instance(test.cls, {}))
        session.begin_round(values)
        with _standing_at(session.run, test), around.around("pytest_runtest_protocol"):
            around.call("pytest_runtest_logstart")
            with around.around("pytest_runtest_setup"):
                for name in wanted:
                    session.value(name)
            around.call(*pytest_hooks.AFTER_A_PHASE)
            with around.around("pytest_runtest_call"), around.around("pytest_pyfunc_call"):
                _call(session, test, mocks)
            around.call(*pytest_hooks.AFTER_A_PHASE)
            with around.around("pytest_runtest_teardown"):
                session.end("function")
            around.call(*pytest_hooks.AFTER_A_PHASE, "pytest_runtest_logfinish")


def _call(session: pytest_fixtures.Session, test: Test, mocks: int) -> None:
    """The call of a test, with what unittest calls right before and after it."""
    run = session.run
    with unittest_cases.around(session, test.cls):
        arguments = session.arguments(test.function, test.cls is not None, without=mocks)
        callee = test.value if isinstance(test.value, Managed) else test.function
        # The call itself stands where the test does.
        frame = run.now.call_stack.pop()
        try:
            session.call(callee, arguments, _header(test.function))
        finally:
            run.now.call_stack.append(frame)


def _mocks(test: Test) -> int:
    """How many arguments the patches around a test give it."""
    found = context_managers.of_managed(test.value)
    return sum(isinstance(one, Manager) and one.hands_on for one in found)


def _header(function: FunctionValue) -> Place:
    return Place(function.scope.module.path, *function.definition.at)
