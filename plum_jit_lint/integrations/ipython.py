"""The IPython extension: after each cell, what its registrations made stale.

`%load_ext plum_jit_lint` begins and `%unload_ext plum_jit_lint` ends; `%plum_jit` sets what
happens. Redefinition after use is what notebooks are for, so this is where it happens most.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plum_jit_lint.findings import Finding, Place
from plum_jit_lint.integrations.companion import MODES, Companion, Mode, Segment, missing, mode_of
from plum_jit_lint.project.config import load_settings
from plum_jit_lint.project.source_lines import text_of

if TYPE_CHECKING:
    from plum_jit_lint.runtime import Watch
    from plum_jit_lint.runtime.stacked import Text

_MAGIC = "plum_jit"
_TIMED = ("<timed exec>", "<timed eval>")
"""What IPython calls the body of a `%%time` cell."""

_LOADING = object()
"""The cell that says `%load_ext`, of which IPython has told nothing."""

_loaded: Extension | None = None


def load(shell: Any) -> None:
    """Watches the shell from now on. `ImportError` when plum or JAX are not there."""
    global _loaded
    sentence = missing()
    if sentence is not None:
        raise ImportError(f"plum_jit_lint: {sentence}")
    if _loaded is None:
        _loaded = Extension(shell)


def unload() -> None:
    """Ends the watch and leaves the shell as it was."""
    global _loaded
    if _loaded is not None:
        _loaded.stop()
        _loaded = None


class Extension:
    """A shell under watch."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.mode: Mode = "warn"
        self.cell: object = _LOADING
        """What IPython knows of the cell that runs; `None` between cells."""
        roots = (shell.run_code.__func__.__code__,)
        self.companion = Companion(load_settings(), roots, _begins, self._text_of)
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)
        shell.register_magic_function(self.magic, "line", _MAGIC)
        self.stretch: Segment = self.companion.begin(self.mode)

    def stop(self) -> None:
        """Takes back all that was registered."""
        self._tell(None)
        self.shell.events.unregister("pre_run_cell", self.before)
        self.shell.events.unregister("post_run_cell", self.after)
        del self.shell.magics_manager.magics["line"][_MAGIC]
        self.companion.stop()

    # -- cells -----------------------------------------------------------------------------

    def before(self, cell: Any) -> None:
        """A cell begins; one that runs within another (`%run x.ipynb`) belongs to that."""
        if self.cell is None or self.cell is _LOADING:
            # Threads and tasks may have registered something since the last cell.
            self._tell(None)
            self.cell = cell
            self.stretch = self.companion.begin(self.mode)

    def after(self, result: Any) -> None:
        """A cell has ended, whether it raised or not."""
        if self.cell is result.info or self.cell is _LOADING:
            self._tell(result)
            self.cell = None
            self.stretch = self.companion.begin(self.mode)

    def _tell(self, result: Any) -> None:
        """Says what is new in the stretch that runs; with the `result` of a cell, that fails in
        the mode `error`."""
        names = CellNames(self.shell, result)
        with names.timed():
            retraced = self.stretch.retraced()
            found = self.stretch.news(last=True)
        for one in retraced:
            print(f"{names.of_finding(one)}: {_retraced(one)}", file=sys.stderr)
        texts = [names.text(one) for one in found]
        fails = any(map(self.stretch.fails, found))
        if fails and result is not None and result.success:
            error = _failed_cell(found, "\n".join(texts))
            # What IPython makes of an exception: a notebook that runs all its cells stops here.
            result.error_in_exec = error
            self.shell.showtraceback((type(error), error, None))
        else:
            for text in texts:
                print(text, file=sys.stderr)

    def _text_of(self, path: str) -> Text:
        """A cell with those that ran before it: its names come from there."""
        named = self.shell.compile.format_code_name(path)
        history = self.shell.history_manager
        ran = len(history.input_hist_parsed)
        if named is not None:
            ran = int(re.sub(r"\D", "", named[1]))
        elif path not in _TIMED:
            return ()
        cells = []
        for number in range(1, ran):
            text, raw = history.input_hist_parsed[number], history.input_hist_raw[number]
            if _is_python(text):
                name = self.shell.compile.get_code_name(raw, text, number)
                cells.append((name, text.encode()))
        return (*cells, (path, text_of(path) or b""))

    # -- %plum_jit -------------------------------------------------------------------------

    def magic(self, line: str) -> None:
        """`%plum_jit warn|error|retrace|off` says what is to happen when compiled code gets stale,
        from this cell on; `%plum_jit status`, or nothing, tells what was seen."""
        given = line.strip() or "status"
        if given == "status":
            print(self.status())
            return
        try:
            self.mode = mode_of(given, f"%{_MAGIC}")
        except ValueError as error:
            from IPython.core.error import UsageError

            raise UsageError(f"{error} (or status)") from None
        # What the cell did above this line is told by the mode that it had there.
        self._tell(None)
        self.stretch = self.companion.begin(self.mode)

    def status(self) -> str:
        """The mode, and what was seen so far."""
        lines = [f"plum_jit: {self.mode} (modes: {', '.join(MODES)})"]
        if self.companion.watch is None:
            return f"{lines[0]}\nNothing imported both plum and JAX yet."

        from plum_jit_lint.runtime.summary import summary

        return f"{lines[0]}\n{summary(self.companion.watch)}"


def _begins(watch: Watch) -> None:
    if watch.unknown:
        functions = "function was" if watch.unknown == 1 else "functions were"
        print(
            f"plum_jit_lint: {watch.unknown} {functions} compiled before: what they keep is "
            "unknown until jax.clear_caches().",
            file=sys.stderr,
        )
    if watch.unseen:
        print(
            f"plum_jit_lint: not seen with this plum and JAX: {', '.join(watch.unseen)}.",
            file=sys.stderr,
        )


def _retraced(finding: Finding) -> str:
    return (
        f"`{finding.function}` got a method after a trace chose among the methods it had; "
        "JAX's caches were cleared, and the next calls trace again"
    )


def _is_python(text: str) -> bool:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        compile(text, "<cell>", "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _failed_cell(findings: list[Finding], text: str) -> Exception:
    from plum_jit_lint.runtime import StaleJitError
    from plum_jit_lint.runtime.messages import STACKED

    stale = any(one.code not in STACKED for one in findings)

    class FailedCellError(StaleJitError):
        """What a cell did that is not to go through."""

        def __str__(self) -> str:
            return text

        def _render_traceback_(self) -> list[str]:
            # IPython asks for this; there is no traceback, since the cell itself went well.
            return [f"{'StaleJitError' if stale else 'StackedJitError'}: {text}"]

    return FailedCellError(findings)


class CellNames:
    """Places as a notebook's reader knows them: by the number of the cell.

    `result` is that of the cell which has just run. A cell that ran again with the same text
    goes by its newest number.
    """

    def __init__(self, shell: Any, result: Any) -> None:
        self._shell = shell
        self._result = result

    def of(self, place: Place) -> str:
        """`In [3], line 2` of a cell, and file and line of anything else."""
        from plum_jit_lint.runtime.messages import where

        return self._in_cell(place) or where(place)

    def of_finding(self, finding: Finding) -> str:
        """Where a finding stands. IPython runs the body of a `%%time` cell under another name:
        a registration there is one of the cell that has just run."""
        from plum_jit_lint.runtime.messages import registration_of

        place = registration_of(finding)
        if place.path not in _TIMED or self._result is None:
            return self.of(finding.place)
        return f"In [{self._result.execution_count}], line {place.line + self._above()}"

    @contextmanager
    def timed(self) -> Iterator[None]:
        """While this holds, the body of a `%%time` cell has its text where tracebacks look for
        texts, as other cells have."""
        if self._result is None or not str(self._result.info.raw_cell).lstrip().startswith("%%"):
            yield
            return
        body = str(self._result.info.raw_cell).splitlines(keepends=True)[self._above() :]
        before = {name: linecache.cache.get(name) for name in _TIMED}
        size = sum(map(len, body))
        linecache.cache.update({name: (size, None, body, name) for name in _TIMED})
        try:
            yield
        finally:
            for name, kept in before.items():
                linecache.cache.pop(name, None)
                if kept is not None:
                    linecache.cache[name] = kept

    def _above(self) -> int:
        """How many lines of the cell stand above the body of its magic: IPython drops empty
        ones."""
        lines = str(self._result.info.raw_cell).splitlines()
        above = next((n for n, one in enumerate(lines, 1) if one.startswith("%%")), 0)
        return next((n for n, one in enumerate(lines) if n >= above and one.strip()), above)

    def text(self, finding: Finding) -> str:
        """A finding in a paragraph."""
        from plum_jit_lint.runtime.messages import registration_of, text

        here, own = self.of_finding(finding), registration_of(finding)
        told = text(finding, lambda p: here if p == own and p.path in _TIMED else self.of(p))
        return f"{here}: {told}"

    def _in_cell(self, place: Place) -> str | None:
        if place.path in _TIMED:
            return f"a timed cell, line {place.line} below %%time"
        named = self._shell.compile.format_code_name(place.path)
        return named and f"{named[1].replace('In[', 'In [')}, line {place.line}"
