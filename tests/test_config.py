from __future__ import annotations

from pathlib import Path

import pytest

from plum_jit_lint.findings import Severity
from plum_jit_lint.project.config import Settings, default_source_roots, load_settings
from plum_jit_lint.project.options import ConfigError
from plum_jit_lint.project.patterns import Patterns


def write_config(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pyproject.toml"
    file.write_text("[tool.plum-jit-lint]\n" + text)
    return file


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()


def test_all_keys(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    write_config(
        tmp_path,
        """
        select = ["PJ00"]
        ignore = ["PJ001"]
        extend-select = ["PJ004"]
        exclude = ["old"]
        extend-exclude = ["*_gen.py"]
        force-exclude = true
        respect-gitignore = false
        min-severity = "warning"
        fail-on = "error"
        output-format = "concise"
        src = ["lib"]
        extend-jit = ["mylib.compile"]
        extend-dispatchers = ["mylib.core.dispatch"]
        [tool.plum-jit-lint.per-file-ignores]
        "tests/*" = ["PJ003"]
        """,
    )
    settings = load_settings(tmp_path / "pkg" / "module.py")
    assert settings.select == ("PJ00", "PJ004")
    assert settings.ignore == ("PJ001",)
    assert settings.exclude == (
        Patterns(tmp_path, ("old",)),
        Patterns(tmp_path, ("*_gen.py",)),
    )
    assert settings.force_exclude
    assert not settings.respect_gitignore
    assert settings.min_severity is Severity.WARNING
    assert settings.fail_on is Severity.ERROR
    assert settings.output_format == "concise"
    assert settings.source_roots == (tmp_path / "lib",)
    assert settings.extend_jit == ("mylib.compile",)
    assert settings.extend_dispatchers == ("mylib.core.dispatch",)
    assert not settings.reports("PJ003", tmp_path / "tests" / "test_a.py")
    assert settings.reports("PJ003", tmp_path / "src" / "a.py")


def test_the_nearest_file_that_has_the_table_counts(tmp_path: Path) -> None:
    write_config(tmp_path, 'ignore = ["PJ001"]')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "inner"\n')
    assert load_settings(inner).ignore == ("PJ001",)
    write_config(inner, 'ignore = ["PJ002"]')
    assert load_settings(inner).ignore == ("PJ002",)


def test_a_broken_file_without_the_table_is_none_of_our_business(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is [not toml")
    assert load_settings(tmp_path) == Settings()


def test_isolated_and_config(tmp_path: Path) -> None:
    write_config(tmp_path, 'ignore = ["PJ001"]')
    other = write_config(tmp_path / "other", 'ignore = ["PJ002"]')
    assert load_settings(tmp_path, isolated=True) == Settings()
    assert load_settings(tmp_path, config=other).ignore == ("PJ002",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('selct = ["PJ"]', ["unknown key 'selct'", "did you mean 'select'?"]),
        ("xyzzy = 1", ["unknown key 'xyzzy'", "known: select, ignore"]),
        ('select = ["PJ0004"]', ["select", "unknown code 'PJ0004'", "'PJ004'"]),
        ('select = ["E501"]', ["unknown code 'E501'", "known: PJ001, PJ002, PJ003, PJ004"]),
        ('select = [""]', ["unknown code ''"]),
        ('ignore = "PJ001"', ["ignore", "expected a list of strings, not 'PJ001'"]),
        ("ignore = [1]", ["expected a list of strings, not [1]"]),
        ('min-severity = "warn"', ["min-severity", "'warn'", "did you mean 'warning'?"]),
        ('fail-on = "never"', ["fail-on", "unknown severity 'never'", "note, warning, error"]),
        ('output-format = "jsn"', ["output-format", "'jsn'", "did you mean 'json'?"]),
        ('respect-gitignore = "no"', ["respect-gitignore", "true or false", "'no'"]),
        ('exclude = ["[z-a]"]', ["exclude", "'[z-a]' is no pattern"]),
        ('per-file-ignores = ["PJ001"]', ["per-file-ignores", "expected a table"]),
        ('per-file-ignores = { "a.py" = ["PJ9"] }', ["'a.py'", "unknown code 'PJ9'"]),
        ('src = ["nowhere"]', ["src", "'nowhere' is not a folder"]),
        ('extend-jit = ["compile"]', ["extend-jit", "'compile' is no qualified name"]),
        ('extend-dispatchers = ["a b.c"]', ["extend-dispatchers", "'a b.c'"]),
        ("select = [", ["no valid TOML"]),
    ],
)
def test_errors_name_the_key_the_value_and_what_is_known(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    write_config(tmp_path, text)
    with pytest.raises(ConfigError) as error:
        load_settings(tmp_path)
    for word in words:
        assert word in str(error.value)
    assert "\n" not in str(error.value)


def test_errors_name_the_file(tmp_path: Path) -> None:
    file = write_config(tmp_path, "xyzzy = 1")
    with pytest.raises(ConfigError, match=r"pyproject\.toml: \[tool\.plum-jit-lint\]") as error:
        load_settings(tmp_path)
    assert str(file) in str(error.value)


def test_a_named_file_has_to_exist_and_have_the_table(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read"):
        load_settings(config=tmp_path / "none.toml")
    (tmp_path / "empty.toml").touch()
    with pytest.raises(ConfigError, match=r"has no table \[tool\.plum-jit-lint\]"):
        load_settings(config=tmp_path / "empty.toml")


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\nplum-jit-lint = 3"])
def test_what_is_no_table(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(text + "\n# plum-jit-lint\n")
    with pytest.raises(ConfigError):
        load_settings(config=file)


@pytest.mark.parametrize(
    ("select", "ignore", "reported"),
    [
        (["PJ"], [], ["PJ001", "PJ002", "PJ003", "PJ004"]),
        (["PJ"], ["PJ001"], ["PJ002", "PJ003", "PJ004"]),
        (["PJ003"], ["PJ"], ["PJ003"]),
        (["PJ00"], ["PJ00"], []),
        (["PJ", "PJ001"], ["PJ00"], ["PJ001"]),
        (["P"], [], ["PJ001", "PJ002", "PJ003", "PJ004"]),
        ([], [], []),
    ],
)
def test_the_longest_prefix_wins(select: list[str], ignore: list[str], reported: list[str]) -> None:
    settings = Settings(select=tuple(select), ignore=tuple(ignore))
    codes = ["PJ001", "PJ002", "PJ003", "PJ004"]
    assert [code for code in codes if settings.selects(code)] == reported


class TestCommandLineOverFile:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        write_config(
            tmp_path,
            """
            select = ["PJ001", "PJ002"]
            ignore = ["PJ001"]
            exclude = ["a"]
            extend-exclude = ["b"]
            min-severity = "error"
            """,
        )
        return tmp_path

    def codes(self, folder: Path, **overrides: object) -> list[str]:
        settings = load_settings(
            folder, overrides={key.replace("_", "-"): value for key, value in overrides.items()}
        )
        return [code for code in ("PJ001", "PJ002", "PJ003", "PJ004") if settings.selects(code)]

    def test_select_starts_afresh(self, folder: Path) -> None:
        assert self.codes(folder) == ["PJ002"]
        assert self.codes(folder, select=("PJ001", "PJ004")) == ["PJ001", "PJ004"]

    def test_extend_select_brings_back_what_the_file_ignores(self, folder: Path) -> None:
        assert self.codes(folder, extend_select=("PJ001",)) == ["PJ001", "PJ002"]
        assert self.codes(folder, extend_select=("PJ004",)) == ["PJ002", "PJ004"]

    def test_ignore_replaces(self, folder: Path) -> None:
        assert self.codes(folder, ignore=("PJ002",)) == ["PJ001"]

    def test_exclude_replaces_and_extend_exclude_adds(self, folder: Path) -> None:
        here = Path.cwd()
        settings = load_settings(folder, overrides={"exclude": ("c",), "extend-exclude": ("d",)})
        assert settings.exclude == (
            Patterns(here, ("c",)),
            Patterns(folder, ("b",)),
            Patterns(here, ("d",)),
        )

    def test_single_values_replace(self, folder: Path) -> None:
        assert load_settings(folder).min_severity is Severity.ERROR
        settings = load_settings(folder, overrides={"min-severity": "note"})
        assert settings.min_severity is Severity.NOTE


class TestSourceRoots:
    def test_the_project_and_its_src(self, tmp_path: Path) -> None:
        write_config(tmp_path, "")
        package = tmp_path / "src" / "pkg"
        package.mkdir(parents=True)
        assert default_source_roots(package) == (tmp_path, tmp_path / "src")
        assert default_source_roots(tmp_path) == (tmp_path, tmp_path / "src")

    def test_a_package_without_a_project(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Wherever the tests' temporary folders lie, nothing above is to look like a project.
        monkeypatch.setattr("plum_jit_lint.project.config._PROJECT_MARKERS", ("no-such-marker",))
        for root, roots in ((tmp_path, (tmp_path,)), (tmp_path / "site-packages", ())):
            package = root / "pkg" / "sub"
            package.mkdir(parents=True)
            (root / "pkg" / "__init__.py").touch()
            (package / "__init__.py").touch()
            assert default_source_roots(package) == roots
