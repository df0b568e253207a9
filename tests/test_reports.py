from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from house import PJ004, finding, stale

from plum_jit_lint.findings import Finding, Place, Problem, Related, Role, Severity, UnusedComment
from plum_jit_lint.lint import Report
from plum_jit_lint.project.shown_lines import Lines
from plum_jit_lint.report import render
from plum_jit_lint.report.concise import problem_line
from plum_jit_lint.report.progress import progress_on
from plum_jit_lint.report.sarif import document, fingerprints
from plum_jit_lint.report.style import Style, style_for
from plum_jit_lint.report.text import statistics, summary

BOXES = Style(boxes=True)
SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-schema-2.1.0.json").read_text())


def report(*findings: Finding, source: str = PJ004, problems: tuple[Problem, ...] = ()) -> Report:
    return Report(findings, problems, 1, {"shapes.py": source.encode()})


class TestText:
    def test_the_line_and_every_related_place(self) -> None:
        assert render(report(stale()), "text", BOXES) == (
            "shapes.py:19:1: error[PJ004] registered-after-traced-by-caller:"
            " `area` gets a method too late\n"
            "19 │ @dispatch\n"
            "   │ ^^^^^^^^^\n"
            "   ├╴shapes.py:16:1: `total` is first called here\n"
            "16 │ total(jnp.ones(2))\n"
            "   │ ------------------\n"
            "   ├╴shapes.py:13:16: `total` calls `area`\n"
            "13 │     return 2 * area(x)\n"
            "   │                -------\n"
            "   ├╴shapes.py:6:1: this method was compiled in\n"
            " 6 │ @dispatch\n"
            "   │ ---------\n"
            "\n"
        )

    def test_plain_characters(self) -> None:
        text = render(report(stale()), "text", Style())
        assert text.isascii()
        assert "\n19 | @dispatch\n   | ^^^^^^^^^\n   |-shapes.py:16:1: " in text

    @pytest.mark.parametrize(
        ("line", "column", "end", "shown", "marks"),
        [
            pytest.param("ab(c)", 1, 3, "ab(c)", "^^", id="plain"),
            pytest.param("\tf(x)", 2, 6, "    f(x)", "    ^^^^", id="tab-before"),
            pytest.param("f(\tx)", 1, 6, "f(    x)", "^^^^^^^^", id="tab-inside"),
            pytest.param("日本 = f(x)", 6, 10, "日本 = f(x)", "       ^^^^", id="wide"),
            pytest.param("f('日本')", 1, 8, "f('日本')", "^^^^^^^^^", id="wide-inside"),
            pytest.param("e\u0301 = f()", 6, 9, "e\u0301 = f()", "    ^^^", id="combining"),
            pytest.param("x = '\x1b[31m'", 1, 2, r"x = '\x1b[31m'", "^", id="escape"),
            pytest.param("x\x0c = 1", 5, 6, r"x\x0c = 1", "       ^", id="form-feed"),
            pytest.param("f(x)   ", 1, 5, "f(x)", "^^^^", id="trailing-space"),
            pytest.param("f", 1, 1, "f", "^", id="empty-place"),
        ],
    )
    def test_the_marks_stand_below_the_place(
        self, line: str, column: int, end: int, shown: str, marks: str
    ) -> None:
        place = Place("shapes.py", 1, column, 1, end)
        one = Finding("PJ001", "jit-inside-dispatch", Severity.NOTE, "m", place, "f")
        _, source, below = render(report(one, source=line + "\n"), "text", BOXES).splitlines()[:3]
        assert source == f"1 │ {shown}"
        assert below == f"  │ {marks}"

    def test_a_place_of_several_lines_is_marked_on_the_first(self) -> None:
        place = Place("shapes.py", 1, 3, 3, 2)
        one = Finding("PJ001", "jit-inside-dispatch", Severity.NOTE, "m", place, "f")
        text = render(report(one, source="  f(  \n1\n)\n"), "text", BOXES)
        assert text.splitlines()[1:3] == ["1 │   f(", "  │   ^^"]

    def test_places_that_cannot_be_read_are_only_named(self) -> None:
        elsewhere = Related(Role.FIRST_USE, Place("gone.py", 3, 1, 3, 2), "called here")
        text = render(report(finding(line=99, related=(elsewhere,))), "text", BOXES)
        assert text == (
            "shapes.py:99:1: error[PJ004] registered-after-traced-by-caller:"
            " `area` gets a method too late\n"
            "   ├╴gone.py:3:1: called here\n\n"
        )

    def test_related_places_in_other_files(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("other.py").write_bytes(b"# -*- coding: latin-1 -*-\r\nf('\xe9')\r\n")
        elsewhere = Related(Role.FIRST_USE, Place("other.py", 2, 1, 2, 7), "called here")
        text = render(report(finding(related=(elsewhere,))), "text", BOXES)
        assert "   ├╴other.py:2:1: called here\n 2 │ f('é')\n   │ ------\n" in text

    def test_color_changes_nothing_else(self) -> None:
        import re

        colored = render(report(stale()), "text", Style(color=True, boxes=True))
        assert "\x1b[1;31merror[PJ004]\x1b[0m" in colored
        assert re.sub(r"\x1b\[[\d;]*m", "", colored) == render(report(stale()), "text", BOXES)


class TestManyNotes:
    def test_they_bury_no_error(self) -> None:
        notes = [finding("PJ001", Severity.NOTE, path="a.py", line=n) for n in range(1, 14)]
        error = finding("PJ004", path="b.py", line=3)
        shown = render(report(*notes, error), "text")
        starts = [line for line in shown.splitlines() if line.startswith(("a.py", "b.py"))]
        assert len(starts) == 14
        assert ["jit-inside-dispatch" in line for line in starts[:13]] == [True] * 10 + [False] * 3
        assert "\n\nb.py:3:1: error[PJ004]" in shown
        assert shown.endswith("\n\n")
        told = summary(report(*notes, error))
        assert told.endswith(" The first error is at b.py:3:1.")
        assert "first error" not in summary(report(*notes))
        assert "first error" not in summary(report(notes[0], error))

    def test_a_few_are_shown_in_full(self) -> None:
        notes = [finding("PJ001", Severity.NOTE, path="a.py", line=n) for n in range(1, 11)]
        assert render(report(*notes), "text").count("jit-inside-dispatch") == 10


def test_comments_that_silence_nothing() -> None:
    one = replace(report(), unused=(UnusedComment("a.py", 3, 9, "PJ004"),))
    line = "a.py:3:9: unused comment: `# noqa: PJ004` silences nothing here"
    assert render(one, "concise") == line + "\n"
    assert render(one, "text") == line + "\n\n"
    command = "::warning title=plum-jit-lint,file=a.py,line=3,col=9::"
    assert render(one, "github").startswith(command)
    (told,) = json.loads(render(one, "json"))["unused_noqa"]
    assert told == {"path": "a.py", "line": 3, "column": 9, "code": "PJ004"}
    log = json.loads(render(one, "sarif"))
    (told,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert (told["level"], told["message"]["text"]) == ("warning", line.partition(": ")[2])


class TestSummary:
    def test_counts(self) -> None:
        notes = [finding("PJ001", Severity.NOTE, line=n) for n in range(2)]
        many = Report((finding(), *notes), (), 153)
        assert summary(many) == "Found 1 error and 2 notes in 153 files."
        every = Report((finding(), finding("PJ002", Severity.WARNING), *notes), (), 1)
        assert summary(every) == "Found 1 error, 1 warning and 2 notes in 1 file."

    def test_clean(self) -> None:
        assert summary(Report(files=153)) == "All clean: 153 files checked."

    def test_problems_are_never_clean(self) -> None:
        problems = (Problem("a.py", "bad"),)
        assert summary(Report((), problems, 2)) == "Found nothing in 2 files. 1 path not checked."
        assert summary(Report((finding(),), problems * 2, 2)) == (
            "Found 1 error in 2 files. 2 paths not checked."
        )

    def test_statistics(self) -> None:
        notes = [finding("PJ001", Severity.NOTE, line=n) for n in range(10)]
        assert statistics(report(finding(), *notes)) == (
            "10  PJ001  jit-inside-dispatch                note\n"
            " 1  PJ004  registered-after-traced-by-caller  error\n"
        )
        assert statistics(Report()) == ""


class TestStyle:
    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    @pytest.mark.parametrize(
        ("color", "environment", "on_terminal", "piped"),
        [
            ("auto", {}, True, False),
            ("auto", {"NO_COLOR": "1"}, False, False),
            ("auto", {"NO_COLOR": ""}, True, False),
            ("auto", {"FORCE_COLOR": "1"}, True, True),
            ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
            ("auto", {"TERM": "dumb"}, False, False),
            ("always", {"NO_COLOR": "1"}, True, True),
            ("never", {"FORCE_COLOR": "1"}, False, False),
        ],
    )
    def test_color(
        self, color: str, environment: dict[str, str], on_terminal: bool, piped: bool
    ) -> None:
        assert style_for(self.Terminal(), color, environment).color is on_terminal
        assert style_for(io.StringIO(), color, environment).color is piped

    @pytest.mark.parametrize(("encoding", "boxes"), [("utf-8", True), ("ascii", False)])
    def test_boxes(self, encoding: str, boxes: bool) -> None:
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        assert style_for(stream, "auto", {}).boxes is boxes


class TestProgress:
    def test_on_a_terminal_once_it_takes_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        terminal = TestStyle.Terminal()
        with progress_on(terminal) as step:
            assert step is not None
            step(1, 3)
        assert terminal.getvalue() == ""
        monkeypatch.setattr("plum_jit_lint.report.progress._PATIENCE", -1.0)
        with progress_on(terminal) as step:
            assert step is not None
            step(1, 3)
            step(3, 3)
        assert "Checking" in terminal.getvalue()

    def test_nowhere_else(self) -> None:
        with progress_on(io.StringIO()) as step:
            assert step is None


def test_concise() -> None:
    line = finding(message="two\nlines")
    assert render(report(line), "concise") == "shapes.py:19:1: PJ004 error: two\\nlines\n"


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (Problem("a.py", "invalid syntax", 3, 7), "a.py:3:7: cannot be read: invalid syntax"),
        (Problem("a.py", "null bytes", 3), "a.py:3:1: cannot be read: null bytes"),
        (Problem("a.py", "no such file"), "a.py: cannot be read: no such file"),
        (Problem("a.py", "internal error: KeyError"), "a.py: internal error: KeyError"),
        (Problem("a\n\x1b.py", "x\ny"), r"a\n\x1b.py: cannot be read: x\ny"),
    ],
)
def test_problem_lines(problem: Problem, line: str) -> None:
    assert problem_line(problem) == line


def test_json() -> None:
    problem = Problem("b.py", "invalid syntax", 3, 7)
    data = json.loads(render(report(stale(), problems=(problem,)), "json"))
    assert data == {
        "version": 1,
        "findings": [
            {
                "code": "PJ004",
                "name": "registered-after-traced-by-caller",
                "severity": "error",
                "message": "`area` gets a method too late",
                "path": "shapes.py",
                "line": 19,
                "column": 1,
                "end_line": 19,
                "end_column": 10,
                "function": "area",
                "related": [
                    {
                        "role": role,
                        "path": "shapes.py",
                        "line": line,
                        "column": column,
                        "message": message,
                    }
                    for role, line, column, message in [
                        ("first-use", 16, 1, "`total` is first called here"),
                        ("call", 13, 16, "`total` calls `area`"),
                        ("compiled-method", 6, 1, "this method was compiled in"),
                        ("registration", 19, 1, "registered here"),
                    ]
                ],
            }
        ],
        "errors": [{"path": "b.py", "line": 3, "column": 7, "message": "invalid syntax"}],
    }


class TestGithub:
    def test_a_command_with_all_places(self) -> None:
        assert render(report(stale()), "github") == (
            "::error title=PJ004 registered-after-traced-by-caller,file=shapes.py,line=19,col=1,"
            "endLine=19,endColumn=10::"
            "shapes.py:19:1: PJ004 error: `area` gets a method too late"
            "%0Ashapes.py:16:1: `total` is first called here"
            "%0Ashapes.py:13:16: `total` calls `area`"
            "%0Ashapes.py:6:1: this method was compiled in"
            "%0Ashapes.py:19:1: registered here\n"
        )

    @pytest.mark.parametrize(
        ("severity", "command"),
        [(Severity.NOTE, "notice"), (Severity.WARNING, "warning"), (Severity.ERROR, "error")],
    )
    def test_severities(self, severity: Severity, command: str) -> None:
        assert render(report(finding(severity=severity)), "github").startswith(f"::{command} ")

    def test_escapes(self) -> None:
        odd = finding(path="a,b:c%.py", message="100%: yes, really")
        text = render(report(odd), "github")
        assert ",file=a%2Cb%3Ac%25.py,line=19," in text
        assert text.endswith("::a,b:c%25.py:19:1: PJ004 error: 100%25: yes, really\n")

    def test_problems(self) -> None:
        problem = Problem("b.py", "invalid syntax", 3, 7)
        assert render(Report(problems=(problem,)), "github") == (
            "::error title=plum-jit-lint,file=b.py,line=3,col=7::"
            "b.py:3:7: cannot be read: invalid syntax\n"
        )


class TestSarif:
    @pytest.fixture
    def log(self) -> dict[str, Any]:
        problem = Problem("b c.py", "invalid syntax", 3, 7)
        note = finding("PJ001", Severity.NOTE, line=6)
        return document(report(note, stale(), problems=(problem, Problem("d", "no such file"))))

    def test_valid_against_the_published_schema(self, log: dict[str, Any]) -> None:
        validator = jsonschema.Draft4Validator(SCHEMA)
        assert sorted(error.message for error in validator.iter_errors(log)) == []
        assert list(validator.iter_errors(document(Report()))) == []

    def test_results(self, log: dict[str, Any]) -> None:
        run = log["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        note, error = run["results"]
        assert [(r["ruleId"], r["level"]) for r in (note, error)] == [
            ("PJ001", "note"),
            ("PJ004", "error"),
        ]
        assert [rules[r["ruleIndex"]] for r in (note, error)] == ["PJ001", "PJ004"]
        assert "codeFlows" not in note
        assert error["locations"] == [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "shapes.py", "uriBaseId": "SRCROOT"},
                    "region": {"startLine": 19, "startColumn": 1, "endLine": 19, "endColumn": 10},
                }
            }
        ]
        told = [location["message"]["text"] for location in error["relatedLocations"]]
        assert told == [
            "`total` is first called here",
            "`total` calls `area`",
            "this method was compiled in",
            "registered here",
        ]

    def test_the_flow_goes_from_the_first_use_to_the_registration(
        self, log: dict[str, Any]
    ) -> None:
        (flow,) = log["runs"][0]["results"][1]["codeFlows"]
        (thread,) = flow["threadFlows"]
        lines = [
            step["location"]["physicalLocation"]["region"]["startLine"]
            for step in thread["locations"]
        ]
        assert lines == [16, 13, 19]

    def test_each_first_use_has_a_flow(self) -> None:
        one = stale()
        again = Related(Role.FIRST_USE, Place("shapes.py", 17, 1, 17, 5), "and here")
        (result,) = document(report(replace(one, related=(*one.related, again))))["runs"][0][
            "results"
        ]
        told = [
            [step["location"]["message"]["text"] for step in flow["threadFlows"][0]["locations"]]
            for flow in result["codeFlows"]
        ]
        assert told == [
            ["`total` is first called here", "`total` calls `area`", "registered here"],
            ["and here", "registered here"],
        ]

    def test_problems_are_notifications(self, log: dict[str, Any]) -> None:
        (invocation,) = log["runs"][0]["invocations"]
        assert invocation["executionSuccessful"] is False
        first, second = invocation["toolExecutionNotifications"]
        place = first["locations"][0]["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "b%20c.py", "uriBaseId": "SRCROOT"}
        assert place["region"] == {"startLine": 3, "startColumn": 7}
        assert second["message"]["text"] == "cannot be read: no such file"

    def test_every_rule_has_its_text(self, log: dict[str, Any]) -> None:
        for rule in log["runs"][0]["tool"]["driver"]["rules"]:
            assert rule["help"]["markdown"].strip()
            assert rule["fullDescription"]["text"].strip()

    def test_absolute_paths(self) -> None:
        elsewhere = finding(path=str(Path.cwd().parent / "other.py"))
        (result,) = document(Report((elsewhere,)))["runs"][0]["results"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert uri == {"uri": (Path.cwd().parent / "other.py").as_uri()}


class TestFingerprints:
    def prints(self, source: str, *findings: Finding) -> list[str]:
        return fingerprints(findings, Lines({"shapes.py": source.encode()}))

    def test_survive_a_moved_and_reindented_line(self) -> None:
        before = self.prints("f(x)\n", finding(line=1))
        after = self.prints("import a\n\nif a:\n    f(x)\n", finding(line=4))
        assert before == after

    def test_tell_code_function_and_text_apart(self) -> None:
        one = self.prints("f(x)\n", finding(line=1))
        assert one != self.prints("f(x)\n", finding("PJ003", line=1))
        assert one != self.prints("f(y)\n", finding(line=1))

    def test_tell_like_lines_apart(self) -> None:
        first, second = self.prints("f(x)\nf(x)\n", finding(line=1), finding(line=2))
        assert first != second
