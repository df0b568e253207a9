"""Releases of real packages, fetched by name with pip, unpacked and only read.

What is fetched is kept in a folder, so the next run needs no index.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


class FetchError(Exception):
    """pip could not fetch a release; the text is its last line."""


def default_cache() -> Path:
    """Where releases are kept from one run to the next."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "plum-jit-lint" / "corpus"


def fetched(package: str, version: str, cache: Path) -> Path:
    """The folder with an unpacked release, fetched where it is not there yet."""
    release = f"{package}-{version}"
    folder = cache / release
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    # Several processes may fetch at once, and any may be stopped: a folder is whole or not there.
    with tempfile.TemporaryDirectory(dir=cache, prefix=f".{release}-") as name:
        unpacked = Path(name) / "unpacked"
        unpack(_download(package, version, Path(name)), unpacked)
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    return folder


def _download(package: str, version: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    # A source release would run its build to tell its metadata; a wheel is only read.
    command += ["--only-binary=:all:", "--ignore-requires-python", "--dest", str(folder)]
    done = subprocess.run(
        [*command, f"{package}=={version}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise FetchError(f"{package}: {lines[-1] if lines else 'pip fetched nothing'}")
    return wheels[0]


def unpack(wheel: Path, folder: Path) -> None:
    """The Python files of a wheel, each below `folder` whatever its name says."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            target = (folder / member.filename).resolve()
            if not target.is_relative_to(folder.resolve()):
                raise FetchError(f"{wheel.name}: {member.filename!r} leads out of its folder")
            if member.filename.endswith(".py"):
                archive.extract(member, folder)
