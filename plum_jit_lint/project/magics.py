"""What IPython adds to Python, turned into Python line by line: magics, shell commands, help.

IPython itself is not needed. What its transformations make of a cell is in
`IPython.core.inputtransformer2`. A magic that runs a statement becomes that statement here, where
IPython hands it to the magic as a string; `%timeit` has a function of its own, as in IPython. What
runs something else becomes a call of which nothing is known.
"""

from __future__ import annotations

import ast
import getopt
import re
import shlex
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Line:
    """A line of Python that a cell becomes: the `number` of its line in the cell, and how many
    columns further left it begins than there. `written`: it stands so in the cell; `made`: nothing
    of it does, and a place in it is the whole line of the cell."""

    text: str
    number: int
    shift: int = 0
    written: bool = True
    made: bool = False


def as_python(lines: Sequence[Line]) -> list[Line]:
    """The Python of a cell."""
    found = _without_prompts(_without_indentation(_from_first(lines)))
    if found and found[0].text.startswith("%%") and not _CELL_HELP.match(found[0].text):
        return _cell_magic(found[0], found[1:])
    if len(found) == 1:
        found = [_with_automagic(found[0])]
    return list(_lines(found))


def lines_of(source: str) -> list[Line]:
    """The lines of a cell as they are written."""
    return [Line(text, number) for number, text in enumerate(source.split("\n"), 1)]


def indented(lines: Sequence[Line]) -> Iterator[Line]:
    """The same statements further to the right. Lines inside of strings stay as they are."""
    lexer = _Lexer()
    for line in lines:
        inside = lexer.inside
        lexer.feed(line.text)
        yield line if inside else replace(line, text=f"    {line.text}", shift=line.shift - 4)


def going_on(lines: Sequence[Line], number: int) -> Iterator[Line]:
    """The same statements, after which the program goes on even where they fail. `number` is that
    of a line which the rest stands for."""
    yield Line("try:", number, written=False)
    yield from indented(lines)
    yield Line("    pass", number, written=False)
    yield Line("except BaseException: pass", number, written=False)


def is_python(text: str) -> bool:
    """Whether this Python reads a text as Python."""
    return _parsed(text) is not None


def last_expression(lines: Sequence[Line]) -> int | None:
    """The position of the line in which the last statement begins, if it is an expression that
    makes something."""
    tree = _parsed("".join(f"{line.text}\n" for line in lines))
    last = tree.body[-1] if tree is not None and tree.body else None
    makes = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call | ast.Await)
    return last.lineno - 1 if makes and last is not None and last.col_offset == 0 else None


def _parsed(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


# -- a cell as it is written -----------------------------------------------------------------

_CELL_HELP = re.compile(r"%%\w+\?")
_CLASSIC = re.compile(r"^(>>>|\.\.\.)( |$)")
_NUMBERED = re.compile(r"^(((\[nav\]|\[ins\])?\ )?In \[\d+\]: |\s*\.{3,}: ?)")


def _from_first(lines: Sequence[Line]) -> list[Line]:
    first = next((n for n, line in enumerate(lines) if line.text.strip()), len(lines))
    return list(lines[first:])


def _without_indentation(lines: list[Line]) -> list[Line]:
    texts = [line.text for line in lines if line.text.strip()]
    count = min((len(text) - len(text.lstrip(" \t")) for text in texts), default=0)
    return [_cut(line, min(count, len(line.text))) for line in lines] if count else lines


def _without_prompts(lines: list[Line]) -> list[Line]:
    for prompt, first in ((_CLASSIC, re.compile(r"^>>>( |$)")), (_NUMBERED, _NUMBERED)):
        if lines and first.match(lines[0].text):
            found = ((line, prompt.match(line.text)) for line in lines)
            lines = [_cut(line, match.end()) if match else line for line, match in found]
    return lines


def _cut(line: Line, count: int) -> Line:
    return replace(line, text=line.text[count:], shift=line.shift + count, written=False)


def _with_automagic(line: Line) -> Line:
    """`timeit f(x)` alone in a cell: IPython takes it for a magic where it is no Python."""
    name = line.text.split(" ", 1)[0]
    if name in (*_STATEMENTS, *_LINE_MAGICS) and not is_python(line.text):
        return replace(line, text=f"%{line.text}", shift=line.shift - 1, written=False)
    return line


class _Lexer:
    """Knows where a logical line of Python ends."""

    _LEXEME = re.compile(r"\\.|#.*|\"\"\"|'''|[\"'()\[\]{}]")

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False

    @property
    def inside(self) -> bool:
        """Whether the next line goes on with a statement that has begun."""
        return bool(self._quote) or self._depth > 0 or self._continued

    def feed(self, text: str) -> None:
        """Reads one line."""
        self._continued = False
        at = 0
        comment = False
        while match := self._LEXEME.search(text, at):
            found, at = match[0], match.end()
            if self._quote:
                if text.startswith(self._quote, match.start()):
                    at = match.start() + len(self._quote)
                    self._quote = ""
                elif found[0] == "#":
                    at = match.start() + 1
            elif found[0] == "#":
                comment = True
            elif found[0] in "\"'":
                self._quote = found
            elif found in "([{":
                self._depth += 1
            elif found in ")]}":
                self._depth = max(0, self._depth - 1)
        self._continued = text.endswith("\\") and not comment
        if len(self._quote) == 1 and not self._continued:
            self._quote = ""


# -- lines -----------------------------------------------------------------------------------

_ASSIGNED = re.compile(r"(?P<target>[^=!<>%\"'#(]+?=)\s*(?P<escape>%(?=[^\W\d])|!)(?P<rest>.*)")
_HELP = re.compile(r"[^#\"']*[\w\]*]\?\??\s*")


def _lines(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of a cell that is no cell magic."""
    lexer = _Lexer()
    position = 0
    while position < len(lines):
        line = lines[position]
        end = position + 1
        turned: list[Line] | None = None
        if not lexer.inside:
            whole = line
            while whole.text.endswith("\\") and end < len(lines):
                joined = f"{whole.text[:-1].rstrip()} {lines[end].text}"
                whole = replace(whole, text=joined)
                end += 1
            turned = _turned(whole)
        if turned is None:
            lexer.feed(line.text)
            yield line
            position += 1
        else:
            yield from turned
            position = end


def _turned(line: Line) -> list[Line] | None:
    """What a line of IPython's own becomes, `None` if it is none."""
    text = line.text.lstrip(" \t")
    indent = line.text[: len(line.text) - len(text)]
    line = replace(line, written=False)
    if _HELP.fullmatch(text):
        return [_call(line, indent, "run_line_magic", "pinfo", text)]
    assigned = _ASSIGNED.match(text)
    if assigned is not None:
        return _assigned(line, indent, assigned)
    if text[:1] not in ("!", "?", "%", ",", ";", "/"):
        return None
    if text[0] == "%":
        return _line_magic(_cut(line, len(indent) + 1), indent)
    name, _, rest = text[1:].partition(" ")
    if not name:
        return [replace(line, text=f"{indent}pass")]
    called = {
        ",": f"""{name}("{'", "'.join(rest.split())}")""",
        ";": f'{name}("{rest}")',
        "/": f"{name}({', '.join(rest.split())})",
    }.get(text[0])
    if called is None:
        return [_call(line, indent, "system", text)]
    return [replace(line, text=f"{indent}{called}")]


def _assigned(line: Line, indent: str, match: re.Match[str]) -> list[Line]:
    """`x = %magic` and `x = !command`."""
    target = indent + match["target"]
    name, _, rest = match["rest"].partition(" ")
    if match["escape"] == "%" and name in _STATEMENTS:
        statement = _STATEMENTS[name](rest)
        if name == "time" and is_python(f"({statement})"):
            at = line.text.rindex(statement) if statement else 0
            shift = line.shift + at - len(target) - 1
            return [replace(line, text=f"{target} {statement}", shift=shift)]
        run = _line_magic(_cut(line, len(indent) + match.start("rest")), indent)
        return [*run, replace(line, text=f"{target} {_UNKNOWN}")]
    return [replace(line, text=f"{target} {_UNKNOWN}.x({match['rest']!r})")]


_UNKNOWN = "get_ipython()"


def _call(line: Line, indent: str, method: str, *arguments: str) -> Line:
    written = ", ".join(map(repr, arguments))
    return replace(line, text=f"{indent}{_UNKNOWN}.{method}({written})")


# -- line magics -----------------------------------------------------------------------------


def _rest_of(options: str) -> Callable[[str], str]:
    """The statement after the options of a magic, which are written as for `getopt`."""

    def rest(text: str) -> str:
        words = text.split(" ")
        try:
            _, left = getopt.getopt(words, options, [*_LONG_OPTIONS])
        except getopt.GetoptError:
            return text
        return " ".join(left).strip()

    return rest


_LONG_OPTIONS = ("no-raise-error",)

_STATEMENTS: Mapping[str, Callable[[str], str]] = {
    "time": _rest_of(""),
    "timeit": _rest_of("n:r:tcp:qov:"),
    "prun": _rest_of("D:l:rs:T:q"),
    "debug": _rest_of("b:"),
    "memit": _rest_of("r:t:i:co"),
    "mprun": _rest_of("rf:T:c"),
    "lprun": _rest_of("rsf:m:D:T:u:z"),
}
"""Magics that run a statement, and where it stands in their line."""

OWN_FUNCTION = ("timeit", "memit")
"""Those that run it in a function of its own, and more than once."""


def _line_magic(line: Line, indent: str) -> list[Line]:
    """`line` begins with the name of the magic; what it becomes begins with `indent`."""
    name, _, rest = line.text.partition(" ")
    if name in _STATEMENTS:
        statement = _STATEMENTS[name](rest)
        at = line.text.rindex(statement) if statement else len(line.text)
        inner = list(_lines([_cut(line, at)]))
        if name in OWN_FUNCTION:
            inner = list(_own_function(inner, line.number))
        if not statement:
            inner = [replace(line, text="pass")]
        return [_moved(one, indent) for one in inner]
    made = _LINE_MAGICS.get(name, _unknown_magic)(name, rest.strip())
    return [replace(line, text=f"{indent}{text}", made=True) for text in made]


def _moved(line: Line, indent: str) -> Line:
    return replace(line, text=f"{indent}{line.text}", shift=line.shift - len(indent))


def _own_function(body: Sequence[Line], number: int) -> Iterator[Line]:
    yield Line("def _timed():", number, written=False)
    yield from indented(body)
    yield Line("    pass", number, written=False)
    yield Line("for _ in (1, 2): _timed()", number, written=False)
    # The name is none of the notebook's.
    yield Line("del _timed", number, written=False)


def _unknown_magic(name: str, rest: str) -> list[str]:
    return [f"{_UNKNOWN}.run_line_magic({name!r}, {rest!r})"]


def _run(name: str, rest: str) -> list[str]:
    """`%run script.py` runs a file as a program, and then has its names. `IPython.run_path` is a
    name of our own: what IPython calls is no function of a path."""
    try:
        given, words = getopt.getopt(shlex.split(rest), "nidtN:b:pD:l:rs:T:em:G")
    except (getopt.GetoptError, ValueError):
        return _unknown_magic(name, rest)
    options = dict(given)
    run_name = "" if "-n" in options else ', run_name="__main__"'
    if "-m" in options:
        ran = f'__import__("runpy").run_module({options["-m"]!r}{run_name})'
    elif not words:
        return _unknown_magic(name, rest)
    else:
        # As in IPython, which looks for `script.py` where there is no file `script`.
        file = words[0] if words[0].endswith((".py", ".ipy", ".ipynb")) else f"{words[0]}.py"
        own = ", init_globals=globals()" if "-i" in options else ""
        # The cells of a notebook fail like the notebook's own.
        library = "runpy" if file.endswith((".ipy", ".ipynb")) else "IPython"
        ran = f'__import__("{library}").run_path("{file}"{own}{run_name})'
    return [ran if "-p" in options else f"globals().update({ran})"]


def _delete(name: str, rest: str) -> list[str]:
    names = [word for word in rest.split() if not word.startswith("-")]
    return [f"del {', '.join(names)}"] if names else ["pass"]


def _reset(name: str, rest: str) -> list[str]:
    return ["globals().clear()"] if rest == "-f" else _unknown_magic(name, rest)


_LINE_MAGICS: Mapping[str, Callable[[str, str], list[str]]] = {
    "run": _run,
    "xdel": _delete,
    "reset": _reset,
}


# -- cell magics -----------------------------------------------------------------------------

_FOREIGN = {
    *("!", "HTML", "SVG", "bash", "cmd", "file", "html", "javascript", "js", "latex", "markdown"),
    *("perl", "pypy", "python", "python2", "python3", "ruby", "script", "sh", "svg", "sx"),
    *("system", "writefile", "R", "cython", "julia", "octave", "sql"),
}
"""Magics of which the cell is no Python of this program."""

_BODIES = ("time", "prun", "debug")
"""Magics that run the cell where it stands."""


def _cell_magic(head: Line, body: Sequence[Line]) -> list[Line]:
    name, _, rest = head.text[2:].rstrip().partition(" ")
    head = replace(head, written=False)
    unread = [replace(line, text="", written=False) for line in (head, *body)]
    if name in _FOREIGN:
        return unread
    inner = as_python(body)
    if name in _BODIES:
        return inner
    if name == "capture":
        bound = [word for word in rest.split() if word.isidentifier()]
        kept = [replace(head, text=f"{word} = {_UNKNOWN}") for word in bound]
        return [*going_on(inner, head.number), *kept]
    if name in OWN_FUNCTION:
        setup = _STATEMENTS[name](rest)
        at = head.text.rindex(setup) if setup else len(head.text)
        return list(_own_function([*_lines([_cut(head, at)]), *inner], head.number))
    if not is_python("\n".join(line.text for line in inner)):
        return unread
    # Whatever it does, it may run the cell.
    return [replace(head, text=f"if {_UNKNOWN}:"), *indented(inner), replace(head, text="    pass")]


def written_file(source: str) -> tuple[str, list[Line]] | None:
    """The name and the lines of the file that a cell with `%%writefile` writes anew."""
    head, *rest = _from_first(lines_of(source)) or lines_of("")
    words = head.text.split()
    if words[:1] not in (["%%writefile"], ["%%file"]) or len(words) != 2:
        return None
    return words[1].strip("\"'"), rest
