"""The explanation of a code, dressed for a terminal."""

from __future__ import annotations

from plum_jit_lint.project.options import ConfigError, hint
from plum_jit_lint.report.style import Style
from plum_jit_lint.rules import RULES


def explain(wanted: str, style: Style) -> str:
    """The text about a code, which may also be given by its name."""
    for rule in RULES.values():
        if wanted.upper() == rule.code or wanted.lower() == rule.name:
            text = rule.text.strip() + "\n"
            return _dressed(text) if style.color else text
    raise ConfigError(f"--explain: unknown code {wanted!r}{hint(wanted.upper(), tuple(RULES))}")


def _dressed(text: str) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True)
    with console.capture() as captured:
        console.print(Markdown(text, code_theme="ansi_dark"))
    return captured.get()
