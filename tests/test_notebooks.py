"""Notebooks: what the checker says of each in `notebooks/`, and what they do in a kernel.

`# expect: PJ004/error` on a line of a cell says which findings stand there. Each notebook shows by
its own asserts that what it calls stale is stale, and that the rest is not.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tokenize
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plum_jit_lint import lint_paths, lint_source
from plum_jit_lint.cli import main
from plum_jit_lint.findings import Finding
from plum_jit_lint.project import magics
from plum_jit_lint.project.config import Settings
from plum_jit_lint.project.notebooks import NotebookError, read_notebook

HERE = Path(__file__).parent
FOLDER = HERE / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
JUDGED = [
    one
    for one in NOTEBOOKS
    if os.environ.get("PLUM_JIT_LINT_ALL_PROGRAMS") or zlib.crc32(one.stem.encode()) % 5 == 0
]
EXPECT = re.compile(r"# expect: (.+)")

Key = tuple[str, int, int, str]

needs_a_kernel = pytest.mark.skipif(
    not all(
        importlib.util.find_spec(m) for m in ("nbclient", "nbformat", "ipykernel", "jax", "plum")
    ),
    reason="runs notebooks under real plum and JAX",
)


def code_cells(path: Path) -> Iterator[tuple[int, str]]:
    """The code cells of a notebook with their numbers, read by nobody's code but json."""
    for number, cell in enumerate(json.loads(path.read_text())["cells"], 1):
        if cell["cell_type"] == "code":
            yield number, "".join(cell["source"])


def expected(path: Path) -> list[Key]:
    found = []
    for number, source in code_cells(path):
        for line, text in enumerate(source.split("\n"), 1):
            match = EXPECT.search(text)
            for word in match[1].split() if match else ():
                found.append((path.name, number, line, word))
    return sorted(found)


def told(findings: tuple[Finding, ...]) -> list[Key]:
    return sorted(
        (
            Path(one.place.path).name,
            0 if one.place.cell is None else one.place.cell.number,
            one.place.line,
            f"{one.code}/{one.severity.label}",
        )
        for one in findings
    )


def cell(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}


def document(*cells: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more}


def written(path: Path, *sources: str, **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document(*map(cell, sources), **more), indent=1))
    return path


START = """\
import jax
import jax.numpy as jnp
from plum import dispatch


@dispatch
def scale(a: jax.Array):
    return a * 2


@jax.jit
def run(a):
    return 12 * scale(a)


run(jnp.ones(2))"""

LATE = """\
@dispatch
def scale(a: jax.Array):
    return a * 3"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- findings --------------------------------------------------------------------------------


def test_there_are_notebooks_of_many_kinds() -> None:
    assert len(NOTEBOOKS) >= 40
    assert sum(bool(expected(one)) for one in NOTEBOOKS) >= 25
    assert sum(not expected(one) for one in NOTEBOOKS) >= 15


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_that_is_named(path: Path) -> None:
    report = lint_paths([path], Settings())
    assert (report.files, report.problems) == (1, ())
    assert told(report.findings) == expected(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_notebooks_of_a_folder(jobs: int) -> None:
    report = lint_paths([FOLDER], Settings(), jobs=jobs)
    assert report.problems == ()
    assert report.files == len([*FOLDER.rglob("*.ipynb"), *FOLDER.rglob("*.py")])
    assert told(report.findings) == sorted(key for one in NOTEBOOKS for key in expected(one))


def test_a_finding_has_the_id_of_its_cell(here: Path) -> None:
    path = here / "a.ipynb"
    path.write_text(json.dumps(document(cell(START, id="first"), cell(LATE, id="late-1"))))
    (finding,) = lint_paths([path]).findings
    assert finding.place.cell is not None
    assert (finding.place.cell.number, finding.place.cell.id) == (2, "late-1")
    assert {one.place.cell.id for one in finding.related if one.place.cell} == {"first"}
    assert "(line 6 of cell 1)" in finding.message


@pytest.mark.parametrize(
    "magic",
    ["%time run(jnp.ones(2))", "y = %time run(jnp.ones(2))", "%timeit -n 1 run(jnp.ones(2))"],
)
def test_columns_are_those_of_the_cell(here: Path, magic: str) -> None:
    first = START.replace("run(jnp.ones(2))", magic)
    (finding,) = lint_paths([written(here / "a.ipynb", first, LATE)]).findings
    use = finding.related[0].place
    line = first.split("\n")[use.line - 1]
    assert line[use.column - 1 : use.end_column - 1] == "run(jnp.ones(2))"


def test_a_definition_in_a_file_that_a_cell_writes_stands_in_the_cell(here: Path) -> None:
    module = (
        "import jax\nfrom plum import dispatch\n\n\n"
        "@dispatch\n@jax.jit\ndef area(a: jax.Array):\n    return a"
    )
    call = (
        "from shapes import area\nimport jax\n\n\n"
        "@jax.jit\ndef total(a):\n    return area(a)\n\n\ntotal(jax.numpy.ones(2))"
    )
    late = "import jax\n\n\n@area.dispatch\ndef _(a: jax.Array):\n    return 2 * a"
    path = written(here / "a.ipynb", f"%%writefile shapes.py\n{module}", call, late)
    stacked, finding = lint_paths([path]).findings
    assert (stacked.code, told((stacked,))[0][1:3]) == ("PJ001", (1, 6))
    assert (finding.code, told((finding,))[0][1:3]) == ("PJ004", (3, 4))
    held = finding.related[-1].place
    assert (held.path, held.line, held.cell and held.cell.number) == ("a.ipynb", 6, 1)


# --- what real JAX does ----------------------------------------------------------------------


@needs_a_kernel
@pytest.mark.parametrize("path", JUDGED, ids=lambda path: path.stem)
def test_the_asserts_of_a_notebook_hold_under_real_jax(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    folder = tmp_path / "notebooks"
    shutil.copytree(FOLDER, folder)
    notebook = nbformat.read(folder / path.name, as_version=4)
    nbformat.validate(notebook)
    where = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=where).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_asserts_something(path: Path) -> None:
    last = [source for _, source in code_cells(path)][-1]
    assert any("assert" in source for _, source in code_cells(path)), last


# --- IPython's own language ------------------------------------------------------------------

CELLS = [
    "x = 1\nif x:\n    y = 2",
    "\n\n    x = 1\n    y = 2\n",
    ">>> def f():\n...     return 1",
    "In [3]: x = 1\n   ...: y = 2",
    ",f a b",
    ";f a b",
    "/f a b",
    's = """\n%time f()\n!ls\n"""\nx = (1\n% 2)',
    "x = 'a = %s' % 3\nprint('really?')  # is it?",
    "x = 5 \\\n% 3",
    "f(x,\n  y)\nfor i in range(3):\n    g(i)",
]


@pytest.mark.parametrize("source", CELLS)
def test_a_cell_becomes_the_python_that_ipython_makes_of_it(source: str) -> None:
    transformer = pytest.importorskip("IPython.core.inputtransformer2").TransformerManager()
    own = "\n".join(line.text for line in magics.as_python(magics.lines_of(source)))
    assert ast.dump(ast.parse(own)) == ast.dump(ast.parse(transformer.transform_cell(source)))


OPAQUE = [
    *("%load_ext autoreload", "%autoreload 2", "!ls *.py", "!!ls", "?f", "f?", "f.g??", "%f?"),
    *(
        "x = !ls -l",
        "x = %env HOME",
        "for i in x:\n    !echo {i}",
        "%matplotlib inline",
        "np.*load*?",
    ),
    *("!ls \\\n  -l", "%pip install plum-dispatch"),
]


@pytest.mark.parametrize("source", OPAQUE)
def test_what_is_no_python_becomes_a_call_of_which_nothing_is_known(source: str) -> None:
    transformer = pytest.importorskip("IPython.core.inputtransformer2").TransformerManager()
    lines = magics.as_python(magics.lines_of(source))
    own = ast.parse("\n".join(line.text for line in lines))
    theirs = ast.parse(transformer.transform_cell(source))

    def shape(tree: ast.Module) -> list[str]:
        kinds = (ast.Assign, ast.For, ast.Expr)
        return [type(node).__name__ for node in ast.walk(tree) if isinstance(node, kinds)]

    assert shape(own) == shape(theirs)
    assert "get_ipython" in ast.unparse(own)


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%time f(x)", "f(x)"),
        ("%time --no-raise-error f(x)", "f(x)"),
        ("y = %time f(x)", "y = f(x)"),
        ("%prun -s cumulative -q f(x)", "f(x)"),
        ("%%time\n\nf(x)\ng(x)", "f(x)\ng(x)"),
        (
            "%%capture out\nf(x)",
            "try:\n    f(x)\n    pass\nexcept BaseException: pass\nout = get_ipython()",
        ),
        ("%%bash\necho f", ""),
        ("if x:\n    %time f(x)", "if x:\n    f(x)"),
        ("%time %time f(x)", "f(x)"),
        ("if x:\n\t%time f(x)\n\tif y:\n\t\t%time g(x)", "if x:\n\tf(x)\n\tif y:\n\t\tg(x)"),
        ("%xdel f", "del f"),
        ("%reset -f", "globals().clear()"),
    ],
)
def test_a_statement_that_a_magic_runs_is_kept(source: str, python: str) -> None:
    own = "\n".join(line.text for line in magics.as_python(magics.lines_of(source)))
    assert ast.dump(ast.parse(own)) == ast.dump(ast.parse(python))


@pytest.mark.parametrize("source", ["%timeit -n 10 -r3 f(x)", "%%timeit -n 10 x = 1\nf(x)\ng(x)"])
def test_what_timeit_runs_is_in_a_function(source: str) -> None:
    lines = magics.as_python(magics.lines_of(source))
    function, loop, _ = ast.parse("\n".join(line.text for line in lines)).body
    assert isinstance(function, ast.FunctionDef)
    assert isinstance(loop, ast.For)
    assert "f(x)" in ast.unparse(function)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_program_has_a_line_for_each_line_of_its_cells(path: Path) -> None:
    notebook = read_notebook(path.read_bytes())
    lines = notebook.program.decode().split("\n")[:-1]
    for number, text in enumerate(lines, 1):
        found, line, _ = notebook.place_in(number, 1)
        sources = dict(code_cells(path))
        assert 1 <= line <= sources[found.number].count("\n") + 1
        if text in sources[found.number].split("\n"):
            assert text.strip() in sources[found.number]


# --- reports ---------------------------------------------------------------------------------


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments, "--no-cache"])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def late(here: Path) -> Path:
    path = here / "nb" / "late.ipynb"
    path.parent.mkdir()
    note = {"cell_type": "markdown", "source": "# Late", "metadata": {}, "id": "m"}
    cells = [note, cell(START, id="start"), cell(f"%%time\n{LATE}", id="again")]
    for one in cells:
        # As nbformat writes it: each line by itself.
        one["source"] = one["source"].splitlines(keepends=True)
    path.write_text(json.dumps(document(*cells), indent=1))
    return path


def test_text(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = output(capsys, "nb")
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith("nb/late.ipynb:cell 3:2:1: error[PJ004] ")
    assert "cell id again" in lines[1]
    assert lines[2].strip().endswith("@dispatch")
    assert "nb/late.ipynb:cell 2:16:1: `run` is traced here" in out
    assert "run(jnp.ones(2))" in out


def test_concise(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = output(capsys, "nb/late.ipynb", "--output-format", "concise")
    assert (code, out.count("\n")) == (1, 1)
    assert out.startswith("nb/late.ipynb:cell 3:2:1: PJ004 error: ")


def test_json(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = output(capsys, "nb", "--output-format", "json")
    (finding,) = json.loads(out)["findings"]
    place = {key: finding[key] for key in ("path", "cell", "cell_id", "line", "column", "end_line")}
    assert place == {
        "path": "nb/late.ipynb",
        "cell": 3,
        "cell_id": "again",
        "line": 2,
        "column": 1,
        "end_line": 2,
    }
    assert {(one["cell"], one["cell_id"]) for one in finding["related"]} == {(2, "start")}


def line_in(path: Path, text: str) -> int:
    lines = path.read_text().splitlines()
    (number,) = [n for n, line in enumerate(lines, 1) if text in line]
    return number


def test_github(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = output(capsys, "nb", "--output-format", "github")
    # An annotation stands beside the file as it is in the repository.
    line = line_in(late, "%%time") + 1
    assert f"file=nb/late.ipynb,line={line}::nb/late.ipynb:cell 3:2:1: PJ004 error" in out
    assert "cell 3, id again" in out


def test_sarif(late: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    _, out, _ = output(capsys, "nb", "--output-format", "sarif")
    log = json.loads(out)
    schema = json.loads((HERE / "data" / "sarif-schema-2.1.0.json").read_text())
    jsonschema.validate(log, schema, cls=jsonschema.Draft7Validator)
    (result,) = log["runs"][0]["results"]
    (location,) = result["locations"]
    line = line_in(late, "%%time") + 1
    assert location["physicalLocation"]["region"] == {"startLine": line}
    (cell_told,) = location["logicalLocations"]
    assert cell_told["name"] == "cell 3"
    assert cell_told["properties"]["cellId"] == "again"
    assert cell_told["properties"]["startLine"] == 2


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_the_line_of_the_file_however_it_is_written(
    here: Path, capsys: pytest.CaptureFixture[str], indent: int | None
) -> None:
    path = here / "a.ipynb"
    path.write_text(json.dumps(document(cell(START), cell(LATE)), indent=indent))
    _, out, _ = output(capsys, "a.ipynb", "--output-format", "github")
    lines = path.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "a * 3" in line)
    assert f"line={number}::" in out


# --- what is read ----------------------------------------------------------------------------

BROKEN = {
    "not JSON": (b"import jax", "1:1: cannot be read: not a notebook: not valid JSON"),
    "a list": (b"[]", "not a notebook: the JSON is no object"),
    "other JSON": (b'{"a": 1}', "not a notebook: the JSON has no `nbformat`"),
    "no cells": (b'{"nbformat": 4, "metadata": {}}', "not a notebook: it has no list of cells"),
    "no worksheets": (b'{"nbformat": 3, "metadata": {}}', "not a notebook: it has no list of work"),
    "a cell without a type": (
        json.dumps(document({"source": ""})).encode(),
        "not a notebook: cell 1 has no type",
    ),
    "a cell without source": (
        json.dumps(document({"cell_type": "code"})).encode(),
        "not a notebook: cell 1 has no source",
    ),
    "not UTF-8": (b'{"nbformat": 4, "cells": "\xff"}', "not a notebook: cannot be decoded"),
    "R": (
        json.dumps(document(metadata={"kernelspec": {"language": "R"}})).encode(),
        "a notebook for R, not for Python",
    ),
    "Julia": (
        json.dumps(document(metadata={"language_info": {"name": "julia"}})).encode(),
        "a notebook for julia, not for Python",
    ),
    "no Python": (
        json.dumps(document(cell("x = 1"), cell("y = 2\ndef f(:"))).encode(),
        "cell 2:2:7: cannot be read: invalid syntax",
    ),
    "an open bracket": (
        json.dumps(document(cell("x = (1"), cell("2)"))).encode(),
        "cell 1:1:",
    ),
    "a block without a body": (
        json.dumps(document(cell("if True:"), cell("    x = 1"))).encode(),
        "cell 1:1:",
    ),
    "deep": (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, "not a notebook: "),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_notebook_of_python_is_one_clear_line(
    here: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    source, sentence = BROKEN[kind]
    (here / "broken.ipynb").write_bytes(source)
    written(here / "good.ipynb", START, LATE)
    for paths in (["broken.ipynb"], ["broken.ipynb", "good.ipynb"], ["."]):
        code, out, err = output(capsys, *paths, "--quiet", "--output-format", "concise")
        assert code == 2
        assert err.count("\n") == 1
        assert err.startswith("broken.ipynb:")
        assert sentence in err
        assert out.count("\n") == (0 if paths == ["broken.ipynb"] else 1)


def test_an_old_notebook_with_worksheets_is_read(here: Path) -> None:
    cells = [
        {"cell_type": "code", "input": text.splitlines(keepends=True), "outputs": []}
        for text in (START, LATE)
    ]
    sheet = {"cells": [{"cell_type": "heading", "source": "Old", "level": 1}, *cells]}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [sheet]}
    (here / "old.ipynb").write_text(json.dumps(old))
    assert told(lint_paths(["old.ipynb"]).findings) == [("old.ipynb", 3, 1, "PJ004/error")]


def test_a_notebook_that_says_nothing_of_its_language_is_python(here: Path) -> None:
    assert told(lint_paths([written(here / "a.ipynb", START, LATE)]).findings)


@pytest.mark.parametrize("name", ["data.json", "notes.txt", "README.md", "nb.ipynb.bak"])
def test_another_kind_of_file_is_an_error_when_it_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (here / name).write_text("{}")
    code, out, err = output(capsys, name)
    assert code == 2
    assert f"{name}: cannot be read: neither a Python file nor a notebook" in err
    assert "clean" not in out + err
    code, out, err = output(capsys, ".")
    assert code == 0


@pytest.mark.parametrize("name", ["script", "stub.pyi", "window.pyw", "run.cgi"])
def test_what_may_be_python_is_checked_when_it_is_named(here: Path, name: str) -> None:
    (here / name).write_text(f"#!/usr/bin/env python3\n{START}\n\n\n{LATE}\n")
    assert [one.code for one in lint_paths([name]).findings] == ["PJ004"]


def test_include_says_what_a_folder_stands_for(here: Path) -> None:
    written(here / "a.ipynb", START, LATE)
    (here / "b.py").write_text(f"{START}\n\n\n{LATE}\n")
    (here / "c.script").write_text(f"{START}\n\n\n{LATE}\n")

    def names(table: str) -> list[str]:
        (here / "pyproject.toml").write_text(f"[tool.plum-jit-lint]\n{table}\n")
        return [one.place.path for one in lint_paths(["."]).findings]

    assert names("") == ["a.ipynb", "b.py"]
    assert names('include = ["*.py"]') == ["b.py"]
    assert names('include = ["*.py", "*.script"]') == ["b.py", "c.script"]
    assert names('exclude = ["*.ipynb"]') == ["b.py"]
    assert names('per-file-ignores = {"*.ipynb" = ["PJ004"]}') == ["b.py"]


def test_the_place_of_a_script_that_is_run_is_the_whole_line(here: Path) -> None:
    (here / "late.py").write_text(f"import jax\nfrom plum import dispatch\n\n\n{LATE}\n")
    path = written(here / "a.ipynb", START, "if True:\n    %run late.py")
    place = next(one for one in lint_paths([path]).findings if one.place.path == "a.ipynb").place
    assert (place.line, place.column, place.end_column) == (2, 5, 17)


def test_checkpoints_are_left_out(here: Path) -> None:
    written(here / ".ipynb_checkpoints" / "a-checkpoint.ipynb", START, LATE)
    assert lint_paths(["."]).files == 0


def test_a_notebook_on_standard_input(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(document(cell(START), cell(LATE)))
    report = lint_source(text, path="nb/unsaved.ipynb")
    assert told(report.findings) == [("unsaved.ipynb", 2, 1, "PJ004/error")]
    ended = subprocess.run(
        [sys.executable, "-m", "plum_jit_lint", "-", "--stdin-filename", "nb/unsaved.ipynb"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stdout.startswith("nb/unsaved.ipynb:cell 2:1:1: ")
    assert "@dispatch" in ended.stdout


def test_modules_are_looked_for_beside_the_notebook_first(here: Path) -> None:
    (here / "shapes.py").write_text("")
    package = here / "package" / "docs"
    package.mkdir(parents=True)
    for folder in (here / "package", package):
        (folder / "__init__.py").write_text("raise ImportError\n")
    (package / "shapes.py").write_text(f"{START}\n")
    path = written(package / "a.ipynb", "from shapes import *", LATE)
    assert told(lint_paths([path]).findings) == [("a.ipynb", 2, 1, "PJ004/error")]


# --- the cache -------------------------------------------------------------------------------


def cached(capsys: pytest.CaptureFixture[str]) -> str:
    main([".", "--output-format", "concise", "--quiet"])
    return capsys.readouterr().out


def test_the_cache_knows_notebooks(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(here / "a.ipynb", START, LATE)
    first = cached(capsys)
    assert ":cell 2:1:1: PJ004" in first

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("it was known")

    with monkeypatch.context() as patched:
        patched.setattr("plum_jit_lint.checking.workers.check_file", fail)
        assert cached(capsys) == first
    written(path, "", START, "# silenced\n" + LATE)
    assert ":cell 3:2:1: PJ004" in cached(capsys)
    written(path, START, "jax.clear_caches()", LATE)
    assert cached(capsys) == ""


@pytest.mark.parametrize(
    "change", [lambda text: text.replace("a * 3", "a * 4"), lambda text: f"# moved\n{text}"]
)
def test_a_module_that_a_notebook_imports_may_change(
    here: Path, capsys: pytest.CaptureFixture[str], change: Callable[[str], str]
) -> None:
    module = here / "late.py"
    module.write_text(f"import jax\nfrom plum import dispatch\n\n\n{LATE}\n")
    written(here / "a.ipynb", START, "import late")
    assert ":cell 2:1:1: PJ004" in cached(capsys)
    module.write_text(change(module.read_text()))
    assert ":cell 2:1:1: PJ004" in cached(capsys)
    module.write_text("")
    assert cached(capsys) == ""


# --- elsewhere -------------------------------------------------------------------------------


def test_noqa_is_read_where_the_cell_has_it(here: Path) -> None:
    path = written(
        here / "a.ipynb", START, "!ls\n" + LATE.replace("@dispatch", "@dispatch  # noqa")
    )
    assert lint_paths([path]).findings == ()
    text = read_notebook(path.read_bytes()).commented.decode()
    assert list(tokenize.generate_tokens(io.StringIO(text).readline))


def test_a_notebook_is_not_run_as_a_script(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plum")
    written(here / "a.ipynb", START)
    assert main(["run", "a.ipynb"]) == 2
    assert "a.ipynb: a notebook" in capsys.readouterr().err


def test_reading_says_what_is_wrong() -> None:
    with pytest.raises(NotebookError, match="no object"):
        read_notebook(b"3")
