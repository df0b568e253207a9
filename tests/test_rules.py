"""The rules on events made by hand, and the examples of their pages under real JAX."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plum_jit_lint import lint_source
from plum_jit_lint.events import (
    SURELY,
    Choice,
    Cleared,
    DecoratorStack,
    Displaced,
    Event,
    FunctionId,
    Method,
    Parameter,
    PathCondition,
    Registered,
    Statics,
    Step,
    Traced,
    Used,
)
from plum_jit_lint.findings import Finding, Place, Role, Severity
from plum_jit_lint.rules import RULES, judge
from plum_jit_lint.rules._late_finding import placed

# -- the examples of the pages ---------------------------------------------------------------


def examples(code: str, heading: str) -> list[str]:
    """The Python blocks below a heading of a rule's page."""
    sections = re.split(r"^## ", RULES[code].text, flags=re.MULTILINE)
    section = next(s for s in sections if s.startswith(f"{heading}\n"))
    return re.findall(r"^```python\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)


EXAMPLES = [
    pytest.param(code, heading, source, id=f"{code}-{heading}-{number}")
    for code in RULES
    for heading in ("Bad", "Good")
    for number, source in enumerate(examples(code, heading))
]


@pytest.mark.parametrize("code", RULES)
def test_a_page_has_what_a_reader_looks_for(code: str) -> None:
    text = RULES[code].text
    assert text.startswith(f"# {code}: {RULES[code].name}\n")
    assert re.search(r"^## Why it (hurts|matters)$", text, re.MULTILINE)
    assert f"`# noqa: {code}`" in text.partition("## How to silence it")[2]
    assert examples(code, "Bad")
    assert examples(code, "Good")


@pytest.mark.parametrize(("code", "heading", "source"), EXAMPLES)
def test_an_example_is_what_its_heading_says(code: str, heading: str, source: str) -> None:
    report = lint_source(source)
    assert not report.problems
    codes = {finding.code for finding in report.findings}
    assert codes == ({code} if heading == "Bad" else set())


def test_the_examples_run_under_jax() -> None:
    """A definition that only fails when it is called runs; so does a stale program."""
    pytest.importorskip("jax")
    pytest.importorskip("plum")
    sources = [str(example.values[2]) for example in EXAMPLES]
    runner = (
        "import json, sys, jax\n"
        "for source in json.load(sys.stdin):\n"
        "    exec(compile(source, '<example>', 'exec'), {'__name__': 'example'})\n"
        "    from plum import dispatch\n"
        "    dispatch.functions.clear()\n"
        "    jax.clear_caches()\n"
        "    print('ran')\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", runner],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        check=False,
    )
    assert done.stdout.split() == ["ran"] * len(sources), done.stderr


# -- events ----------------------------------------------------------------------------------

AREA = FunctionId("plum.dispatch", None, "area")


def at(line: int, path: str = "shapes.py") -> Place:
    return Place(path, line, 1, line, 10)


OLD = Method("area(a: Array)", at(1))
NEW = Method("area(a: Shape)", at(30))


def parameter(name: str = "a", position: int | None = 0, **given: Any) -> Parameter:
    """A parameter that is annotated `jax.Array`, unless something else is given."""
    usual: dict[str, Any] = {
        "annotation": "jax.Array",
        "traceable": True,
        "becomes_tracer": True,
        "admits_tracer": True,
    }
    return Parameter(name, position, **{**usual, **given})


def number(name: str, position: int | None, **given: Any) -> Parameter:
    return parameter(name, position, annotation="int", admits_tracer=False, **given)


def text(name: str, position: int | None, **given: Any) -> Parameter:
    given = {"annotation": "str", "traceable": False, "becomes_tracer": False, **given}
    return parameter(name, position, admits_tracer=False, **given)


CHOICE = Choice(AREA, "(Array)", OLD, (Step(at(11), "total"),))


def traced(
    entry: int = 1,
    *,
    line: int = 10,
    function: FunctionId | None = None,
    outermost: bool = True,
    when: PathCondition = SURELY,
    inner: tuple[int, ...] = (),
    frozen: bool = False,
    choices: tuple[Choice, ...] = (CHOICE,),
    callable: str = "total",
) -> Traced:
    return Traced(
        entry, (at(line),), when, callable, at(5), function, outermost, choices, inner, frozen
    )


def displaced(entry: int = 1, *, sure: bool = True, retrace_choice: Any = NEW) -> Displaced:
    return Displaced(entry, CHOICE, retrace_choice, sure)


def registered(
    *what: Displaced, line: int = 30, when: PathCondition = SURELY, **given: Any
) -> Registered:
    usual: dict[str, Any] = {
        "function": AREA,
        "method": NEW,
        "parameters": (parameter(),),
        "binds": "area",
        "scope": "shapes",
        "jitted": False,
    }
    return Registered((at(line),), when, **{**usual, **given}, displaced=what)


def used(entry: int = 1, *, when: PathCondition = SURELY, outermost: bool = True) -> Used:
    return Used(entry, (at(50),), when, outermost)


def cleared(*entries: int, when: PathCondition = SURELY) -> Cleared:
    """The named traces are gone, or all."""
    return Cleared((at(40),), when, entries or None)


def stacked(*parameters: Parameter, outer: Any = "jit", **given: Any) -> DecoratorStack:
    usual: dict[str, Any] = {
        "when": SURELY,
        "function": AREA,
        "binds": "area",
        "scope": "shapes",
        "jit": "jax.jit",
        "statics": Statics(),
        "first_parameters": tuple(p.name for p in parameters),
        "string_annotations": False,
        "returns": None,
        "returns_wrong": False,
    }
    return DecoratorStack((at(20),), outer=outer, parameters=parameters, **{**usual, **given})


def found(*events: Event) -> list[tuple[str, Severity]]:
    return [(finding.code, finding.severity) for finding in judge([events])]


def only(*events: Event) -> Finding:
    (finding,) = judge([events])
    return finding


WARNING, ERROR = Severity.WARNING, Severity.ERROR
STALE = [("PJ004", ERROR)]

# -- PJ003 and PJ004: when a registration is late --------------------------------------------


def test_a_registration_that_displaces_nothing_is_not_reported() -> None:
    assert found(traced(), registered()) == []


def test_a_registration_that_displaces_a_choice_of_a_caller() -> None:
    finding = only(traced(), registered(displaced()))
    assert (finding.code, finding.severity, finding.place) == ("PJ004", ERROR, at(30))
    assert [(one.role, one.place.line) for one in finding.related] == [
        (Role.FIRST_USE, 10),
        (Role.CALL, 11),
        (Role.COMPILED_METHOD, 1),
    ]


def test_the_function_itself_was_traced() -> None:
    assert found(traced(function=AREA), registered(displaced())) == [("PJ003", ERROR)]


def test_both_codes_where_both_hold() -> None:
    events = (traced(1), traced(2, function=AREA), registered(displaced(1), displaced(2)))
    assert found(*events) == [("PJ003", ERROR), ("PJ004", ERROR)]


def test_another_dispatched_function_is_a_caller() -> None:
    other = FunctionId("plum.dispatch", None, "volume")
    assert found(traced(function=other), registered(displaced())) == STALE


def test_many_callers_are_one_finding() -> None:
    finding = only(
        traced(1), traced(2, line=12, callable="other"), registered(displaced(1), displaced(2))
    )
    assert [one.place.line for one in finding.related if one.role == Role.FIRST_USE] == [10, 12]
    assert "`total` and 1 more were traced at line 10 and keep" in finding.message


def test_an_inner_trace_counts_by_what_is_outermost() -> None:
    """`total` reaches the jitted dispatched function: it is `total` that keeps the choice."""
    inner = traced(1, function=AREA, outermost=False)
    outer = traced(2, inner=(1,))
    assert found(inner, outer, registered(displaced(1), displaced(2))) == STALE


@pytest.mark.parametrize(
    ("retrace_choice", "words"),
    [("ambiguous", "would be ambiguous"), ("none", "would find no method")],
)
def test_what_a_new_trace_would_meet(retrace_choice: str, words: str) -> None:
    assert words in only(traced(), registered(displaced(retrace_choice=retrace_choice))).message


def test_severity_is_as_sure_as_the_events() -> None:
    branch = frozenset({(1, 0)})
    unsure = [("PJ004", WARNING)]
    assert found(traced(), registered(displaced(sure=False))) == unsure
    assert found(traced(), registered(displaced(), when=branch)) == unsure
    assert found(traced(), registered(displaced(sure=False), displaced())) == STALE


# -- closing the window ----------------------------------------------------------------------


def test_clearing_all_closes_the_window() -> None:
    assert found(traced(), registered(displaced()), cleared(), used()) == []


def test_clearing_after_the_next_use_is_too_late() -> None:
    assert found(traced(), registered(displaced()), used(), cleared()) == STALE


def test_clearing_before_the_registration_does_not_count() -> None:
    # An observer reports no displaced choice that is gone; the rule does not add one.
    assert found(traced(), cleared(), registered()) == []


def test_every_caller_has_to_be_cleared() -> None:
    events = (traced(1), traced(2), registered(displaced(1), displaced(2)))
    assert found(*events, cleared(1, 2), used(1)) == []
    assert found(*events, cleared(1), cleared(2), used(1)) == []
    assert found(*events, cleared(1), used(2)) == STALE


def test_clearing_the_outer_function_alone_leaves_the_inner_trace() -> None:
    inner, outer = traced(1, outermost=False), traced(2, inner=(1,))
    events = (inner, outer, registered(displaced(1), displaced(2)))
    again = traced(3, inner=(1,), choices=())
    assert found(*events, cleared(2), again) == STALE
    assert found(*events, cleared(1), used(2)) == STALE
    assert found(*events, cleared(1), cleared(2), traced(3)) == []


def test_a_compiled_program_is_never_cleared() -> None:
    assert found(traced(frozen=True), registered(displaced()), cleared(), used()) == STALE


def test_a_clearing_on_some_ways_leaves_a_warning() -> None:
    branch = frozenset({(1, 0)})
    events = (traced(), registered(displaced()))
    assert found(*events, cleared(when=branch), used()) == [("PJ004", WARNING)]


def test_a_clearing_under_the_condition_of_the_registration_closes() -> None:
    branch = frozenset({(1, 0)})
    events = (traced(), registered(displaced(), when=branch))
    assert found(*events, cleared(when=branch), used()) == []


def test_arms_that_exclude_each_other_do_not_meet() -> None:
    one, other = frozenset({(1, 0)}), frozenset({(1, 1)})
    events = (traced(), registered(displaced(), when=one))
    # Neither a clearing nor a use in the other branch has to do with this registration.
    assert found(*events, cleared(when=other)) == [("PJ004", WARNING)]
    assert found(*events, used(when=other), cleared()) == []


def test_an_inner_trace_whose_outer_ones_are_gone_stands_for_them() -> None:
    inner, outer = traced(1, line=12, outermost=False), traced(2, inner=(1,))
    alone = only(inner, outer, registered(displaced(1)))
    assert first_uses(alone) == [12]
    together = only(inner, outer, registered(displaced(1), displaced(2)))
    assert first_uses(together) == [10]


def test_a_new_trace_of_an_outermost_call_uses_the_stale_inner_one() -> None:
    branch, other = frozenset({(1, 0)}), frozenset({(1, 1)})
    events = (traced(1, outermost=False), traced(2, inner=(1,)))
    late = registered(displaced(1), displaced(2))
    assert found(*events, late, traced(3, inner=(1,)), cleared()) == STALE
    assert found(*events, late, traced(3, inner=(1,), outermost=False), cleared()) == []
    late = registered(displaced(1), displaced(2), when=branch)
    assert found(*events, late, traced(3, inner=(1,), when=other), cleared()) == []


def test_each_arm_is_cleared_by_itself() -> None:
    one, other = frozenset({(1, 0)}), frozenset({(1, 1)})
    first = registered(displaced(), when=one)
    second = registered(displaced(), when=other, line=31)
    (finding,) = judge([[traced(), first, second, cleared(when=other)]])
    assert finding.place == at(30)


# -- a choice that is put back ---------------------------------------------------------------

SECOND = replace(CHOICE, arguments="(Circle)")


def put_back(
    *choices: Choice, entry: int = 1, when: PathCondition = SURELY, sure: bool = True
) -> Registered:
    restoring = (Displaced(entry, one, OLD, sure) for one in choices)
    return registered(*restoring, line=60, when=when)


def test_what_is_put_back_before_a_use_is_right_again() -> None:
    assert found(traced(), registered(displaced()), put_back(CHOICE), used()) == []
    assert found(traced(), registered(displaced()), used(), put_back(CHOICE)) == STALE
    assert found(traced(), registered(displaced()), put_back(CHOICE, sure=False)) == STALE
    assert found(traced(), registered(displaced()), put_back(SECOND, CHOICE)) == []


def test_all_choices_of_a_trace_have_to_be_put_back() -> None:
    late = registered(displaced(), Displaced(1, SECOND, NEW, True))
    assert found(traced(), late, put_back(CHOICE)) == STALE
    assert found(traced(), late, put_back(CHOICE), put_back(SECOND)) == []


def test_what_is_put_back_on_some_ways_leaves_a_warning() -> None:
    branch = frozenset({(1, 0)})
    events = (traced(), registered(displaced()))
    assert found(*events, put_back(CHOICE, when=branch)) == [("PJ004", WARNING)]
    assert found(*events, used(), put_back(CHOICE, when=branch)) == STALE
    events = (traced(), registered(displaced(), when=branch))
    assert found(*events, put_back(CHOICE, when=branch)) == []


def test_the_trace_of_the_branch_in_which_it_is_put_back_is_no_concern() -> None:
    branch = frozenset({(1, 0)})
    events = (traced(1), traced(2, line=12, when=branch))
    back = registered(*(Displaced(entry, CHOICE, OLD, True) for entry in (1, 2)), when=branch)
    finding = only(*events, registered(displaced(1), displaced(2)), back)
    assert (first_uses(finding), finding.severity) == ([10], WARNING)


# -- what a finding tells --------------------------------------------------------------------


def first_uses(finding: Finding) -> list[int]:
    return [one.place.line for one in finding.related if one.role == Role.FIRST_USE]


def test_a_caller_that_is_cleared_in_time_is_not_told() -> None:
    events = (traced(1), traced(2, line=12), registered(displaced(1), displaced(2)))
    branch = frozenset({(1, 0)})
    assert first_uses(only(*events, cleared(1))) == [12]
    assert first_uses(only(*events, used(1), cleared(1))) == [10, 12]
    assert first_uses(only(*events, used(1, when=branch), cleared(1))) == [10, 12]


def test_the_places_of_a_finding_are_those_where_things_happen() -> None:
    steps = (Step(at(11), "total"), Step(at(21), "helper"))
    use = replace(traced(choices=()), stack=(at(9), at(10)))
    late = registered(Displaced(1, replace(CHOICE, chain=steps), NEW, True))
    late = replace(late, stack=(at(30), at(2, "plugins.py"), at(3, "late.py")))
    finding = only(use, late)
    assert finding.place == at(30)
    assert [(one.place.path, one.place.line, one.message) for one in finding.related] == [
        ("shapes.py", 10, "`total` is traced here, and keeps what it chooses"),
        ("shapes.py", 11, "`total` calls `helper` here"),
        ("shapes.py", 21, "`helper` calls `area` here"),
        ("shapes.py", 1, "`area(a: Array)` is the method that was compiled in"),
        ("late.py", 3, "`area(a: Shape)` is registered here"),
    ]


def message(held: Method | None, *more: Event, frozen: bool = False) -> str:
    choice = replace(CHOICE, held=held)
    late = registered(Displaced(1, choice, NEW, True), *(displaced(2) for _ in more))
    late = replace(late, stack=(at(30), at(4, "other.py")))
    return only(traced(1, frozen=frozen), *more, late).message


@pytest.mark.parametrize(
    ("held", "kept"),
    [
        (None, "the method it chose"),
        (replace(OLD, place=None), "`area(a: Array)`"),
        (OLD, "`area(a: Array)` (line 1)"),
        (replace(OLD, place=at(7, "other.py")), "`area(a: Array)` (other.py:7)"),
        (replace(OLD, place=at(7, "pkg/old.py")), "`area(a: Array)` (old.py:7)"),
        (replace(OLD, place=at(7, "pkg\\old.py")), "`area(a: Array)` (old.py:7)"),
    ],
)
def test_a_message_names_the_method_that_is_kept(held: Method | None, kept: str) -> None:
    assert f": `total` was traced at line 10 and keeps {kept} for (Array). " in message(held)


def test_a_message_counts_the_callers_and_says_what_is_not_sure() -> None:
    several = "`total` and 1 more were traced at line 10 and keep the method it chose"
    assert several in message(None, traced(2, line=12))
    unsure = only(traced(), registered(displaced(sure=False))).message
    assert unsure.startswith("`area(a: Shape)` may come too late: `total` was traced at line 10")
    kept = " and may keep `area(a: Array)` (line 1) for (Array): "
    assert f"{kept}whether the old trace is used again, or cleared first, is not known. " in unsure
    late = registered(displaced(), when=frozenset({(1, 0)}))
    assert f"{kept}whether this line runs is not known. " in only(traced(), late).message
    why = replace(displaced(sure=False), why="whether the arguments fit is not known")
    assert f"{kept}{why.why}. " in only(traced(), registered(why)).message


# -- what to do ------------------------------------------------------------------------------

CLEAR = "call `jax.clear_caches()` right after it."


def advice(*events: Event) -> str:
    return only(*events).message.rpartition("(Array). ")[2]


@pytest.mark.parametrize(
    ("use", "registration", "said"),
    [
        ([at(10)], [at(30)], f"Move it above line 10, or {CLEAR}"),
        # An import of another file, or a call into one: that statement.
        ([at(10)], [at(30), at(3, "late.py")], f"Move it above line 10, or {CLEAR}"),
        # A function of the same file: the call, since the definition stands above already.
        ([at(10)], [at(30), at(5)], f"Let line 30 run before line 10, or {CLEAR}"),
        ([at(9, "use.py")], [at(30)], f"Register it before use.py:9 runs, or {CLEAR}"),
        # Called from the same line, or from one below: no order of lines helps.
        ([at(30), at(5)], [at(30), at(8)], f"Move it above line 5, or {CLEAR}"),
        ([at(40)], [at(30)], CLEAR.capitalize()),
        ([at(30)], [at(30)], CLEAR.capitalize()),
    ],
)
def test_a_message_ends_in_what_to_do(
    use: list[Place], registration: list[Place], said: str
) -> None:
    late = replace(registered(displaced()), stack=tuple(registration))
    assert advice(replace(traced(), stack=tuple(use)), late) == said


def test_it_has_to_come_before_the_first_of_all_traces() -> None:
    uses = traced(1, line=12), traced(2, line=10, callable="other")
    assert advice(*uses, registered(displaced(1), displaced(2))).startswith(
        "Move it above line 10,"
    )
    # The trace was made for another caller first.
    inner = traced(3, line=8, outermost=False)
    later = traced(1, line=12, inner=(3,))
    said = advice(inner, later, registered(displaced(1), displaced(3)))
    assert said.startswith("Move it above line 8,")


def test_what_registers_again_and_again_cannot_be_moved() -> None:
    late = registered(displaced())
    assert advice(traced(), late, traced(2), replace(late, displaced=())) == CLEAR.capitalize()


def test_what_is_compiled_ahead_of_time_is_compiled_again() -> None:
    assert advice(traced(frozen=True), registered(displaced())) == (
        "Move it above line 10, or compile again after it: what is compiled ahead of time outlives "
        "`clear_caches()`."
    )


# -- where a finding stands ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first_use", "registration", "place"),
    [
        ([at(10)], [at(30)], at(30)),
        ([at(10)], [at(10)], at(10)),
        # Reached through functions of the same file: the definition itself.
        ([at(10)], [at(20), at(5)], at(5)),
        # An import of another file, or a call into one: that statement.
        ([at(10)], [at(20), at(3, "plugin.py")], at(20)),
        ([at(10)], [at(20), at(6), at(3, "plugin.py")], at(6)),
        # Both inside one import: that file's own order makes it late.
        (
            [at(2), at(8, "plugin.py")],
            [at(2), at(9, "plugin.py")],
            at(9, "plugin.py"),
        ),
        # Both inside one import, which imports another in between.
        (
            [at(2), at(8, "plugin.py")],
            [at(2), at(9, "plugin.py"), at(1, "other.py")],
            at(9, "plugin.py"),
        ),
    ],
)
def test_a_finding_stands_where_the_order_is_made(
    first_use: list[Place], registration: list[Place], place: Place
) -> None:
    assert placed(tuple(first_use), tuple(registration)) == place


def test_a_registration_elsewhere_is_a_related_place() -> None:
    event = replace(registered(displaced()), stack=(at(20), at(3, "plugin.py")))
    finding = only(traced(), event)
    assert finding.place == at(20)
    last = finding.related[-1]
    assert (last.role, last.place) == (Role.REGISTRATION, at(3, "plugin.py"))


def test_a_place_that_two_timelines_report_is_one_finding() -> None:
    unsure = (traced(), registered(displaced(sure=False)))
    sure = (traced(2, line=12, callable="other"), registered(displaced(2)))
    (finding,) = judge([unsure, sure])
    assert finding.severity == ERROR
    assert [one.place.line for one in finding.related if one.role == Role.FIRST_USE] == [10, 12]


# -- PJ001 -----------------------------------------------------------------------------------


def test_the_idiom_is_a_note() -> None:
    assert found(stacked(parameter(), outer="dispatch")) == [("PJ001", Severity.NOTE)]


def pj001(*parameters: Parameter, **given: Any) -> Finding:
    return only(stacked(*parameters, outer="dispatch", **given))


def test_an_untraceable_parameter() -> None:
    how = text("how", 1)
    finding = pj001(parameter(), how)
    assert finding.severity == ERROR
    assert "`how: str` cannot be traced" in finding.message
    note = Severity.NOTE
    assert pj001(parameter(), how, statics=Statics(names=("how",))).severity == note
    assert pj001(parameter(), how, statics=Statics(numbers=(1,))).severity == note
    assert pj001(parameter(), how, statics=Statics(numbers=(-1,))).severity == note
    assert pj001(parameter(), how, statics=Statics(known=False)).severity == note
    assert pj001(parameter(), how, statics=Statics(non_arrays=True)).severity == note
    assert pj001(parameter(), text("how", 1, optional=True)).severity == WARNING


def test_string_annotations() -> None:
    finding = pj001(parameter(), string_annotations=True)
    assert finding.severity == ERROR
    assert "BeartypeDecorWrappeeException" in finding.message


# -- PJ002 -----------------------------------------------------------------------------------


def test_jit_over_dispatch_is_a_warning() -> None:
    assert found(stacked(parameter())) == [("PJ002", WARNING)]


def test_a_parameter_that_no_tracer_matches() -> None:
    by = number("by", 1)
    finding = only(stacked(parameter(), by))
    assert finding.severity == ERROR
    assert "raises NotFoundLookupError" in finding.message
    assert only(stacked(parameter(), by, statics=Statics(names=("by",)))).severity == WARNING
    assert only(stacked(parameter(), by, statics=Statics(known=False))).severity == WARNING
    # `equinox.filter_jit` leaves a number as it is.
    assert only(stacked(parameter(), replace(by, becomes_tracer=False))).severity == WARNING
    # plum does not dispatch on what is passed by name.
    assert only(stacked(parameter(), number("by", None))).severity == WARNING
    assert only(stacked(parameter(), number("by", 1, optional=True))).severity == WARNING
    union = parameter("by", 1, annotation="int | jax.Array")
    assert only(stacked(parameter(), union)).severity == WARNING


def test_a_wider_overload_runs_instead() -> None:
    wide = Method("area(a: Array, by: object)", at(25))
    overload = registered(method=wide, parameters=(parameter(), parameter("by", 1)), jitted=True)
    finding = only(stacked(parameter(), number("by", 1)), overload)
    assert "silently runs `area(a: Array, by: object)`" in finding.message


def test_an_untraceable_parameter_under_jit() -> None:
    finding = only(stacked(parameter(), text("how", 1)))
    assert finding.severity == ERROR
    assert "raises TypeError" in finding.message


def test_a_result_that_cannot_be_converted() -> None:
    finding = only(stacked(parameter(), returns="float", returns_wrong=True))
    assert finding.severity == ERROR
    assert "cannot convert the traced result to `float`" in finding.message


def test_the_jit_wraps_the_whole_function_under_another_name() -> None:
    finding = only(stacked(parameter(), binds="call"))
    assert finding.severity == ERROR
    assert "under the name `call`" in finding.message


def test_a_later_overload_loses_the_jit() -> None:
    own = replace(registered(line=20), jitted=True)
    finding = only(stacked(parameter()), own, registered(line=30))
    assert finding.severity == ERROR
    assert "the overload at line 30 binds the name without jit" in finding.message
    assert [(one.role, one.place.line) for one in finding.related] == [(Role.DEFINITION, 30)]
    for harmless in (
        registered(line=30, jitted=True),
        registered(line=30, binds="_"),
        registered(line=30, scope="other"),
        registered(line=30, function=replace(AREA, dispatcher="lab.dispatch")),
    ):
        assert only(stacked(parameter()), own, harmless).severity == WARNING


@pytest.mark.parametrize(
    ("statics", "first", "missing"),
    [
        (Statics(names=("by",)), ("a",), True),
        (Statics(names=("by",)), ("a", "by"), False),
        (Statics(names=("by",)), ("a", "=by"), False),
        (Statics(names=("by",)), ("a", "**kwargs"), False),
        (Statics(numbers=(1,)), ("a",), True),
        (Statics(numbers=(1,)), ("a", "*more"), False),
        (Statics(numbers=(-2,)), ("a",), True),
        (Statics(numbers=(-1,)), ("a",), False),
        (Statics(names=("by",)), None, False),
    ],
)
def test_static_arguments_that_the_first_method_lacks(
    statics: Statics, first: tuple[str, ...] | None, missing: bool
) -> None:
    finding = only(stacked(parameter(), statics=statics, first_parameters=first))
    assert (finding.severity == ERROR) == missing
    assert ("ValueError at decoration" in finding.message) == missing


# -- what the rules and the package need -----------------------------------------------------

HEAVY = {"libcst", "jax", "plum", "flake8", "rich", "numpy"}


@pytest.mark.parametrize("module", ["plum_jit_lint", "plum_jit_lint.rules"])
def test_importing_costs_nothing(module: str) -> None:
    script = f"import {module}, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert HEAVY.isdisjoint(done.stdout.split())


def test_every_code_has_a_rule_and_a_place_of_its_own() -> None:
    folder = Path(sys.modules[RULES["PJ001"].judge.__module__].__file__ or "").parent
    assert sorted(path.stem.upper() for path in folder.glob("pj*.py")) == list(RULES)
