"""Where the modules of a program lie: from names to files, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from plum_jit_lint.project.notebooks import is_notebook, program_of_file
from plum_jit_lint.project.pytest_paths import CONFTEST, PytestPaths
from plum_jit_lint.syntax.walk import absolute_name

MAIN = "__main__"

OPAQUE = {
    *("jax", "jaxlib", "plum", "equinox", "jaxtyping", "beartype", "flax", "optax", "chex"),
    *("numpy", "scipy", "numba", "torch", "tensorflow", "pandas", "sympy", "astropy"),
    *("matplotlib", "diffrax", "typing", "typing_extensions", "functools"),
}
"""Libraries that are never read, even where they lie below a source root."""

LONGEST_NAME = 100
"""Parts of the dotted name of a module that is looked for."""


class Places:
    """The files below `source_roots`, in which imports are looked up, and those of the packages
    that are `followed`, with the folders that they lie in. What was found is remembered."""

    def __init__(
        self,
        source_roots: tuple[Path, ...],
        followed: Mapping[str, Path],
        pytest: PytestPaths | None = None,
        written: Mapping[str, bytes] | None = None,
    ) -> None:
        self.pytest = PytestPaths() if pytest is None else pytest
        self.source_roots = tuple(dict.fromkeys(root.resolve() for root in source_roots))
        self._followed = followed
        self._written = written or {}
        """The texts of files that the program itself writes, by their paths."""
        self._found: dict[tuple[Path, str], Path | None] = {}
        self._places: dict[tuple[str, tuple[Path, ...]], Path | None] = {}
        self._named: dict[Path, tuple[str, tuple[Path, ...]]] = {}
        """The names of files, and the folders in which their imports are looked for."""

    def is_there(self, path: str) -> bool:
        """Whether there is a file of that path when the program runs."""
        return path in self._written or os.path.isfile(path)

    def source_of(self, file: Path) -> bytes | None:
        """The text of a file as Python; `None` where it cannot be read."""
        path = str(file)
        return self._written[path] if path in self._written else program_of_file(path)

    def identify(self, path: str) -> tuple[str, tuple[Path, ...]]:
        """The module name of a file that a program begins with, and the folders that its imports
        are looked up in. The file need not be saved yet; text without a place in a tree has no
        neighbours."""
        file = Path(path)
        if is_notebook(path) and self.source_roots:
            return self._as_imported(file)
        if not self.source_roots:
            return file.stem, ()
        if self.pytest.imports(path):
            return self._as_pytest(file)
        return self.name_and_roots(file)

    def name_and_roots(self, file: Path) -> tuple[str, tuple[Path, ...]]:
        """The same for a file that another imports."""
        if file.name == CONFTEST:
            # pytest runs it, whoever else imports it.
            return self._as_pytest(file)
        return self._as_imported(file)

    def both_ways(self, file: Path) -> Iterator[tuple[str, tuple[Path, ...]]]:
        """The same, whether a program begins with the file or another imports it."""
        yield self.name_and_roots(file)
        if file.name != CONFTEST and self.pytest.imports(str(file)):
            yield self._as_pytest(file)

    def _as_pytest(self, file: Path) -> tuple[str, tuple[Path, ...]]:
        name, searched = self.pytest.name_and_path(str(file))
        return name, searched.around(self.source_roots)

    def _as_imported(self, file: Path) -> tuple[str, tuple[Path, ...]]:
        if file not in self._named:
            self._named[file] = self._find_name_and_roots(file)
        return self._named[file]

    def _find_name_and_roots(self, file: Path) -> tuple[str, tuple[Path, ...]]:
        if is_notebook(file):
            # It is run in its folder, and is no module of any package.
            return MAIN, tuple(dict.fromkeys([file.parent.resolve(), *self.source_roots]))
        followed = self._followed_around(file)
        if followed is None:
            return roots_of(file, self.source_roots)
        # What else is installed beside it is not read.
        return roots_of(file, (followed.parent.resolve(),))[0], self.source_roots

    def _followed_around(self, file: Path) -> Path | None:
        """The folder of the followed package that a file is in, or that its name would have."""
        for package, folder in self._followed.items():
            inside = folder / package
            if inside in file.parents or file == inside.with_suffix(".py"):
                return inside
        return None

    def top_of(self, file: Path) -> Path:
        """The outermost package that a file is in, or else its folder. Below a package a folder
        needs no `__init__.py`."""
        followed = self._followed_around(file)
        if followed is not None:
            return followed
        name, roots = self._as_imported(file)
        is_inside = "." in name or file.name == "__init__.py"
        return roots[0] / name.partition(".")[0] if is_inside else roots[0]

    def around(self, file: Path) -> list[Path]:
        """The packages and the `conftest.py` files around a file, whether they are there or not."""
        found = [
            folder / name
            for folder in file.parents
            if any(root == folder or root in folder.parents for root in self.source_roots)
            for name in ("__init__.py", CONFTEST)
        ]
        if self.pytest.imports(str(file)):
            found.extend(self.pytest.conftests(str(file)))
        return list(dict.fromkeys(found))

    def files_of(
        self, names: Iterable[str], name: str, package: bool, roots: tuple[Path, ...]
    ) -> list[Path]:
        """The files that imports of `names` run, in a module `name` that is a `package` or none
        and looks its imports up in `roots`."""
        found: dict[Path, None] = {}
        for imported in names:
            module = imported.lstrip(".")
            full = absolute_name(name, package, len(imported) - len(module), module)
            parts = full.split(".")
            if len(parts) > LONGEST_NAME:
                continue
            for root in self._roots_for(parts[0], roots, name):
                for count in range(1, len(parts) + 1):
                    file = self._find(root, ".".join(parts[:count]))
                    if file is not None:
                        found[file] = None
        return list(found)

    def place_of(self, name: str, importer: str, roots: tuple[Path, ...]) -> Path | None:
        """The file of the module `name`, or the folder of a namespace package, which the module
        `importer` looks for in `roots`."""
        roots = self._roots_for(name.partition(".")[0], roots, importer)
        key = (name, roots)
        if key not in self._places:
            folders = [root.joinpath(*name.split(".")) for root in roots]
            found = (self._find(root, name) for root in roots)
            places = [place for place in found if place is not None]
            places.extend(folder for folder in folders if folder.is_dir())
            self._places[key] = places[0] if places else None
        return self._places[key]

    def _roots_for(self, top: str, roots: tuple[Path, ...], importer: str) -> tuple[Path, ...]:
        """The folders in which the modules below the top-level name `top` are looked for, that a
        module `importer` imports."""
        if top in self._followed:
            return (self._followed[top],)
        if not top or (top in OPAQUE and top != importer.partition(".")[0]):
            return ()
        return roots

    def _find(self, root: Path, name: str) -> Path | None:
        key = (root, name)
        if key not in self._found:
            base = os.path.join(root, *name.split("."))
            candidates = (os.path.join(base, "__init__.py"), f"{base}.py")
            file = next(filter(self.is_there, candidates), None)
            self._found[key] = None if file is None else Path(file)
        return self._found[key]


def roots_of(path: Path, source_roots: tuple[Path, ...]) -> tuple[str, tuple[Path, ...]]:
    """The module name of a file and the folders that its imports are looked up in. `source_roots`
    are without symbolic links.

    The folder above the outermost package comes first, then the configured roots.
    """
    path = path.resolve()

    def is_package(folder: Path) -> bool:
        # A package whose own file is only about to be saved is one, too.
        own = folder / "__init__.py"
        return own == path or own.is_file()

    inside = [root for root in source_roots if root in path.parents]
    folders = list(path.parents)
    if inside:
        # Up to the source root a folder without `__init__.py` may be a namespace package.
        folders = folders[: folders.index(max(inside, key=lambda root: len(root.parts)))]
        packages = [folder for folder in folders if is_package(folder)]
    else:
        packages = []
        for folder in folders:
            if not is_package(folder):
                break
            packages.append(folder)
    top = packages[-1].parent if packages else path.parent
    roots = tuple(dict.fromkeys([top, *source_roots]))
    for root in roots:
        if path.is_relative_to(root):
            parts = list(path.relative_to(root).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            return ".".join(parts), roots
    return path.stem, roots
