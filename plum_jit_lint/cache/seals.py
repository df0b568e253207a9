"""Which entries of a cache this user's own tool has written.

Every entry carries a seal that only who has the user's key can make. The key lies in the user's own
data folder: what comes with a cloned repository, or was damaged, has no seal that holds.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from plum_jit_lint.project.source_lines import bytes_of_file

APPLICATION = "plum-jit-lint"

_FILE = "cache.key"
_SIZE = 32


@dataclass(frozen=True, slots=True)
class Seals:
    """Makes seals with a key, and tells those that it made."""

    key: bytes

    @property
    def name(self) -> str:
        """What tells this key from others, without telling the key."""
        return self.make("name", b"").hex()[:16]

    def make(self, kind: str, *parts: bytes | str) -> bytes:
        """The seal of an entry of that kind, given in all its parts."""
        told = [kind.encode(), *(_as_bytes(part) for part in parts)]
        # With their lengths: the end of one part is not to pass for the beginning of the next.
        joined = b"".join(len(part).to_bytes(8, "big") + part for part in told)
        return hmac.digest(self.key, joined, "sha256")

    def hold(self, seal: object, kind: str, *parts: object) -> bool:
        """Whether a seal was made for this entry. A database may hold values of any type."""
        if not isinstance(seal, bytes):
            return False
        known = [part for part in parts if isinstance(part, bytes | str)]
        return len(known) == len(parts) and hmac.compare_digest(seal, self.make(kind, *known))


def _as_bytes(part: bytes | str) -> bytes:
    return part if isinstance(part, bytes) else part.encode(errors="surrogateescape")


class NoKeyError(Exception):
    """Why nothing can be sealed here."""


def own_seals(project: Path) -> Seals:
    """The seals of this user. `NoKeyError` where there is no place for a key outside of the
    project that is checked."""
    folder = user_folder("data")
    if folder is None:
        raise NoKeyError("there is no home folder")
    if Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(project)):
        raise NoKeyError(f"{folder} is a part of the project")
    file = folder / _FILE
    try:
        if not os.path.lexists(file):
            _make(file)
        return Seals(_read(file))
    except OSError as error:
        raise NoKeyError(f"{file}: {error.strerror or error}") from None


def user_folder(kind: str) -> Path | None:
    """The folder of this program in the user's `data` or `cache`; `None` where there is no home."""
    import platformdirs

    find = platformdirs.user_data_dir if kind == "data" else platformdirs.user_cache_dir
    try:
        folder = find(APPLICATION, appauthor=False)
    except (RuntimeError, KeyError, OSError):
        return None
    # Without a home `~` stays what it is, and would be a folder of the project.
    return Path(folder) if os.path.isabs(folder) else None


def _make(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, name = tempfile.mkstemp(dir=file.parent)
    try:
        with open(number, "wb") as fresh:
            fresh.write(secrets.token_bytes(_SIZE))
        # Whole or not at all. Of two processes that come here at once, one works for itself.
        os.replace(name, file)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _read(file: Path) -> bytes:
    state = os.lstat(file)
    if not stat.S_ISREG(state.st_mode):
        raise NoKeyError(f"{file} is not a regular file")
    if hasattr(os, "geteuid") and (state.st_uid != os.geteuid() or state.st_mode & 0o022):
        raise NoKeyError(f"{file} can be written by others")
    key = bytes_of_file(str(file))
    if key is None or len(key) != _SIZE:
        raise NoKeyError(f"{file} holds no key")
    return key


def digest_of(text: bytes) -> str:
    """What tells a text from all others."""
    return hashlib.sha256(text).hexdigest()
