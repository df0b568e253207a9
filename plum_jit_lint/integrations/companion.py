"""What the plugins of pytest and IPython share: one watch for as long as they are on, and in it
one stretch of the program after the other, each with what it made stale.

Nothing of plum or JAX is imported here. Both read the environment when they are imported, and a
conftest or a cell may be about to set it: so the watch begins as soon as the program itself has
imported the two.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from plum_jit_lint.findings import Finding
    from plum_jit_lint.project.config import Settings
    from plum_jit_lint.runtime import Watch
    from plum_jit_lint.runtime.stacked import Reader, TextOf

Mode: TypeAlias = Literal["error", "warn", "retrace", "off"]
MODES: tuple[Mode, ...] = get_args(Mode)

WATCHED = ("jax", "plum")


def mode_of(value: object, key: str) -> Mode:
    """The mode that `value` spells; `ValueError` names `key`, the value and the known modes."""
    for mode in MODES:
        if value == mode:
            return mode
    raise ValueError(f"{key}: expected one of {', '.join(MODES)}, not {value!r}")


def missing() -> str | None:
    """A sentence when plum or JAX cannot be imported at all."""
    absent = [name for name in WATCHED if name not in sys.modules and not _can_import(name)]
    if not absent:
        return None
    return (
        f"plum and JAX are needed to watch them, and there is no module {' or '.join(absent)}: "
        "pip install 'plum-jit-lint[runtime]'"
    )


def _can_import(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


# -- waiting ---------------------------------------------------------------------------------


class ImportWaiter(MetaPathFinder):
    """Calls `then` once, when all modules of `names` have been imported."""

    def __init__(self, names: Iterable[str], then: Callable[[], None]) -> None:
        self._awaited = {name for name in names if name not in sys.modules}
        self._then = then
        if self._awaited:
            sys.meta_path.insert(0, self)
        else:
            then()

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the others find, with a loader that tells when it is done."""
        if name not in self._awaited:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        found = (finder.find_spec(name, None, target) for finder in others)
        spec = next((one for one in found if one is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Telling(spec.loader, lambda: self._arrived(name))
        return spec

    def stop(self) -> None:
        """Waits no longer."""
        self._awaited.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def _arrived(self, name: str) -> None:
        self._awaited.discard(name)
        if not self._awaited and self in sys.meta_path:
            self.stop()
            self._then()


class _Telling(Loader):
    """A loader that calls `then` when the module has run."""

    def __init__(self, loader: Loader, then: Callable[[], None]) -> None:
        self._loader = loader
        self._then = then

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # The module is to find its own loader.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._then()


# -- watching --------------------------------------------------------------------------------


class Companion:
    """One watch, and the stretch of the program that runs now.

    `roots` run the program: what called them is no part of it. `settings` say which findings
    are wanted. `started` is called when the watch begins. `text_of` knows what was never a file.
    """

    def __init__(
        self,
        settings: Settings,
        roots: Collection[CodeType] = (),
        started: Callable[[Watch], None] = lambda watch: None,
        text_of: TextOf | None = None,
    ) -> None:
        self.settings = settings
        self._text_of = text_of
        self._reader: Reader | None = None
        self.watch: Watch | None = None
        self._roots = tuple(roots)
        self._started = started
        self._stretch: Segment | None = None
        self._stack = ExitStack()
        self._arrival = ImportWaiter(WATCHED, self._start)

    def _start(self) -> None:
        from plum_jit_lint.runtime import watch
        from plum_jit_lint.runtime.frames import ROOTS
        from plum_jit_lint.runtime.stacked import Reader

        fresh = {id(code) for code in self._roots} - ROOTS
        ROOTS.update(fresh)
        self._stack.callback(ROOTS.difference_update, fresh)
        self.watch = self._stack.enter_context(watch("collect"))
        self._reader = Reader(self.settings, self._text_of)
        if self._stretch is not None:
            self._stretch.start(self._reader)
        self._started(self.watch)

    def stop(self) -> None:
        """Ends the watch and restores everything; `watch` still tells what was seen."""
        self._arrival.stop()
        self.end()
        self._stack.close()

    def begin(self, mode: Mode) -> Segment:
        """The next stretch of the program begins, to be watched as `mode` says."""
        self.end()
        self._stretch = Segment(self.settings, mode)
        if self._reader is not None:
            self._stretch.start(self._reader)
        return self._stretch

    def end(self) -> None:
        """The stretch ends, if there is one."""
        if self._stretch is not None:
            retraced = self._stretch.end()
            if self.watch is not None:
                # Only the innermost watch counts what it retraced.
                self.watch.retraced += retraced
            self._stretch = None


class Segment:
    """A test, the collection of a file, or a cell: a watch within the watch."""

    def __init__(self, settings: Settings, mode: Mode) -> None:
        self.mode = mode
        self._settings = settings
        self._watch: Watch | None = None
        self._stack = ExitStack()
        self._told: set[object] = set()
        self._heard: list[Finding] = []
        self._read: dict[str, set[int]] = {}
        self._reader: Reader | None = None

    def start(self, reader: Reader) -> None:
        """The watch begins now."""
        from plum_jit_lint.runtime import watch

        on_stale: Literal["retrace", "collect"] = "retrace" if self.retraces else "collect"
        self._watch = self._stack.enter_context(watch(on_stale))
        self._watch.heard = self._heard.extend
        self._reader = reader

    @property
    def retraces(self) -> bool:
        """Whether caches are cleared for what gets stale."""
        return self.mode == "retrace"

    def news(self, *, last: bool) -> list[Finding]:
        """What is to be said and was not told yet. Of what is stale that is, if `last`, all that
        was not cleared, otherwise what was used and cannot be cleared any more."""
        if self._watch is None or self.mode == "off":
            return []
        found = self._stacked(self._watch.places)
        if self._watch.stale:
            found += self._watch.findings if last else self._watch.settled
        return self._wanted(found)

    def _stacked(self, places: Mapping[str, set[int]]) -> list[Finding]:
        """The stacks among definitions that were registered since this was asked last."""
        found: list[Finding] = []
        for path, lines in list(places.items()):
            fresh = lines - self._read.setdefault(path, set())
            if fresh and self._reader is not None:
                self._read[path] |= fresh
                found += self._reader.of(path, fresh)
        return found

    def fails(self, finding: Finding) -> bool:
        """Whether a finding is more than a remark in this stretch."""
        return self.mode == "error" and finding.severity >= self._settings.fail_on

    def retraced(self) -> list[Finding]:
        """What would be stale if its caches had not been cleared."""
        return self._wanted(self._heard) if self.retraces else []

    def end(self) -> int:
        """The watch ends; how often it made JAX trace again."""
        self._stack.close()
        return 0 if self._watch is None else self._watch.retraced

    def _wanted(self, findings: Iterable[Finding]) -> list[Finding]:
        from plum_jit_lint.lint import reported

        wanted = []
        for one in findings:
            key = one.merge_key
            if key not in self._told and reported([one], self._settings, 0).findings:
                self._told.add(key)
                wanted.append(one)
        return wanted
