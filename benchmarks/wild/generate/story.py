"""A program as most categories tell it: classes, first methods, jitted functions, then what
happens to them in turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.wild.generate import callers, kinds, registering
from benchmarks.wild.generate.base import (
    FUNCTIONS,
    HEADER,
    LEAF,
    SETTINGS,
    Gen,
    dispatching,
    inside,
    joined,
)
from benchmarks.wild.generate.kinds import Kinds


def caught(call: str) -> str:
    """A call that may fail: no method may be there, or more than one."""
    return f"try:\n{inside(call)}\nexcept Exception as err:\n    print(type(err).__name__)"


@dataclass
class Story:
    gen: Gen
    kinds: Kinds
    imports: str
    dispatch: str
    functions: list[str]
    callers: list[callers.Caller]
    blocks: list[str] = field(default_factory=list)

    def argument(self) -> str:
        return kinds.argument(self.gen, self.kinds)

    def annotation(self) -> str:
        return kinds.annotation(self.gen, self.kinds)

    def call(self, rich: bool = True) -> str:
        one = self.gen.pick(self.callers)
        if rich and self.gen.chance(0.1):
            return caught(f"{one.name}({self.argument()})")
        return callers.call_statement(self.gen, one.name, self.argument(), rich)

    def registration(self, rich: float = 0.4) -> str:
        function = self.gen.pick(self.functions)
        return registering.registration(self.gen, self.dispatch, function, self.annotation(), rich)

    def classes(self) -> str:
        gen = self.gen
        names = gen.some(self.kinds.names, 1, 2)
        function = gen.pick(self.functions)
        return registering.for_classes(gen, self.dispatch, function, names, gen.number())

    def clear(self) -> str:
        return registering.clear_all(self.gen)

    def clear_some(self) -> str:
        clearable = [one for one in self.callers if one.parts]
        if not clearable:
            return self.clear()
        chosen = self.gen.some(clearable, 1, len(clearable))
        parts = [part for one in chosen for part in one.parts]
        if len(parts) > 1 and self.gen.chance(0.2):
            parts = parts[1:]
        return registering.clear_some(self.gen, parts)

    def step(self, weights: dict[str, float]) -> str:
        kind = self.gen.rng.choices(list(weights), list(weights.values()))[0]
        makers: dict[str, Callable[[], str]] = {
            "call": self.call,
            "register": self.registration,
            "classes": self.classes,
            "clear": self.clear,
            "clear some": self.clear_some,
        }
        return makers[kind]()

    def happen(self, least: int, most: int, weights: dict[str, float]) -> None:
        """First a call, so that something is compiled, then anything."""
        self.blocks.append(self.call())
        for _ in range(self.gen.rng.randint(least, most)):
            self.blocks.append(self.step(weights))

    def text(self) -> str:
        return joined([HEADER + self.imports, *self.blocks])


WEIGHTS = {"call": 5.0, "register": 4.0, "classes": 0.4, "clear": 0.8, "clear some": 0.5}


def methods_of(gen: Gen, dispatch: str, function: str, known: Kinds) -> list[str]:
    """The methods that a function has from the start."""
    asked = ["jax.Array", "object"]
    asked += gen.some(known.names, 0, 2)
    if gen.chance(0.2):
        asked.append(kinds.annotation(gen, known, 0.0))
    if gen.chance(0.06):
        asked.pop(gen.rng.randrange(2))
    return [
        registering.method(f"@{dispatch}", function, one, f"return leaf(v) * {gen.number()}")
        for one in asked
    ]


def story(
    gen: Gen,
    functions: int = 1,
    forms: tuple[str, ...] = (),
    least: int = 2,
    most: int = 3,
    settings: bool = False,
) -> Story:
    known = kinds.kinds(gen)
    origin = dispatching(gen)
    named = [f"{stem}{i}" for i, stem in enumerate(gen.some(FUNCTIONS, functions, functions))]
    made = [
        callers.caller(gen, f"run{i + 1}", gen.pick(named), forms)
        for i in range(gen.rng.randint(least, most))
    ]
    blocks = [SETTINGS] if settings else []
    blocks += [*known.source, LEAF]
    for function in named:
        blocks += methods_of(gen, origin.name, function, known)
    blocks += [one.source for one in made]
    return Story(gen, known, origin.lines, origin.name, named, made, blocks)
