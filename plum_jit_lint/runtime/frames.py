"""Places of a running program: which frames are the user's, and where in the text they stand."""

from __future__ import annotations

import linecache
import os
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType

from plum_jit_lint.events import Stack, Step
from plum_jit_lint.findings import Place

_MACHINERY = frozenset(
    {
        *("jax", "jaxlib", "plum", "equinox", "beartype", "jaxtyping", "plum_jit_lint"),
        *("importlib", "runpy", "pytest", "_pytest", "pluggy", "xdist", "execnet"),
        *("IPython", "ipykernel", "traitlets", "tornado", "nbclient"),
    }
)
"""Packages that run the user's code without being a part of the user's program."""

_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_STANDARD = tuple(
    sysconfig.get_paths()[name].rstrip(os.sep) + os.sep for name in ("stdlib", "platstdlib")
)

_known: dict[str, bool] = {}
"""Whether the code of a file is the user's. A program has far fewer files than frames."""


@dataclass(frozen=True, slots=True)
class UserFrame:
    """One frame of the user's code: what runs, and where in it."""

    code: CodeType
    instruction: int

    @property
    def name(self) -> str:
        """What runs, as a reader would call it."""
        return self.code.co_qualname.rpartition("<locals>.")[2]

    @property
    def place(self) -> Place:
        """The place of the call that the frame is in."""
        return instruction_place(self.code, self.instruction)


def is_users(frame: FrameType) -> bool:
    """Whether `frame` runs code of the user's program, and not of a library that runs it."""
    file = frame.f_code.co_filename
    known = _known.get(file)
    if known is None:
        known = _known[file] = _is_users(file, str(frame.f_globals.get("__name__", "")))
    return known


def _is_users(file: str, module: str) -> bool:
    if module.partition(".")[0] in _MACHINERY or file.startswith("<frozen "):
        return False
    return any(part in file for part in _INSTALLED) or not file.startswith(_STANDARD)


def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package or to Python itself."""
    return any(part in file for part in _INSTALLED) or file.startswith(_STANDARD)


ROOTS: set[int] = set()
"""Code objects (by identity) that run a program: what called them is no part of it."""


def walk(frame: FrameType | None) -> Iterator[FrameType]:
    """`frame` and those that called it, up to what runs the program."""
    while frame is not None and id(frame.f_code) not in ROOTS:
        yield frame
        frame = frame.f_back


def user_frames(frame: FrameType | None) -> list[UserFrame]:
    """The user's frames from `frame` up to the root, the innermost first."""
    return [UserFrame(f.f_code, f.f_lasti) for f in walk(frame) if is_users(f)]


def stack_of(frames: Sequence[UserFrame]) -> Stack:
    """The places of `frames` (innermost first), from the root down."""
    return tuple(frame.place for frame in reversed(frames))


def steps_of(frames: list[UserFrame]) -> tuple[Step, ...]:
    """The calls of `frames` (innermost first), from the outermost down."""
    return tuple(Step(frame.place, frame.name) for frame in reversed(frames))


def instruction_place(code: CodeType, instruction: int) -> Place:
    """The place of an instruction, as exactly as the code tells."""
    found = next(islice(code.co_positions(), max(instruction, 0) // 2, None), None)
    line, end_line, column, end_column = found if found is not None else (None,) * 4
    file = path_of(code)
    if line is None:
        return line_place(file, code.co_firstlineno)
    if end_line is None or column is None or end_column is None:
        return line_place(file, line)
    return Place(
        file,
        line,
        _characters(file, line, column),
        end_line,
        _characters(file, end_line, end_column),
    )


def _characters(file: str, line: int, column: int) -> int:
    """A column from 1 in characters; code has it from 0 in bytes."""
    text = linecache.getline(file, line)
    if text.isascii():
        return column + 1
    return len(text.encode()[:column].decode(errors="replace")) + 1


def line_place(file: str, line: int) -> Place:
    """A line without its indentation and comment."""
    text = linecache.getline(file, line).rstrip()
    column = len(text) - len(text.lstrip()) + 1
    end = len(text.partition("  #")[0].rstrip()) + 1
    return Place(file, line, column, line, max(end, column))


def path_of(code: CodeType) -> str:
    """The file of some code; names such as `<stdin>` stay as they are."""
    name = code.co_filename
    return name if name.startswith("<") else os.path.abspath(name)


def definition_place(code: CodeType) -> Place:
    """The first line of a definition, which is that of its first decorator."""
    return line_place(path_of(code), code.co_firstlineno)


UNKNOWN = Place("<unknown>", 1, 1, 1, 1)
"""What has no place in any text."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a registration happens.

    Most registrations displace nothing, and their line is all that is asked for: the stack is
    worked out when somebody wants it.
    """

    path: str
    line: int
    _above: tuple[UserFrame, ...]
    """The user's frames above the own place, the innermost first."""
    _own: Place | None

    @classmethod
    def of(cls, frame: FrameType | None, method: CodeType | None) -> Site:
        """The site of a registration that is seen from `frame`.

        The own place is the first decorator line of the definition when the registration happens
        while that is decorated, whatever the decorator does in between; otherwise the call.
        """
        found = [one for one in walk(frame) if is_users(one)]
        if method is not None:
            for depth, one in enumerate(found):
                if _is_decorating(one, method):
                    return cls._at(definition_place(method), found[depth + 1 :])
        if found:
            return cls(path_of(found[0].f_code), found[0].f_lineno, _kept(found), None)
        # A thread may have registered straight away, with no frame of the user's above.
        return cls._at(UNKNOWN if method is None else definition_place(method), [])

    @classmethod
    def _at(cls, own: Place, above: list[FrameType]) -> Site:
        return cls(own.path, own.line, _kept(above), own)

    @property
    def stack(self) -> Stack:
        """The places from the root down."""
        above = stack_of(self._above)
        return above if self._own is None else (*above, self._own)


def _kept(found: list[FrameType]) -> tuple[UserFrame, ...]:
    return tuple(UserFrame(one.f_code, one.f_lasti) for one in found)


def _is_decorating(frame: FrameType, method: CodeType) -> bool:
    if not _holds(frame.f_code, method):
        return False
    return method.co_firstlineno <= frame.f_lineno < _first_body_line(method)


def _holds(code: CodeType, method: CodeType, depth: int = 2) -> bool:
    # The code of a function with type parameters lies one code object deeper (Python 3.12).
    return any(
        const is method or (depth > 1 and _holds(const, method, depth - 1))
        for const in code.co_consts
        if isinstance(const, CodeType)
    )


def _first_body_line(code: CodeType) -> int:
    """The first line after the decorators and the head of a definition."""
    lines = [line for _, _, line in code.co_lines() if line is not None]
    later = [line for line in lines if line > code.co_firstlineno]
    return min(later, default=code.co_firstlineno)
