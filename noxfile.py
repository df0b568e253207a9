"""The tests of the watch, with every plum, JAX and Python that it has to work with.

    nox                      # all that follows, each in an environment of its own
    nox -s newest-3.13 -- -k retrace

What the watch replaces differs between the builds of plum, between releases of JAX and between
versions of Python, so one environment says little about another.
"""

import os
import re

import nox

PROJECT = nox.project.load_toml("pyproject.toml")["project"]["optional-dependencies"]

nox.options.default_venv_backend = "venv"
# A Python that is not there is told of, and does not fail the others.
nox.options.error_on_missing_interpreters = False


def _tests(session: nox.Session) -> None:
    session.run("python", "-c", _VERSIONS)
    every = {"PLUM_JIT_LINT_ALL_PROGRAMS": os.environ.get("PLUM_JIT_LINT_ALL_PROGRAMS", "1")}
    command = ("python", "-m", "pytest", "-n", "2", "tests/runtime")
    session.run(*command, *session.posargs, env=every)


_VERSIONS = """
import platform
from importlib.metadata import version
import plum._function

build = "pure" if plum._function.__file__.endswith(".py") else "compiled"
print("Python", platform.python_version(), "jax", version("jax"))
print("plum-dispatch", version("plum-dispatch"), build)
"""


@nox.session(python=["3.11", "3.12", "3.13"])
def newest(session: nox.Session) -> None:
    """The newest JAX for each Python, which is not the same for all, and the newest plum."""
    session.install("--upgrade", "-e", ".[runtime,test]")
    _tests(session)


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """The oldest JAX and plum that `pyproject.toml` declares."""
    oldest = [re.sub(r">=([\d.]+).*", r"==\1", one) for one in PROJECT["runtime"]]
    names = {re.split(r"[^\w-]", one)[0] for one in oldest}
    others = [one for one in PROJECT["test"] if re.split(r"[^\w-]", one)[0] not in names]
    session.install("-e", ".", *oldest, *others)
    _tests(session)


@nox.session(python="3.11")
def pure(session: nox.Session) -> None:
    """plum in pure Python, as it comes where there is no compiled wheel of it."""
    session.install("--upgrade", "-e", ".[runtime,test]")
    session.install(
        "--force-reinstall", "--no-deps", "--no-binary", "plum-dispatch", "plum-dispatch"
    )
    _tests(session)
