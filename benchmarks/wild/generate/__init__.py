"""Programs by category, seed and number."""

from __future__ import annotations

from random import Random

from benchmarks.wild.generate import basics, extras, objects, traces, trees
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
    "methods": objects.methods,
    "conversion": objects.conversion,
    "transforms": traces.transforms,
    "static_args": traces.static_args,
    "annotations": traces.hints,
    "packages": trees.packages,
    "tests": trees.tests,
    "handlers": trees.handlers,
    "pairs": extras.pairs,
    "chains": extras.chains,
    "stacks": extras.stacks,
    "plum_extras": extras.plum_extras,
    "mixed": extras.mixed,
}


def generate(category: str, seed: int, number: int) -> Files:
    """The files of a program, which is the same whenever it is asked for."""
    return CATEGORIES[category](Gen(Random(f"{seed}/{category}/{number}")))
