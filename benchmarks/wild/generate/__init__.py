"""Programs by category, seed and number."""

from __future__ import annotations

from random import Random

from benchmarks.wild.generate import basics
from benchmarks.wild.generate.base import Files, Gen, Maker

CATEGORIES: dict[str, Maker] = {
    "plain": basics.plain,
    "clearing": basics.clearing,
    "control_flow": basics.control_flow,
    "precedence_abstract": basics.precedence_abstract,
    "registering_calls": basics.registering_calls,
    "two_dispatchers": basics.two_dispatchers,
    "contexts": basics.contexts,
    "shapes": basics.shapes,
}


def generate(category: str, seed: int, number: int) -> Files:
    """The files of a program, which is the same whenever it is asked for."""
    return CATEGORIES[category](Gen(Random(f"{seed}/{category}/{number}")))
