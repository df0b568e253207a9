"""The text of a generated project: modules that name things of each other, in every form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

NAME = re.compile(r"«(\w+)»")
EXTERNAL = {
    "dispatch": "plum",
    "Dispatcher": "plum",
    "overload": "plum",
    "jit": "jax",
    "vmap": "jax",
    "value_and_grad": "jax",
    "checkpoint": "jax",
    "scan": "jax.lax",
    "cond": "jax.lax",
    "switch": "jax.lax",
    "fori_loop": "jax.lax",
    "while_loop": "jax.lax",
    "filter_jit": "equinox",
    "partial": "functools",
    "lru_cache": "functools",
}
"""Names of libraries, with the modules that they come from."""

USED = {
    "jax": r"\bjax\.",
    "jax.numpy as jnp": r"\bjnp\.",
    "equinox as eqx": r"\beqx\.",
    "functools": r"\bfunctools\.",
    "importlib": r"\bimportlib\.",
    "os": r"\bos\.",
}


@dataclass(frozen=True, slots=True)
class Project:
    """A program as files by their paths (`main.py` is run), and what it is made of.

    `environment` says that it reads `PLUM_FLAG`, so that there are two runs to be looked at.
    """

    files: dict[str, str]
    features: frozenset[str] = frozenset()

    @property
    def environment(self) -> bool:
        return any("PLUM_FLAG" in text for text in self.files.values())

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def __str__(self) -> str:
        return "\n".join(f"# --- {name}\n{text}" for name, text in self.files.items())


@dataclass
class Texts:
    """Modules under construction. `«name»` in a text stands for a name of the project or of a
    library; `render` writes it as the imports of that module make it known."""

    random: Random
    package: str = ""
    inside: frozenset[str] = frozenset()
    blocks: dict[str, list[str]] = field(default_factory=dict)
    home: dict[str, str] = field(default_factory=dict)
    features: set[str] = field(default_factory=set)
    _styles: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, module: str, text: str, *names: str) -> None:
        """Adds a block to a module, which defines `names` there."""
        self.blocks.setdefault(module, []).append(text)
        for name in names:
            self.home.setdefault(name, module)

    def path(self, module: str) -> str:
        """The name by which `module` is imported."""
        return f"{self.package}.{module}" if module in self.inside else module

    def render(self) -> Project:
        files = {}
        for module, blocks in self.blocks.items():
            name = f"{self.package}/{module}.py" if module in self.inside else f"{module}.py"
            files[name] = self._text(module, blocks)
        if self.inside:
            files[f"{self.package}/__init__.py"] = self._init()
        return Project(files, frozenset(self.features))

    def _init(self) -> str:
        if "core" in self.inside and "core" in self.blocks and self.random.random() < 0.3:
            self.features.add("import: __init__ re-exports with *")
            return "from .core import *\n"
        return ""

    def _text(self, module: str, blocks: list[str]) -> str:
        imports: dict[str, None] = {}
        body = []
        for block in blocks:
            body.append(NAME.sub(lambda m: self._spelled(module, m[1], imports), block))
        text = "\n\n".join(body)
        plain = [f"import {name}" for name, use in USED.items() if re.search(use, text)]
        every = [n for n, home in self.home.items() if home == module]
        exported = f"__all__ = {sorted(every)!r}\n" if module == "core" else ""
        typed = sorted(set(re.findall(r"\b(Float|Int|Array)(?=\[|,)", text)))
        if typed:
            plain.append("from jaxtyping import " + ", ".join(dict.fromkeys([*typed, "Array"])))
        return "\n".join(dict.fromkeys([*plain, *imports])) + f"\n{exported}\n{text}\n"

    def _spelled(self, module: str, name: str, imports: dict[str, None]) -> str:
        home = EXTERNAL.get(name) or self.home.get(name, module)
        if home == module:
            return name
        style = self._styles.get((module, home))
        if style is None:
            style = self._styles[module, home] = self._style(module, home)
            self.features.add(f"import: {style}")
        external = name in EXTERNAL
        path = home if external else self.path(home)
        if style == "module":
            imports[f"import {path}"] = None
            return f"{path}.{name}"
        if style == "module as":
            short = "m_" + home.replace(".", "_")
            imports[f"import {path} as {short}"] = None
            return f"{short}.{name}"
        if style == "from module as":
            imports[f"from {path} import {name} as {name}_1"] = None
            return f"{name}_1"
        if style == "star":
            imports[f"from {path} import *"] = None
            return name
        if style == "relative":
            imports[f"from .{home} import {name}"] = None
            return name
        if style == "relative module":
            imports[f"from . import {home}"] = None
            return f"{home}.{name}"
        if style == "package":
            imports[f"from {self.package} import {home}"] = None
            return f"{home}.{name}"
        imports[f"from {path} import {name}"] = None
        return name

    def _style(self, module: str, home: str) -> str:
        styles = ["module", "module as", "from", "from module as"]
        if home in self.blocks:
            styles += ["from", "star"]
            if home in self.inside:
                styles += ["package"]
                if module in self.inside:
                    styles += ["relative", "relative", "relative module"]
        return self.random.choice(styles)


def indented(text: str, depth: int = 1) -> str:
    pad = "    " * depth
    return "\n".join(pad + line if line else line for line in text.splitlines())


def numbers() -> Iterator[int]:
    """Distinct primes: what a method gives tells which method it was."""
    found: list[int] = []
    candidate = 2
    while True:
        if all(candidate % prime for prime in found):
            found.append(candidate)
            if candidate > 10:
                yield candidate
        candidate += 1
