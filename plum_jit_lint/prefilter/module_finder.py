"""Where the modules of a program lie: from names to files, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from plum_jit_lint.limits import LONGEST_MODULE_NAME, LONGEST_MODULE_PART
from plum_jit_lint.project.discovery import BYTECODE, is_left_out, python_files_below
from plum_jit_lint.project.notebooks import is_notebook, program_in
from plum_jit_lint.project.pytest_paths import CONFTEST, PytestPaths
from plum_jit_lint.project.read_texts import ReadTexts
from plum_jit_lint.syntax.walk import absolute_name

MAIN = "__main__"

OPAQUE = {
    *("jax", "jaxlib", "plum", "equinox", "jaxtyping", "beartype", "flax", "optax", "chex"),
    *("numpy", "scipy", "numba", "torch", "tensorflow", "pandas", "sympy", "astropy"),
    *("matplotlib", "diffrax", "typing", "typing_extensions", "functools"),
}
"""Libraries that are never read, even where they lie below a source root."""


class ModuleFinder:
    """The files below `source_roots`, in which imports are looked up, and those of the packages
    that are `followed`, with the folders that they lie in. What was found is remembered."""

    def __init__(
        self,
        source_roots: tuple[Path, ...],
        followed: Mapping[str, Path],
        pytest: PytestPaths | None = None,
        written: Mapping[str, bytes] | None = None,
        texts: ReadTexts | None = None,
    ) -> None:
        self._texts = ReadTexts() if texts is None else texts
        self.pytest = PytestPaths() if pytest is None else pytest
        self.source_roots = tuple(dict.fromkeys(root.resolve() for root in source_roots))
        self._followed = followed
        self._written = written or {}
        """The texts of files that the program itself writes, by their paths."""
        self._found: dict[tuple[Path, str], Path | None] = {}
        self._places: dict[tuple[str, tuple[Path, ...]], tuple[Path | None, tuple[Path, ...]]] = {}
        self._outside: dict[str, bool] = {}
        """Whether folders are left out by `python_files_below`."""
        self._named: dict[Path, tuple[str, tuple[Path, ...]]] = {}
        """The names of files, and the folders in which their imports are looked for."""

    def is_there(self, path: str) -> bool:
        """Whether there is a file of that path when the program runs."""
        return path in self._written or os.path.isfile(path)

    def source_of(self, file: Path) -> bytes | None:
        """The text of a file as Python; `None` where it cannot be read."""
        path = str(file)
        if path in self._written:
            return self._written[path]
        source = self._texts.read(path)
        return None if source is None else program_in(path, source)

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

    def holds(self, file: Path) -> bool:
        """Whether a file, given without symbolic links, is one of the program: what else a program
        names is not opened."""
        inside = any(file.is_relative_to(root) for root in self.source_roots)
        return inside or self._followed_around(file) is not None

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
            if not is_module_name(full):
                continue
            for root in self._roots_for(parts[0], roots, name):
                for count in range(1, len(parts) + 1):
                    above = ".".join(parts[:count])
                    file = self._find(root, above)
                    if file is not None:
                        found[file] = None
                    elif self._is_unlisted(root, above):
                        # What comes to be there is in no listing of the folder.
                        found.update(dict.fromkeys(map(Path, _candidates(root, above))))
        return list(found)

    def place_of(self, name: str, importer: str, roots: tuple[Path, ...]) -> Path | None:
        """The file of the module `name`, or the folder of a namespace package, which the module
        `importer` looks for in `roots`."""
        return self.look_up(name, importer, roots)[0]

    def look_up(
        self, name: str, importer: str, roots: tuple[Path, ...]
    ) -> tuple[Path | None, tuple[Path, ...]]:
        """The same, and the files that the module may come to be in where no listing of the folders
        tells it."""
        if not is_module_name(name):
            return None, ()
        roots = self._roots_for(name.partition(".")[0], roots, importer)
        key = (name, roots)
        if key not in self._places:
            self._places[key] = self._place_of(name, roots), self._unlisted(name, roots)
        return self._places[key]

    def _place_of(self, name: str, roots: tuple[Path, ...]) -> Path | None:
        found = (self._find(root, name) for root in roots)
        places = [place for place in found if place is not None]
        if not places:
            places.extend(root for root in roots if self._holds_modules(root, name))
            places = [root.joinpath(*name.split(".")) for root in places]
        return places[0] if places else None

    def _unlisted(self, name: str, roots: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple(
            Path(one)
            for root in roots
            if self._is_unlisted(root, name)
            for one in _candidates(root, name)
        )

    def _holds_modules(self, root: Path, name: str) -> bool:
        """Whether a folder is a namespace package. An empty one hides no library of its name: for
        Python, any module comes before it."""
        folder = os.path.join(root, *name.split("."))
        if not os.path.isdir(folder):
            return False
        if self._is_unlisted(root, name):
            return True
        return next(python_files_below(Path(folder)), None) is not None

    def _is_unlisted(self, root: Path, name: str) -> bool:
        """Whether one of the folders on the way to a module is none that `python_files_below` goes
        into."""
        folder = str(root)
        for part in name.split("."):
            folder = os.path.join(folder, part)
            if folder not in self._outside:
                self._outside[folder] = os.path.isdir(folder) and is_left_out(folder)
            if self._outside[folder]:
                return True
        return False

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
            file = next(filter(self.is_there, _candidates(root, name)), None)
            self._found[key] = None if file is None else Path(file)
        return self._found[key]


def _candidates(root: Path, name: str) -> tuple[str, str]:
    base = os.path.join(root, *name.split("."))
    return os.path.join(base, "__init__.py"), f"{base}.py"


@lru_cache(maxsize=16_384)
def is_module_name(name: str) -> bool:
    """Whether a module of that name can lie below a source root. `import_module` takes any text,
    and with a slash in it that may lead anywhere."""
    parts = name.split(".")
    return (
        len(parts) <= LONGEST_MODULE_NAME
        and BYTECODE not in parts
        and all(
            0 < len(part) <= LONGEST_MODULE_PART and _NO_PART.isdisjoint(part) for part in parts
        )
    )


_NO_PART = frozenset(("/", "\\", "\0", ":"))


def roots_of(path: Path, source_roots: tuple[Path, ...]) -> tuple[str, tuple[Path, ...]]:
    """The module name of a file and the folders that its imports are looked up in. `source_roots`
    are without symbolic links.

    The folder above the outermost package comes first, then the configured roots.
    """
    path = path.resolve()

    def is_package(folder: Path) -> bool:
        # A package whose own file is only about to be saved is one, too.
        own = folder / "__init__.py"
        return own == path or os.path.isfile(own)

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
