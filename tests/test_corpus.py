"""Real packages against the snapshot in `data/corpus.json`, which `data/corpus.md` explains."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import corpus, releases  # noqa: E402

EXPLANATIONS = ROOT / "tests" / "data" / "corpus.md"


@pytest.mark.parametrize("package", corpus.PACKAGES)
def test_a_release_gives_what_the_snapshot_holds(package: str) -> None:
    try:
        folder = corpus.fetched(package, releases.default_cache())
    except releases.FetchError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"pip cannot fetch it here: {error}")
    report = corpus.checked(folder)
    assert report.files
    assert not report.problems
    assert corpus.rows(package, folder, report) == corpus.snapshot(package)


def test_the_known_numbers() -> None:
    counts = Counter((row["package"], row["code"]) for row in corpus.snapshot())
    assert counts["coordinax", "PJ001"] == 25
    assert counts["coordinax", "PJ002"] == 2
    assert counts["netket", "PJ001"] == 5


def test_all_but_the_idiom_is_explained() -> None:
    text = EXPLANATIONS.read_text(encoding="utf-8")
    places = [f"{row['path']}:{row['line']}" for row in corpus.snapshot() if row["code"] != "PJ001"]
    assert [place for place in places if place not in text] == []


def test_a_wheel_that_leads_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    import zipfile

    wheel = tmp_path / "bad.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("../outside.py", "")
    with pytest.raises(releases.FetchError, match="leads out"):
        releases.unpack(wheel, tmp_path / "unpacked")
    assert not (tmp_path / "outside.py").exists()
