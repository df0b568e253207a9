"""`python docs/make_rules.py` writes `docs/rules/` from the texts that `--explain` prints."""

from __future__ import annotations

from pathlib import Path

from plum_jit_lint.rules import RULES

RULES_FOLDER = Path(__file__).parent / "rules"


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    return {f"{code}.md": rule.text for code, rule in RULES.items()}


if __name__ == "__main__":
    RULES_FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (RULES_FOLDER / name).write_text(text, encoding="utf-8")
