"""What files say of each other before anybody parses them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from plum_jit_lint.prefilter.features import ByteScan
from plum_jit_lint.prefilter.import_graph import ImportGraph
from plum_jit_lint.prefilter.module_finder import ModuleFinder

NAMES = ("a", "b", "c", "p", "p.d", "p.e", "q", "q.f", "q.r", "q.r.g")


def _lay_out(folder: Path, chance: random.Random) -> list[Path]:
    """Modules that import each other at random, some by computed names."""
    files = []
    for name in NAMES:
        file = folder.joinpath(*name.split("."))
        file = file / "__init__.py" if name in ("p", "q", "q.r") else file.with_suffix(".py")
        imported = chance.sample(NAMES, chance.choice((0, 0, 1, 1, 2)))
        lines = [f"import {one}" for one in imported]
        if chance.random() < 0.2:
            lines.append("import_module(x + y)")
        if chance.random() < 0.2:
            lines.append("from plum import dispatch")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines))
        files.append(file)
    return files


@pytest.mark.parametrize("seed", range(60))
def test_what_decides_a_file_is_all_that_its_imports_lead_to(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    files = _lay_out(tmp_path, chance)
    module_finder = ModuleFinder((tmp_path,), {})
    graph = ImportGraph(module_finder, ByteScan())
    for file in chance.sample(files, len(files)):
        slow = ImportGraph(module_finder, ByteScan())
        plain = set(slow.led_to([file]))
        has_dispatcher = any(slow.of(one).features.may_export_dispatcher for one in plain)
        every = plain if has_dispatcher else set(slow.led_to([file], widely=True))
        assert graph.deciding([file]) == tuple(sorted(map(str, every)))
        reaches = any(slow.of(one).features.may_export_dispatcher for one in every)
        assert graph.reach_a_dispatcher([file]) is reaches
