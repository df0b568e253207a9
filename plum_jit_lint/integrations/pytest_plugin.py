"""The pytest plugin: a test that makes compiled code stale fails, or warns.

pytest imports this module in every run. Nothing else is imported until `--plum-jit`, or
`plum_jit` in the configuration, asks for it.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import CodeType

    from plum_jit_lint.findings import Finding
    from plum_jit_lint.integrations.companion import Companion, Mode, Segment
    from plum_jit_lint.project.config import Settings
    from plum_jit_lint.runtime import Watch

_OPTION = "--plum-jit"
_KEY = "plum_jit"
_MARKER = (
    f"{_KEY}(mode): what {_OPTION} does in this test when compiled code gets stale: "
    "'error', 'warn', 'retrace', or False for nothing."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares the option and its key in the configuration."""
    what = "watch for compiled JAX functions that keep an old plum method: error, warn, retrace"
    parser.getgroup("plum-jit").addoption(
        _OPTION,
        nargs="?",
        const="warn",
        default=None,
        metavar="MODE",
        help=f"{what} or off. (Default without a mode: warn)",
    )
    parser.addini(_KEY, f"{what} or off. (Default: off)", default="off")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker, whether the plugin is on or off."""
    config.addinivalue_line("markers", _MARKER)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> None:
    """Begins before any conftest is imported, since those may trace and register already."""
    _give_back_a_path(early_config, parser, args)
    given = early_config.known_args_namespace.plum_jit
    value, key = (early_config.getini(_KEY), _KEY) if given is None else (given, _OPTION)
    if value == "off":
        return

    from plum_jit_lint.integrations.companion import missing

    mode = _mode(value, key)
    sentence = missing()
    if sentence is not None:
        raise pytest.UsageError(f"{key}: {sentence}")
    # What is running now runs the tests, and is no part of them.
    watching = Watching(early_config, mode, _settings(early_config), tuple(_running()))
    early_config.pluginmanager.register(watching, "plum_jit_watching")
    early_config.add_cleanup(watching.companion.stop)


def _give_back_a_path(config: pytest.Config, parser: pytest.Parser, args: list[str]) -> None:
    """`pytest --plum-jit tests` means the folder: argparse takes it for the mode."""
    end = args.index("--") if "--" in args else len(args)
    alone = [number for number in range(end) if args[number] == _OPTION]
    if not alone:
        return

    from plum_jit_lint.integrations.companion import MODES

    for number in alone:
        following = args[number + 1 : number + 2]
        if following and following[0] not in MODES:
            args[number] = f"{_OPTION}=warn"
    config.known_args_namespace = parser.parse_known_args(args, copy.copy(config.option))


def _mode(value: object, key: str) -> Mode:
    from plum_jit_lint.integrations.companion import mode_of

    try:
        return mode_of(value, key)
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None


def _settings(config: pytest.Config) -> Settings:
    from plum_jit_lint.project.config import load_settings
    from plum_jit_lint.project.options import ConfigError

    try:
        return load_settings(config.rootpath)
    except ConfigError as error:
        raise pytest.UsageError(f"plum-jit-lint: {error}") from None


def _running() -> Iterable[CodeType]:
    frame = sys._getframe(1).f_back
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


class Watching:
    """What is registered when the plugin is on."""

    def __init__(
        self, config: pytest.Config, mode: Mode, settings: Settings, roots: tuple[CodeType, ...]
    ) -> None:
        from plum_jit_lint.integrations.companion import Companion

        self.config = config
        self.mode = mode
        self.companion: Companion = Companion(settings, roots)
        self.stretch: Segment = self.companion.begin(mode)
        self.early = True
        """Whether `stretch` is still what came before the first collection."""
        self.seen: list[dict[str, Any]] = []
        """What each process that ran tests has seen."""
        self.between: list[str] = []
        """What was found between files and tests, in words: it belongs to none of them."""
        self.fails = False
        """Whether some of that is to fail the run."""

    def pytest_sessionstart(self) -> None:
        """With pytest-xdist the workers watch, each for itself."""
        if self.config.pluginmanager.hasplugin("dsession"):
            self.companion.stop()
            self.early = False

    def _begin(self, mode: Mode) -> None:
        """The next stretch begins. What the last one has not told was found outside of tests."""
        found = self.stretch.news(last=True)
        if found:
            self.between.append(_text(found))
            self.fails = self.fails or any(map(self.stretch.fails, found))
        self.stretch = self.companion.begin(mode)

    # -- collection ------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Fails the collection of a file whose import leaves something to be said, or warns. What
        the first conftests did goes to the root of the collection."""
        found = self.stretch.news(last=True) if self.early else []
        self.early = False
        self._begin(self.mode)
        # One file may be collected while a folder is: that has another stretch then.
        report = yield
        found += self.stretch.news(last=True)
        self._begin(self.mode)
        fails = [one for one in found if self.stretch.fails(one)]
        fails += _warn([one for one in found if one not in fails])
        if fails and report.failed:
            report.sections.append((_OPTION, _text(fails)))
        elif fails:
            report.outcome = "failed"
            report.longrepr = _text(fails)
        return report

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """A wrong marker is said before any test runs."""
        self._mode_of(item)

    def _mode_of(self, item: pytest.Item) -> Mode:
        marker = item.get_closest_marker(_KEY)
        if marker is None:
            return self.mode
        if len(marker.args) != 1 or marker.kwargs:
            raise pytest.UsageError(f"{item.nodeid}: @pytest.mark.{_KEY} takes one mode")
        value = "off" if marker.args[0] is False else marker.args[0]
        return _mode(value, f"{item.nodeid}: @pytest.mark.{_KEY}")

    # -- tests -----------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """One stretch for a test with its setup and its teardown."""
        self._begin(self._mode_of(item))
        try:
            return (yield)
        finally:
            self._begin(self.mode)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        """Tells what a fixture did."""
        return (yield from self._phase(item, "setup"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Tells what the test did."""
        return (yield from self._phase(item, "call"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """Tells what is stale still: a fixture may have cleared JAX's caches by now."""
        return (yield from self._phase(item, "teardown"))

    def _phase(self, item: pytest.Item, when: str) -> Generator[None, object, object]:
        try:
            result = yield
        except pytest.skip.Exception:
            raise
        except BaseException:
            self._explain(item, when, self.stretch.news(last=True))
            raise
        if getattr(item, "_excinfo", None):
            # A `unittest.TestCase` that failed does not raise.
            self._explain(item, when, self.stretch.news(last=True))
            return result
        found = self.stretch.news(last=when == "teardown")
        fails = [one for one in found if self.stretch.fails(one)]
        fails += _warn([one for one in found if one not in fails])
        if fails:
            pytest.fail(_text(fails), pytrace=False)
        return result

    def _explain(self, item: pytest.Item, when: str, found: list[Finding]) -> None:
        """Beside a failure of its own, which may well come from a stale function."""
        if found:
            item.add_report_section(when, "plum-jit", _text(found))
            _warn([one for one in found if not self.stretch.fails(one)])

    # -- the end ---------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Takes down what was seen, when the last fixture is gone and before anybody tells of
        it; a worker of pytest-xdist hands it on."""
        result = yield
        watch = self.companion.watch
        if watch is not None and not self.config.pluginmanager.hasplugin("dsession"):
            self._begin(self.mode)
            self.seen.append(_seen(watch))
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[_KEY] = {"seen": self.seen, "between": self.between, "fails": self.fails}
        if self.fails and session.exitstatus in (pytest.ExitCode.OK, _NO_TESTS):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker of pytest-xdist has ended."""
        told = getattr(node, "workeroutput", {}).get(_KEY)
        if told is not None:
            self.seen += told["seen"]
            # Each worker runs the same hooks.
            self.between += [one for one in told["between"] if one not in self.between]
            self.fails = self.fails or told["fails"]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """What was seen, in a few lines."""
        if self.between:
            terminalreporter.section(f"{_OPTION}: between the tests", sep="=")
            for text in self.between:
                terminalreporter.write_line(text)
        if not self.seen:
            terminalreporter.write_line(f"{_OPTION}: Nothing imported both plum and JAX.")
            return

        from plum_jit_lint.runtime.summary import summary

        for line in summary(_together(self.seen)).splitlines():
            terminalreporter.write_line(f"{_OPTION}: {line}")


_NO_TESTS = pytest.ExitCode.NO_TESTS_COLLECTED
_COUNTED = ("dispatches", "traces", "registrations", "displacing")
_COUNTS = ("stale", "retraced", "unknown")


def _seen(watch: Watch) -> dict[str, Any]:
    """What a watch saw, as one process can send it to another."""
    own = {name: getattr(watch, name) for name in _COUNTS}
    counts = {name: getattr(watch.counts, name) for name in _COUNTED}
    return {"counts": counts, "unseen": list(watch.unseen), **own}


def _together(seen: Iterable[dict[str, Any]]) -> Watch:
    """What the processes saw, as if it had been one watch."""
    from plum_jit_lint.runtime.watch import Watch

    watch = Watch("collect")
    for one in seen:
        for name, number in one["counts"].items():
            setattr(watch.counts, name, getattr(watch.counts, name) + number)
        for name in _COUNTS:
            setattr(watch, name, getattr(watch, name) + one[name])
        watch.unseen = tuple(dict.fromkeys([*watch.unseen, *one["unseen"]]))
    return watch


def _text(findings: Iterable[Finding]) -> str:
    from plum_jit_lint.runtime.messages import text, where

    return "\n".join(f"{where(one.place)}: {text(one)}" for one in findings)


def _warn(findings: Iterable[Finding]) -> list[Finding]:
    """Warns; returns what the filters of the run make an error."""
    if not findings:
        return []

    from plum_jit_lint.runtime.messages import warn

    errors = []
    for one in findings:
        try:
            warn(one)
        except Warning:
            errors.append(one)
    return errors
