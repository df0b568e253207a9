"""The static observer: from a file to the timelines of its runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from plum_jit_lint.events import DecoratorStack, Registered, Timeline
from plum_jit_lint.findings import Place
from plum_jit_lint.limits import (
    LEAST_CALLS_OF_ONE,
    MOST_CALLS_OF_ALL,
    MOST_CALLS_OF_ONE,
    STEPS_OF_A_BYTE,
)
from plum_jit_lint.static import assembly, pytest_collection
from plum_jit_lint.static.interpreter import (
    bodies,
    definitions,
    imported_modules,
    iteration,
    liveness,
    loaded_modules,
    trace_table,
)
from plum_jit_lint.static.interpreter.effects import ImportEffect, RegisterEffect
from plum_jit_lint.static.interpreter.fork import Fork
from plum_jit_lint.static.interpreter.leaving import Raised
from plum_jit_lint.static.interpreter.run import Run
from plum_jit_lint.static.interpreter.values import (
    ClassValue,
    FunctionValue,
    Instance,
    Jitted,
    Scope,
    Value,
)
from plum_jit_lint.static.modules import Module, all_imported
from plum_jit_lint.static.program import Program
from plum_jit_lint.syntax import nodes
from plum_jit_lint.syntax.source import SourceError, with_large_stack


def observe(path: str, source: bytes, program: Program) -> tuple[Timeline, ...]:
    """The timelines of a file: that of its module level, and one for each function that nothing
    is seen to call, which goes on from there. `SourceError` where there is nothing to read."""
    if not program.matters(path, source):
        return ()
    module_node = program.read(path, source)
    return _deep(lambda: _observe(path, source, module_node, program))


def _deep(work: Callable[[], tuple[Timeline, ...]]) -> tuple[Timeline, ...]:
    try:
        return work()
    except RecursionError:
        return with_large_stack(work)


def _observe(
    path: str, source: bytes, module_node: nodes.ModuleNode, program: Program
) -> tuple[Timeline, ...]:
    program.begin()
    name, roots = program.module_finder.identify(path)
    package = Path(path).name == "__init__.py"
    module = Module(program, name, path, module_node, package, is_root=True)
    module.neighbours = roots
    packages = _packages_above(module)
    if _is_idle(module, source, packages):
        return ((),)
    run = assembly.begin(program)
    run.steps_left += STEPS_OF_A_BYTE * len(source)
    run.state.ran.add(module.name)
    run.now.frame.scopes.append(module.scope)
    for above in packages:
        imported_modules.import_module(run, above, None)
    run.state.ran.update(module.lineage())
    if program.module_finder.pytest.collects(path):
        pytest_collection.begin(run, module)
    timelines: list[Timeline] = []
    try:
        bodies.execute_each(run, module.scope, module_node.body)
        timelines.append(_settled(run, module))
        for one in _uncalled(run, module):
            timelines.append(one)
    except (RecursionError, SourceError):
        # With a larger stack it may go further; and what is no Python is no bug.
        raise
    except Exception as error:
        # What was found before stays found.
        program.failure = error
        if not timelines:
            timelines.append(tuple(run.state.events))
    finally:
        loaded_modules.names_as_before(run)
        program.not_followed.update(run.incomplete)
    return tuple(timelines)


def _packages_above(module: Module) -> list[Module]:
    """The packages that a module is in: they run before it, whoever imports it. Where one of
    them imports the module by itself, its own order decides and not the module's."""
    names = module.lineage()[:-1]
    found = [module.program.module(name, module) for name in names]
    packages = [package for package in found if package is not None]
    brought = any(
        one.real_path == module.real_path
        for package in packages
        for one in package.brought().values()
    )
    return [] if brought else packages


def _is_idle(module: Module, source: bytes, packages: Sequence[Module]) -> bool:
    """Whether the file has run as a module of its program already, and that has shown that nothing
    can be found in it: then it need not run once more. `packages` run before it."""
    ran = module.program.ran_before(Path(module.real_path))
    if ran is None or ran.syntax is not module.syntax:
        # An editor may give another text in the name of the file.
        return False
    features = module.program.byte_scan.features(source)
    if (
        features.mentions_main
        or features.mentions_tests
        or features.mentions_plum_and_jit
        or module.program.module_finder.pytest.collects(module.path)
    ):
        # It does more when it is a script, or when pytest collects it; and stacked decorators are
        # found where they stand.
        return False
    imported = ran.imports()
    if any(one.acts_at_once() for one in (ran, *packages)) and any(
        isinstance(action, RegisterEffect)
        for one in all_imported([ran, *packages])
        for action in one.effects
    ):
        return False
    before = [*packages, *imported]
    if not module.program.may_register(ran, before, source):
        return True
    return not module.program.registering_functions(ran, before)


def _settled(run: Run, module: Module) -> Timeline:
    """What happened up to here, as if the program ended."""
    end = Place(module.path, 1, 1, 1, 1)
    return (*run.state.events, *trace_table.gone_at_the_end(run, end))


def _uncalled(run: Run, module: Module) -> Iterator[Timeline]:
    """Library functions, entry points, tests: each may be called by somebody else, and each is
    looked at from the state after the module, whatever the others do."""
    imported = [action.module for action in run.state.effects if isinstance(action, ImportEffect)]
    candidates = module.program.registering_functions(module, imported)
    tests = [
        t for t in pytest_collection.tests_of(run) if id(t.function.definition) not in run.called
    ]
    run_tests = pytest_collection.may_register(run, tests, candidates) or (
        bool(tests) and pytest_collection.conftests_register(module)
    )
    of_tests = {id(test.function.definition) for test in tests}
    others = [
        one
        for one in run.defined
        if id(one[0].definition) not in of_tests and id(one[0].definition) in candidates
    ]
    if not run_tests and not others:
        return
    fork = Fork(run)
    if run_tests:
        certain = module.program.module_finder.pytest.collects(module.path)
        happens = partial(pytest_collection.run_tests, run, module, tests)
        yield from _by_itself(run, module, fork, happens, certain)
    found: dict[int, list[Timeline]] = {}
    called = set(run.called)
    left = MOST_CALLS_OF_ALL
    while others:
        function, value = others.pop(0)
        definition = id(function.definition)
        if definition in called or not liveness.held_anywhere(run, function):
            continue
        run.defined.clear()
        run.called = set()
        run.calls_left = given = max(LEAST_CALLS_OF_ONE, min(MOST_CALLS_OF_ONE, left))
        happens = partial(_call_unknown, run, function, value)
        timelines = _by_itself(run, module, fork, happens, certain=False)
        left -= given - run.calls_left
        for one in run.called - {definition}:
            # Somebody does call it, wherever in the file that stands.
            found.pop(one, None)
        called |= run.called
        found[definition] = timelines
        others.extend(one for one in run.defined if id(one[0].definition) in candidates)
    for timelines in found.values():
        yield from timelines


def _by_itself(
    run: Run, module: Module, fork: Fork, happens: Callable[[], None], certain: bool
) -> list[Timeline]:
    """What is called after the module, in a timeline of its own where it may matter."""
    conditions = [] if certain else [(run.branch_ids.new(), 0)]
    before = len(run.state.events)
    with fork:
        with run.under(*conditions):
            happens()
        matters = any(
            isinstance(event, Registered | DecoratorStack) for event in run.state.events[before:]
        )
        return [_settled(run, module)] if matters else []


def _call_unknown(run: Run, function: FunctionValue, value: Value) -> None:
    """Calls a function with arguments of which only the annotations tell anything."""
    assert isinstance(function.definition, nodes.FunctionDef)
    place = Place(function.scope.module.path, *function.definition.at)
    callee: Value = value if isinstance(value, Jitted) else function
    receiver = _receiver(function.scope)
    arguments = definitions.unknown_arguments(function, receiver)
    try:
        # The run begins inside the function: its own place is no step of the way there.
        iteration.expand(run, run.call(callee, arguments, place))
    except Raised:
        return
    finally:
        run.now.frame.temporaries.clear()


def _receiver(scope: Scope) -> Value | None:
    cls = scope.names.get("__class__") if scope.kind == "class" else None
    return Instance(cls, {}, exact=False) if isinstance(cls, ClassValue) else None
