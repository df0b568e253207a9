"""A definition has `dispatch` above `jit`: each method compiles by itself.

## Why it matters

This is a common idiom and safe for direct calls: plum dispatches afresh each time, and each
method has a trace cache of its own. Inside another jitted function it changes nothing: the choice
among the methods is made while the outer function is traced, and frozen there like any other.
So the finding is a `note`, and plain `flake8` leaves it out.

It is an `error` where the definition cannot work, and a `warning` where some calls fail:

- a parameter that jit cannot trace (`str`, `bytes`, `type[...]`, `Callable`, ...) and that is not
  static: every call raises `TypeError`;
- string annotations, quoted or by `from __future__ import annotations`: plum cannot resolve them
  on a jitted method, and every call raises `BeartypeDecorWrappeeException`.

## Bad

```python
import jax
from plum import dispatch


@dispatch
@jax.jit
def scale(a: jax.Array, how: str):
    return a * 2
```

## Good

Jit the caller, or a helper that the method calls:

```python
import jax
from plum import dispatch


@dispatch
def scale(a: jax.Array, how: str):
    return _double(a)


@jax.jit
def _double(a):
    return a * 2
```

## How to silence it

`# noqa: PJ001` on the line of the first decorator; `ignore = ["PJ001"]` for a project that uses
the idiom throughout, which also hides the errors, or `min-severity = "warning"`, which does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from plum_jit_lint.events import DecoratorStack, Timeline
from plum_jit_lint.findings import Finding, Severity
from plum_jit_lint.rules._decorators import Consequence, decorator_finding, untraceable

CODE = "PJ001"
NAME = "jit-inside-dispatch"

_HARMLESS = Consequence(
    Severity.NOTE,
    (
        "each method compiles by itself, which is right for direct calls; a jitted caller keeps "
        "the method that it was traced with",
    ),
    "Register all methods before the first call of such a caller",
)


def judge(events: Timeline) -> Iterator[Finding]:
    """Findings for definitions with `dispatch` above `jit`."""
    for event in events:
        if isinstance(event, DecoratorStack) and event.outer == "dispatch":
            consequences = list(_consequences(event)) or [_HARMLESS]
            order = f"`{event.function}` has dispatch above `{event.jit}`: "
            yield decorator_finding(event, CODE, NAME, order, consequences)


def _consequences(event: DecoratorStack) -> Iterator[Consequence]:
    if event.string_annotations:
        yield Consequence(
            Severity.ERROR,
            (
                "its annotations are strings, which plum cannot resolve on a jitted method: every "
                "call raises BeartypeDecorWrappeeException",
            ),
            "Write them without quotes and without `from __future__ import annotations`, or jit "
            "the caller",
        )
    yield from untraceable(event)
