"""What is added to plum's tables in one go, and which of it a choice is of now."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from plum_jit_lint.static.interpreter.method_tables import with_displaced


@dataclass(frozen=True)
class Event:
    name: str
    displaced: tuple[Any, ...] = ()


def test_each_of_many_methods_tells_of_its_own_choices_and_the_last_of_all_others() -> None:
    added: Any = [(SimpleNamespace(method=name), Event(name)) for name in "abc"]
    displaced: Any = [SimpleNamespace(retrace_choice=name) for name in ("b", "a", "none")]
    to_b, to_a, to_none = displaced
    assert list(with_displaced(added, displaced)) == [
        Event("a", (to_a,)),
        Event("b", (to_b,)),
        Event("c", (to_none,)),
    ]
