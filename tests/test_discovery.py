from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plum_jit_lint.project.config import Settings, load_settings
from plum_jit_lint.project.discovery import discover, is_excluded
from plum_jit_lint.project.patterns import Patterns

Make = Callable[..., None]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes files in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)

    def make(*names: str, **texts: str) -> None:
        for name in names:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(texts.get(file.name.replace(".", "_"), ""))

    return make


def gitignore(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")


def found(*paths: str, settings: Settings | None = None) -> list[str]:
    discovered = discover(paths or (".",), settings or Settings())
    assert discovered.problems == ()
    return [Path(file).as_posix() for file in discovered.files]


def troubles(*paths: str) -> list[tuple[str, str]]:
    return [(p.path, p.message) for p in discover(paths or (".",), Settings()).problems]


def excluding(base: Path, *globs: str, force: bool = False) -> Settings:
    return Settings(exclude=(Patterns(base, globs),), force_exclude=force)


def test_python_files_below_a_folder_sorted(make: Make) -> None:
    make("b.py", "a/z.py", "a/b.py", "a/stub.pyi", "a/data.txt", "a.py", ".hidden/x.py")
    assert found() == sorted([".hidden/x.py", "a.py", "a/b.py", "a/z.py", "b.py"])


def test_a_named_file_may_have_any_name(make: Make) -> None:
    make("script")
    assert found("script") == ["script"]


def test_the_same_file_twice_is_checked_once(make: Make, tmp_path: Path) -> None:
    make("pkg/a.py")
    (tmp_path / "link").symlink_to("pkg", target_is_directory=True)
    assert found("pkg", "./pkg/a.py", "pkg/../pkg", str(tmp_path / "pkg" / "a.py"), "link") == [
        "pkg/a.py"
    ]


def test_paths_outside_of_the_current_folder_are_absolute(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("a.py", "inner/b.py")
    monkeypatch.chdir(tmp_path / "inner")
    assert discover([".."], Settings()).files == (str(tmp_path / "a.py"), "b.py")


@pytest.mark.parametrize(
    "folder",
    [".git", ".hg", ".venv", "venv", ".ipynb_checkpoints", "__pycache__", ".tox", ".nox",
     "node_modules", ".mypy_cache", "site-packages"],
)  # fmt: skip
def test_skipped_folders(make: Make, folder: str) -> None:
    make("a.py", f"{folder}/b.py", f"pkg/{folder}/c.py")
    assert found() == ["a.py"]
    assert found(folder) == [f"{folder}/b.py"], "a folder that is named is looked into"


def test_any_folder_with_an_environment(make: Make) -> None:
    make("a.py", "myenv/pyvenv.cfg", "myenv/lib/b.py")
    assert found() == ["a.py"]


def test_editor_locks_are_no_sources(make: Make, tmp_path: Path) -> None:
    make("a.py")
    (tmp_path / ".#a.py").symlink_to("somebody@host.1:2")
    assert found() == ["a.py"]


class TestExclude:
    def test_a_name_matches_anywhere(self, make: Make, tmp_path: Path) -> None:
        make("a.py", "old/b.py", "pkg/old/c.py", "pkg/a_gen.py")
        assert found(settings=excluding(tmp_path, "old", "*_gen.py")) == ["a.py"]

    def test_a_path_matches_from_the_folder_of_the_settings(
        self, make: Make, tmp_path: Path
    ) -> None:
        make("tests/fixtures/a.py", "pkg/tests/fixtures/b.py", "tests/c.py")
        assert found(settings=excluding(tmp_path, "tests/fixtures")) == [
            "pkg/tests/fixtures/b.py",
            "tests/c.py",
        ]

    def test_the_table_in_a_folder_above(
        self, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make("pkg/gen/a.py", "pkg/b.py")
        (tmp_path / "pyproject.toml").write_text('[tool.plum-jit-lint]\nexclude = ["pkg/gen"]\n')
        monkeypatch.chdir(tmp_path / "pkg")
        assert found(settings=load_settings(".")) == ["b.py"]

    def test_what_is_named_is_checked_unless_forced(self, make: Make, tmp_path: Path) -> None:
        make("old/b.py", "old/gen/c.py")
        assert found("old/b.py", settings=excluding(tmp_path, "old")) == ["old/b.py"]
        assert found("old", settings=excluding(tmp_path, "old", "gen")) == ["old/b.py"]
        forced = excluding(tmp_path, "old", force=True)
        assert found("old/b.py", "old", settings=forced) == []
        assert is_excluded("old/b.py", forced)
        assert not is_excluded("new/b.py", forced)


class TestGitignore:
    def test_all_files_from_the_root_of_the_repository_down(
        self, make: Make, tmp_path: Path
    ) -> None:
        make(".git/HEAD", "pkg/a.py", "pkg/gen.py", "pkg/sub/b.py", "pkg/sub/gen.py", "out/c.py")
        gitignore(tmp_path, "gen.py", "/out/")
        gitignore(tmp_path / "pkg" / "sub", "b.py", "!gen.py")
        assert found() == ["pkg/a.py", "pkg/sub/gen.py"]
        assert found("pkg") == ["pkg/a.py", "pkg/sub/gen.py"]
        assert found("pkg/sub") == ["pkg/sub/gen.py"]

    def test_nothing_above_the_repository(self, make: Make, tmp_path: Path) -> None:
        make("repo/.git/HEAD", "repo/a.py")
        gitignore(tmp_path, "*.py")
        assert found("repo") == ["repo/a.py"]

    def test_what_is_named_is_checked_unless_forced(self, make: Make, tmp_path: Path) -> None:
        make(".git/HEAD", "build/a.py", "build/gen.py", "b.py")
        gitignore(tmp_path, "build/", "b.py", "gen.py")
        assert found() == []
        assert found("build", "b.py") == ["b.py", "build/a.py"]
        assert found("build", "b.py", settings=Settings(force_exclude=True)) == []

    def test_can_be_turned_off(self, make: Make, tmp_path: Path) -> None:
        make(".git/HEAD", "a.py")
        gitignore(tmp_path, "a.py")
        assert found(settings=Settings(respect_gitignore=False)) == ["a.py"]

    def test_lines_without_a_meaning_match_nothing(self, make: Make, tmp_path: Path) -> None:
        make(".git/HEAD", "a.py", "b.py")
        (tmp_path / ".gitignore").write_bytes(b"!\n[z-a]\n\xff\xfe\nb.py\n")
        assert found() == ["a.py"]


class TestTrouble:
    def test_a_missing_path(self, make: Make) -> None:
        make("a.py")
        discovered = discover(["none.py", "."], Settings())
        assert discovered.files == ("a.py",)
        assert [(p.path, p.message) for p in discovered.problems] == [
            ("none.py", "no such file or folder")
        ]

    def test_a_path_that_cannot_be_one(self, make: Make) -> None:
        assert troubles("a\0b") != []

    def test_a_dangling_link(self, make: Make, tmp_path: Path) -> None:
        make("a.py")
        (tmp_path / "b.py").symlink_to("gone.py")
        (tmp_path / "data").symlink_to("gone")
        expected = [("b.py", "dangling symbolic link to 'gone.py'")]
        assert troubles() == expected
        assert troubles("b.py") == expected
        assert discover(["."], Settings()).files == ("a.py",)

    def test_a_link_to_itself(self, make: Make, tmp_path: Path) -> None:
        make("a.py")
        (tmp_path / "loop").symlink_to("loop")
        assert troubles() == []
        assert troubles("loop") == [("loop", "symbolic link loop")]
        (tmp_path / "loop.py").symlink_to("loop.py")
        assert troubles() == [("loop.py", "symbolic link loop")]
        assert discover(["."], Settings()).files == ("a.py",)

    def test_a_link_to_a_folder_above(self, make: Make, tmp_path: Path) -> None:
        make("pkg/a.py")
        (tmp_path / "pkg" / "up").symlink_to("..", target_is_directory=True)
        assert troubles() == []
        assert discover(["."], Settings()).files == (os.path.join("pkg", "a.py"),)

    def test_links_to_other_folders_are_not_followed(self, make: Make, tmp_path: Path) -> None:
        make("pkg/a.py", "other/b.py")
        (tmp_path / "pkg" / "other").symlink_to("../other", target_is_directory=True)
        assert found("pkg") == ["pkg/a.py"]
        assert found("pkg/other") == ["pkg/other/b.py"]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
    def test_a_pipe(self, make: Make, tmp_path: Path) -> None:
        make("a.py")
        os.mkfifo(tmp_path / "pipe.py")
        assert troubles() == [("pipe.py", "a named pipe, not a regular file")]
        assert troubles("pipe.py") == [("pipe.py", "a named pipe, not a regular file")]

    @pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs local sockets")
    def test_a_socket(self, make: Make, tmp_path: Path) -> None:
        make("a.py")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("s.py")  # a path of its own would be too long for a socket
            assert troubles() == [("s.py", "a socket, not a regular file")]

    @pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs permissions of files")
    def test_a_folder_without_permission(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with tempfile.TemporaryDirectory() as name, unprivileged(Path(name)):
            monkeypatch.chdir(name)
            Path("closed").mkdir()
            Path("closed/b.py").touch()
            Path("a.py").touch()
            Path("closed").chmod(0)
            discovered = discover([".", "closed/b.py"], Settings())
            Path("closed").chmod(0o700)
        assert discovered.files == ("a.py",)
        assert [(p.path, p.message) for p in discovered.problems] == [
            ("closed", "permission denied"),
            (os.path.join("closed", "b.py"), "permission denied"),
        ]


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Nothing is forbidden to root, so become somebody who owns `folder` alone."""
    if os.geteuid() != 0:
        yield
        return
    nobody = 65534
    os.chown(folder, nobody, -1)
    os.seteuid(nobody)
    try:
        yield
    finally:
        os.seteuid(0)
