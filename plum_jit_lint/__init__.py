"""A checker for jit and multiple dispatch.

It finds compiled JAX functions that keep an old plum method: places where a method is
registered after a jitted function has already chosen among the methods, and definitions that
mix the two decorators in a way that fails.

    from plum_jit_lint import lint_paths

    for finding in lint_paths(["src"]).findings:
        print(finding.place.path, finding.place.line, finding.code, finding.message)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plum_jit_lint.version import __version__

if TYPE_CHECKING:
    from plum_jit_lint.findings import Cell, Finding, Place, Problem, Related, Severity
    from plum_jit_lint.lint import Report, lint_paths, lint_source
    from plum_jit_lint.project.config import Settings

__all__ = [
    "Cell",
    "Finding",
    "Place",
    "Problem",
    "Related",
    "Report",
    "Settings",
    "Severity",
    "__version__",
    "lint_paths",
    "lint_source",
]

_HOMES = {
    "Cell": "plum_jit_lint.findings",
    "Finding": "plum_jit_lint.findings",
    "Place": "plum_jit_lint.findings",
    "Problem": "plum_jit_lint.findings",
    "Related": "plum_jit_lint.findings",
    "Report": "plum_jit_lint.lint",
    "Settings": "plum_jit_lint.project.config",
    "Severity": "plum_jit_lint.findings",
    "lint_paths": "plum_jit_lint.lint",
    "lint_source": "plum_jit_lint.lint",
}


def __getattr__(name: str) -> object:
    # flake8 and pytest import this package in every run, so it has to cost nothing.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext plum_jit_lint`."""
    from plum_jit_lint.integrations import ipython

    ipython.load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext plum_jit_lint`."""
    from plum_jit_lint.integrations import ipython

    ipython.unload()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
